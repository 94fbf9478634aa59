import { createHash } from 'node:crypto'
import type { Coding } from '../negotiation.ts'

const SUFFIX: Readonly<Record<Coding, string>> = { br: '-br', gzip: '-gz', identity: '' }

/** Strong: equal exactly when the bytes on the wire are. 128 bits of the plain bytes' hash, and which coding they travel in. */
export const etagBase = (plain: Uint8Array): string =>
  createHash('sha256').update(plain).digest('base64url').slice(0, 22)

export const etagOf = (base: string, coding: Coding): string => `"${base}${SUFFIX[coding]}"`

/** An If-None-Match header against the one current tag, by weak comparison (RFC 9110, 13.1.2). */
export function etagMatches(header: string, etag: string): boolean {
  if (header === etag || header.trim() === '*') return true
  // A tag may itself hold commas, so the list is walked tag by tag.
  for (const match of header.matchAll(/(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g)) {
    if (match[1] === etag) return true
  }
  return false
}
