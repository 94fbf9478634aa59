/** Code units from here on stand in another order than their bytes, if any of two is among them. */
const FIRST_SURROGATE = 0xd800

/** Order of the UTF-8 bytes, as SQLite's BINARY and Postgres's "C" order text. UTF-16 order differs beyond the BMP. */
export function compareBytes(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  let at = 0
  while (at < shorter && a.charCodeAt(at) === b.charCodeAt(at)) at++
  if (at === shorter) return Math.sign(a.length - b.length)
  const [x, y] = [a.charCodeAt(at), b.charCodeAt(at)]
  if (x < FIRST_SURROGATE && y < FIRST_SURROGATE) return x < y ? -1 : 1
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
