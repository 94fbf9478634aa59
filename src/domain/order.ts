/** Order of the UTF-8 bytes, as SQLite's BINARY and Postgres's "C" order text. UTF-16 order differs beyond the BMP. */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
