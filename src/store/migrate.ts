import { sql } from 'kysely'
import { Problem } from '../domain/problem.ts'
import type { Dialect } from './dialect.ts'
import { foundation } from './migrations/001-foundation.ts'
import { schedule } from './migrations/002-schedule.ts'
import { payments } from './migrations/003-payments.ts'
import { days } from './migrations/005-days.ts'
import { search } from './migrations/006-search.ts'
import { followers } from './migrations/007-followers.ts'
import { descriptions } from './migrations/008-descriptions.ts'
import { unseenPayments } from './migrations/009-unseen-payments.ts'
import type { Writer } from './schema.ts'

/** One step forward of the schema. Steps are never changed once released; the number is the place in this list. */
export type Migration = (writer: Writer, dialect: Dialect) => Promise<void>

const MIGRATIONS: readonly Migration[] = [
  foundation,
  schedule,
  payments,
  days,
  search,
  followers,
  descriptions,
  unseenPayments,
]

type Transact = <T>(work: (writer: Writer) => Promise<T>) => Promise<T>

/** Any number of programs may start at once: one migrates, the others wait for it. */
const LOCK = 8_402_184

/** Brings the schema up to date, all missing steps in one transaction; answers how many there were. */
export const migrate = (dialect: Dialect, transact: Transact): Promise<number> =>
  transact(async (writer) => {
    // On SQLite the transaction itself holds the write lock.
    if (dialect.engine === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(writer)
    await sql`create table if not exists schema_version (version integer not null)`.execute(writer)
    const row = await writer.selectFrom('schema_version').select('version').executeTakeFirst()
    const version = row?.version ?? 0
    if (version > MIGRATIONS.length) {
      throw new Problem(
        'newer-data',
        500,
        'Data of a newer version',
        `the data has schema version ${version}, this program knows ${MIGRATIONS.length}`,
        'install the newer tollbook that wrote it',
      )
    }
    for (const step of MIGRATIONS.slice(version)) await step(writer, dialect)
    if (row === undefined) await writer.insertInto('schema_version').values({ version: MIGRATIONS.length }).execute()
    else await writer.updateTable('schema_version').set({ version: MIGRATIONS.length }).execute()
    return MIGRATIONS.length - version
  })
