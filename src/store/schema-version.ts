import { sql } from 'kysely'
import { Problem } from '../domain/problem.ts'
import { NewerData } from '../domain/store-trouble.ts'
import { MIGRATIONS, newerData } from './migrate.ts'
import type { Reader } from './schema.ts'
import type { Dialect } from './sql/dialect.ts'
import { RowsStatement } from './sql/rows-statement.ts'

/** Of the schema that this program works with. */
export const SCHEMA_VERSION = MIGRATIONS.length

const POSTGRES_NO_TABLE = '42P01'

/** Of the schema that the store has; `null` when nothing was ever stored in it. */
export async function schemaVersion(reader: Reader): Promise<number | null> {
  try {
    const row = await reader.selectFrom('schema_version').select('version').executeTakeFirst()
    return row?.version ?? null
  } catch (error) {
    if (error instanceof Error && isNoTable(error)) return null
    throw error
  }
}

const isNoTable = (error: Error): boolean =>
  ('code' in error && error.code === POSTGRES_NO_TABLE) || /no such table/.test(error.message)

/** Why a store of this version cannot be read by this program without changing it first. */
export function versionProblem(version: number | null): Problem | undefined {
  if (version === SCHEMA_VERSION) return undefined
  if (version !== null && version > SCHEMA_VERSION) return newerData(version)
  return new Problem(
    'older-data',
    500,
    'Data of an older version',
    version === null
      ? 'the store is empty'
      : `the data has schema version ${version}, this program needs ${SCHEMA_VERSION}`,
    'tollbook serve or migrate brings it up to date; what only looks changes nothing',
  )
}

const VERSION = new RowsStatement(() => sql<{ version: number }>`select version from schema_version`)

/**
 * Asks whether the data has become a newer program's while this one ran, and goes on as soon as that is asked. The answer
 * rejects where it has. Every write asks.
 */
export async function askNewer(reader: Reader, dialect: Dialect): Promise<() => Promise<void>> {
  const answer = await VERSION.ahead(reader, dialect, [])
  return async () => {
    const [row] = await answer()
    if (row !== undefined && row.version > SCHEMA_VERSION) throw new NewerData(newerData(row.version))
  }
}
