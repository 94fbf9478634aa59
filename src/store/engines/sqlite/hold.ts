import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from '../../../domain/problem.ts'
import { reasonOf } from '../../../domain/store-trouble.ts'
import { HOLD_FILE } from '../sqlite-file.ts'
import { DatabaseSync } from '../sqlite-module.mjs'

/** That a store is open. */
export interface Hold {
  release(): void
}

/** Of whoever works under the hold of somebody else. */
export const NO_HOLD: Hold = { release: () => undefined }

/** Others have it for moments only while they look whether they are alone. */
const BUSY_MS = 1000

/** With others; rejects while somebody has it alone. Nothing is held where the file is not there, or cannot be locked. */
export function holdShared(dataDir: string): Hold {
  const path = join(dataDir, HOLD_FILE)
  if (!existsSync(path)) return NO_HOLD
  try {
    return held(path, { readOnly: true, timeout: BUSY_MS }, 'begin; select count(*) from sqlite_master')
  } catch (error) {
    if (!isLocked(error)) return NO_HOLD
    const detail = `tollbook restore has the store in ${dataDir} for itself`
    throw new Problem('in-use', 409, 'Store in use', detail, 'wait until it has ended')
  }
}

/** Rejects while anybody else has the store open, who would go on reading a file that is gone. */
export function holdAlone(dataDir: string): Hold {
  makeHoldFile(dataDir)
  try {
    const path = join(dataDir, HOLD_FILE)
    return held(path, { readOnly: false, timeout: 0 }, 'pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    throw isLocked(error) ? inUse(dataDir) : error
  }
}

/** Only where it is missing: a program that closes a file it has locked gives up the lock. */
export function makeHoldFile(dataDir: string): void {
  const path = join(dataDir, HOLD_FILE)
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
}

export const inUse = (dataDir: string): Problem =>
  new Problem(
    'in-use',
    409,
    'Store in use',
    `another program has the store in ${dataDir} open`,
    'stop tollbook serve, tollbook mcp and whatever else uses it, then run it again',
  )

function held(path: string, options: { readonly readOnly: boolean; readonly timeout: number }, begin: string): Hold {
  const database = new DatabaseSync(path, options)
  try {
    database.exec(begin)
  } catch (error) {
    database.close()
    throw error
  }
  return { release: () => database.close() }
}

export const isLocked = (error: unknown): boolean => /database is locked/.test(reasonOf(error))
