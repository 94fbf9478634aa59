import { join } from 'node:path'
import { Problem } from '../../domain/problem.ts'
import { sqliteDialect } from '../sql/sqlite.ts'
import type { Store } from '../store.ts'
import { type Hold, holdShared } from './sqlite/hold.ts'
import { readingOf, withSnapshot } from './sqlite.ts'
import { connect } from './sqlite-connection.mjs'
import { foundFile, isAbsent, SQLITE_FILE } from './sqlite-file.ts'

/** The store as it stands: no folder or file is made, no schema is brought up to date, and nothing can be written. */
export async function lookAtSqlite(dataDir: string, holding: (dataDir: string) => Hold = holdShared): Promise<Store> {
  const path = join(dataDir, SQLITE_FILE)
  if (isMissing(path, dataDir)) throw noStore(dataDir)
  const hold = holding(dataDir)
  try {
    return lookHeld(path, hold)
  } catch (error) {
    hold.release()
    throw error
  }
}

function isMissing(path: string, dataDir: string): boolean {
  try {
    return isAbsent(path)
  } catch {
    throw new Problem(
      'data-dir',
      500,
      'Data folder closed',
      `this user may not look into the data folder ${dataDir}`,
      'run it as the user that runs tollbook, or set DATA_DIR to a folder of your own',
    )
  }
}

function lookHeld(path: string, hold: Hold): Store {
  const found = foundFile(path)
  const reading = connect(found.place, { readOnly: true })
  const refuse = async (): Promise<never> => {
    throw new Error('the store was opened for looking at it alone')
  }
  const { read, atOnce, ping, workers } = readingOf(reading, found)
  return {
    ...{ dialect: sqliteDialect, file: path, read, atOnce, ping, workers, months: null, parts: null },
    ...{ write: refuse, prepareMonths: refuse, findRoom: refuse, shrink: refuse },
    snapshot: (work) => withSnapshot(found, work),
    epoch: () => 0,
    switches: () => 0,
    load: () => ({}),
    close: async () => {
      reading.close()
      hold.release()
    },
  }
}

const noStore = (dataDir: string): Problem =>
  new Problem(
    'no-store',
    404,
    'No store',
    `there is no store in ${dataDir}`,
    'set DATA_DIR to the folder of one; tollbook serve or migrate makes it',
  )
