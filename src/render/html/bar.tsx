import { type ProbeResult, RESULTS, type ResultCounts, summaryLine } from '../../domain/probe.ts'

/** The colour class of each result; the word itself always stands beside the colour. */
export const RESULT_CLASS: Readonly<Record<ProbeResult, string>> = {
  answers: 'ok',
  '402-correct': 'due',
  failed: 'bad',
  unreachable: 'off',
}

interface Segment {
  readonly result: ProbeResult
  readonly x: number
  readonly width: number
}

/** The share of each class from left to right, in thousandths of the whole. */
function segments(results: ResultCounts): readonly Segment[] {
  const total = RESULTS.reduce((sum, result) => sum + results[result], 0)
  let before = 0
  return RESULTS.flatMap((result) => {
    if (results[result] === 0) return []
    const x = Math.round((before / total) * 1000)
    before += results[result]
    return [{ result, x, width: Math.round((before / total) * 1000) - x }]
  })
}

export const ResultBar = ({ results }: { readonly results: ResultCounts }) => (
  <svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label={summaryLine(results)}>
    {segments(results).map(({ result, x, width }) => (
      <rect key={result} class={RESULT_CLASS[result]} x={x} width={width} height="10" />
    ))}
  </svg>
)

/** Which colour is which class, with its share of all entries. */
export const ResultLegend = ({ results }: { readonly results: ResultCounts }) => {
  const total = RESULTS.reduce((sum, result) => sum + results[result], 0)
  const share = (result: ProbeResult): string => (total === 0 ? '' : ` ${percent(results[result], total)}`)
  return (
    <ul class="legend">
      {RESULTS.map((result) => (
        <li key={result} class={RESULT_CLASS[result]}>
          {`${result}${share(result)}`}
        </li>
      ))}
    </ul>
  )
}

/** Rounded, but never to 0 or 100 % while there is an exception. */
function percent(n: number, total: number): string {
  const rounded = Math.round((n / total) * 100)
  if (rounded === 0 && n > 0) return '< 1 %'
  if (rounded === 100 && n < total) return '> 99 %'
  return `${rounded} %`
}
