import { RESULTS } from '../../../domain/probe.ts'
import { once } from '../jsx/jsx-runtime.ts'
import { RESULT_CLASS } from './charts.tsx'

/** Which colour and hatch is which class. */
export const ResultLegend = once(() => (
  <ul class="legend">
    {RESULTS.map((result) => (
      <li key={result} class={RESULT_CLASS[result]}>
        {result}
      </li>
    ))}
  </ul>
))
