import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nearest } from '../src/cli/catalogue/nearest.ts'
import { Problem } from '../src/domain/problem.ts'

const FRESH = '--fresh'
/** Written before anything else and removed last, so that a sandbox is known as one at every moment. */
const MARK = 'sandbox.txt'
/** By which one from before there was a mark is known. */
const FIRST_CHAIN = 'base.chain.ndjson'
const SECRET = 'secret.key'
/** All that a sandbox keeps; whatever else lies beside it is somebody else's. */
const MADE = [
  'tempo.chain.ndjson',
  ...[SECRET, 'newcomer.key', 'log.key', 'log.checkpoint', 'witness', 'audit'],
  ...['tollbook.db', 'tollbook.db-wal', 'tollbook.db-shm', 'tollbook.db-journal', 'tollbook.open'],
  ...[FIRST_CHAIN, MARK],
]

/** Whether to start over. Rejects any other word. */
export function isFresh(words: readonly string[]): boolean {
  const unknown = words.find((word) => word !== FRESH)
  if (unknown === undefined) return words.includes(FRESH)
  const meant = nearest(unknown, [FRESH]) === undefined ? '' : `did you mean ${FRESH}? `
  const hint = `${meant}npm start takes ${FRESH}, which starts over, and nothing else`
  throw new Problem('usage', 400, 'Usage', `unknown argument ${unknown}`, hint)
}

/** Makes a folder the sandbox's own, or finds that it is; any other that holds something is left as it is. */
export async function takeFolder(folder: string, fresh: boolean): Promise<void> {
  const found = namesIn(folder)
  if (found.length > 0 && !found.includes(MARK) && !found.includes(FIRST_CHAIN)) {
    const hint = 'set DATA_DIR to an empty folder, or unset it to have one in ./data/sandbox; nothing was changed'
    throw new Problem('folder', 400, 'Folder', `${folder} holds something that is not of a sandbox`, hint)
  }
  if (fresh && found.length > 0) await removeMade(folder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, MARK), 'The sandbox of npm start keeps its world here; npm start -- --fresh removes it.\n')
}

/** Refused while a sandbox runs on it, which would go on with files that are gone. */
async function removeMade(folder: string): Promise<void> {
  // Loaded only here: a start waits for nothing that it does not need.
  const { holdAlone } = await import('../src/store/engines/sqlite/hold.ts')
  const hold = holdAlone(folder)
  for (const name of MADE) rmSync(join(folder, name), { recursive: true, force: true })
  hold.release()
}

/** What mpp's challenges are signed with. One that a kill has cut short was nobody's yet, and is made anew. */
export function secretIn(folder: string): string {
  const file = join(folder, SECRET)
  const kept = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (/^[0-9a-f]{64}$/.test(kept)) return kept
  const secret = randomBytes(32).toString('hex')
  writeFileSync(file, secret, { mode: 0o600 })
  return secret
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT') return []
    throw new Problem('folder', 400, 'Folder', `${folder} cannot be read as a folder (${code})`, 'set DATA_DIR to one')
  }
}
