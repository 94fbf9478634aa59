import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from '../domain/problem.ts'
import { PATHS } from '../wire/paths.ts'

/** The seed of the log's key, where it is not given by `LOG_KEY`. */
export const KEY_FILE = 'log.key'
/** The checkpoint that was published last, beside it. */
export const PUBLISHED_FILE = 'log.checkpoint'
const SEED_BYTES = 32

/** An Ed25519 seed of 32 bytes, in hex or Base 64. */
export function readSeed(text: string): Uint8Array | undefined {
  const form = /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64'
  if (form === 'base64' && !/^[A-Za-z0-9+/]{43}=?$/.test(text)) return undefined
  const seed = new Uint8Array(Buffer.from(text, form))
  return seed.length === SEED_BYTES ? seed : undefined
}

/** The seed in a folder, made when there is none; only its owner may read it. */
export function seedIn(folder: string, name: string = KEY_FILE): Uint8Array {
  const file = join(folder, name)
  if (!existsSync(file)) {
    // Under its name only when it is whole: two programs may start at once, and both must have the same key.
    const draft = `${file}.${process.pid}`
    try {
      writeFileSync(draft, `${randomBytes(SEED_BYTES).toString('base64')}\n`, { mode: 0o600, flush: true })
      linkSync(draft, file)
    } catch (error) {
      if (!existsSync(file)) throw error
    } finally {
      rmSync(draft, { force: true })
    }
  }
  chmodSync(file, 0o600)
  return lookAtSeed(folder, name)
}

/** The seed in a folder that has one; nothing is changed. */
export function lookAtSeed(folder: string, name: string = KEY_FILE): Uint8Array {
  const file = join(folder, name)
  const seed = readSeed(readFileSync(file, 'utf8').trim())
  if (seed !== undefined) return seed
  throw new Problem(
    'log-key',
    500,
    'Bad log key',
    `${file} holds no key`,
    'put the key of the log back, 32 bytes in hex or Base 64; with another key it is another log',
  )
}

/** Of a directory at this address: the address without its scheme. */
export const originOf = (baseUrl: string): string => `${baseUrl.replace(/^https?:\/\//, '')}${PATHS.log}`
