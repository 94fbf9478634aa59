import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { sql } from 'kysely'
import { isFull } from '../domain/store-trouble.ts'
import type { Writer } from './schema.ts'
import type { Store } from './store.ts'

/** What a write may need. One that changes a row or two fits into room that the engine has already. */
export const ROOM_BYTES = 1024 * 1024

/**
 * A store that finds out by itself whether its disk is still full: from the first write that failed for want of room
 * until there is some again, `ping` and `findRoom` look for it and reject with the reason.
 */
export function noticingFull(store: Store): Store {
  let isKnownFull = false
  const findRoom = async (): Promise<void> => {
    if (!isKnownFull) return
    if (store.file !== null) await lookForRoom(store.file)
    await store.write(store.file === null ? takeRoom : rewriteVersion)
    isKnownFull = false
  }
  return {
    ...store,
    write: async (work) => {
      try {
        return await store.write(work)
      } catch (error) {
        isKnownFull ||= isFull(error)
        throw error
      }
    },
    ping: async () => {
      await store.ping()
      await findRoom()
    },
    findRoom,
  }
}

async function lookForRoom(file: string): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(file))
  if (bavail * bsize < ROOM_BYTES) throw new Error('database or disk is full')
}

/** As much as a write may need, for the time of a transaction: a server's disk is not ours to look at. */
const takeRoom = (writer: Writer): Promise<unknown> =>
  sql`create temporary table room on commit drop as
    select md5(cast(n as text)) as line from generate_series(1, ${sql.lit(ROOM_BYTES / 64)}) as n`.execute(writer)

/** Changes nothing and has to be written all the same. */
const rewriteVersion = (writer: Writer): Promise<unknown> =>
  writer
    .updateTable('schema_version')
    .set((row) => ({ version: row.ref('version') }))
    .execute()
