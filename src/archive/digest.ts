import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Digest } from './place.ts'

export async function digestOf(file: string): Promise<Digest> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}
