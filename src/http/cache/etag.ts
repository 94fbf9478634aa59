import { hash } from 'node:crypto'

/** Strong: equal exactly when the bytes on the wire are. 128 bits of their hash: compressed ones are few, so it costs little. */
export const etagOf = (sent: Uint8Array): string => `"${hash('sha256', sent, 'base64url').slice(0, 22)}"`

/** An If-None-Match header against the one current tag, by weak comparison (RFC 9110, 13.1.2). */
export function etagMatches(header: string, etag: string): boolean {
  if (header === etag || header.trim() === '*') return true
  // A tag may itself hold commas, so the list is walked tag by tag.
  for (const match of header.matchAll(/(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g)) {
    if (match[1] === etag) return true
  }
  return false
}
