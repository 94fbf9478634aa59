import { type Aim, type BenchRow, isMet } from './row.ts'

const HEADINGS = ['what', 'measured', 'limit in the same run', 'ratio', 'aim', 'met'] as const
const TEXT_COLUMNS = 1
const NOTHING = '—'

/** The rows as a Markdown table whose columns line up on a terminal too. */
export function tableOf(rows: readonly BenchRow[]): string {
  const cells = [HEADINGS, ...rows.map(cellsOf)]
  const widths = HEADINGS.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]): string => `| ${row.map((cell, at) => padded(cell, at, widths)).join(' | ')} |`
  const rule = `|${widths.map((width, at) => (at < TEXT_COLUMNS ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  const [head = HEADINGS, ...body] = cells
  return [line(head), rule, ...body.map(line)].join('\n')
}

const padded = (cell: string, column: number, widths: readonly number[]): string =>
  column < TEXT_COLUMNS ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)

function cellsOf(row: BenchRow): string[] {
  const met = isMet(row)
  return [
    row.what,
    row.measured,
    row.limit,
    Number.isNaN(row.ratio) ? '—' : row.ratio.toFixed(2),
    row.aim === null ? NOTHING : aimText(row.aim),
    met === null ? NOTHING : met ? 'yes' : 'no',
  ]
}

const aimText = (aim: Aim): string => ('atLeast' in aim ? `${aim.atLeast} or more` : `under ${aim.below}`)
