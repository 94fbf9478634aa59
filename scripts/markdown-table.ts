/** Rows of text as a Markdown table; what would end a cell or begin a tag is written so that it does not. */
export function tableOf(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`
  return [line(headings), `|${'---|'.repeat(headings.length)}`, ...rows.map(line)].join('\n')
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
