import { fromBase64, toBase64 } from './bytes.ts'
import { MalformedError } from './errors.ts'
import { HASH } from './hash.ts'

/** More hashes no proof of a tree needs. */
const MOST_HASHES = 63

/** One hash a line, in Base 64. */
export const formatHashes = (hashes: readonly Uint8Array[]): string[] => hashes.map((hash) => toBase64(hash))

export function parseHashes(lines: readonly string[]): Uint8Array[] {
  if (lines.length > MOST_HASHES) throw new MalformedError(`more than ${MOST_HASHES} hashes`)
  return lines.map((line) => {
    const hash = fromBase64(line)
    if (hash.length !== HASH) throw new MalformedError(`a hash of the proof has ${hash.length} bytes`)
    return hash
  })
}

/** The lines before the first empty one, and all that follows it as it is. */
export function cutAtEmptyLine(text: string): { readonly lines: string[]; readonly rest: string } {
  const end = text.indexOf('\n\n')
  if (end === -1) throw new MalformedError('there is no empty line before the checkpoint')
  return { lines: text.slice(0, end).split('\n'), rest: text.slice(end + 2) }
}
