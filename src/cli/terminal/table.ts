/** Rows under a head, each column as wide as its widest cell. Numbers stand to the right. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cells = [head, ...rows].map((row) =>
    row.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en-US') : cell)),
  )
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const right = head.map((_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number'))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (right[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd()
  return `${cells.map(line).join('\n')}\n`
}
