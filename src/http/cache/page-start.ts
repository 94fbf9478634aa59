import { createHash, hash } from 'node:crypto'
import { PAGE_START } from '../../render/html/layout.tsx'

/** The bytes that every page begins with. */
export const START = Buffer.from(PAGE_START)
const HASHED_START = createHash('sha256').update(START)

/** Bytes, or characters of a text: handing so little to another thread costs more than compressing it. */
export const MOST_AT_ONCE = 256 * 1024
/** Of one character of a text in UTF-8. */
const MOST_BYTES_EACH = 3
/** Taken again for every text: room of its own for each would cost as much as writing it (measured). */
const ROOM = Buffer.allocUnsafeSlow(MOST_BYTES_EACH * MOST_AT_ONCE)

/** The bytes of a text that has room there, until the next one is written. */
export const written = (text: string): Buffer => ROOM.subarray(0, ROOM.write(text))

/** What follows in a page; `undefined` where the text is none. */
export const afterStart = (text: string): string | undefined =>
  text.startsWith(PAGE_START) ? text.slice(PAGE_START.length) : undefined

/** The bytes of a text. */
export function bytesOf(text: string): Buffer {
  const rest = text.length > MOST_AT_ONCE ? undefined : afterStart(text)
  return rest === undefined ? Buffer.from(text) : Buffer.concat([START, written(rest)])
}

/** SHA-256 in base64url; of a page only what follows its start is gone through. */
export function hashOf(bytes: Uint8Array): string {
  const isPage = bytes.length > START.length && START.equals(bytes.subarray(0, START.length))
  if (!isPage) return hash('sha256', bytes, 'base64url')
  return HASHED_START.copy().update(bytes.subarray(START.length)).digest('base64url')
}
