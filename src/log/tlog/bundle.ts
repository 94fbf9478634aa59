import { MalformedError } from './errors.ts'

/** The length before each entry is a big-endian uint16. */
const PREFIX = 2
export const LONGEST_ENTRY = 65_535

export function encodeBundle(entries: readonly Uint8Array[]): Uint8Array {
  const bundle = new Uint8Array(entries.reduce((length, entry) => length + PREFIX + entry.length, 0))
  let at = 0
  for (const entry of entries) {
    if (entry.length > LONGEST_ENTRY) throw new RangeError(`an entry of ${entry.length} bytes`)
    bundle[at] = entry.length >>> 8
    bundle[at + 1] = entry.length
    bundle.set(entry, at + PREFIX)
    at += PREFIX + entry.length
  }
  return bundle
}

/** The entries, as views of the bundle's own bytes; exactly as many as `width` says. */
export function decodeBundle(bundle: Uint8Array, width: number): Uint8Array[] {
  const entries: Uint8Array[] = []
  let at = 0
  while (at < bundle.length && entries.length < width) {
    const [high = 0, low] = bundle.subarray(at, at + PREFIX)
    if (low === undefined)
      throw new MalformedError(`the bundle breaks off in the length of its entry ${entries.length}`)
    const end = at + PREFIX + high * 256 + low
    if (end > bundle.length) throw new MalformedError(`the bundle breaks off in its entry ${entries.length}`)
    entries.push(bundle.subarray(at + PREFIX, end))
    at = end
  }
  if (entries.length < width) throw new MalformedError(`the bundle has ${entries.length} entries, not ${width}`)
  if (at < bundle.length) throw new MalformedError(`the bundle has more than ${width} entries`)
  return entries
}
