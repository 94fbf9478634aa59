import { sql } from 'kysely'
import { describe, expect, inject, it } from 'vitest'
import { dropDatabase, freshDatabase } from '../../../test/support/postgres.ts'
import { rowsRead } from '../../../test/support/rows-read.ts'
import { openStore } from '../open.ts'
import { Term } from './term.ts'

const MOST = 1000

describe.skipIf(inject('databaseUrl') === null)('a term of a search on Postgres', () => {
  it('is counted and read in its own places, also where all others come before them', async () => {
    const server = inject('databaseUrl') ?? ''
    const databaseUrl = await freshDatabase(server, inject('madeStores')?.postgres)
    const store = await openStore({ dataDir: '', databaseUrl })
    await store.write((writer) =>
      sql`insert into search_places (word, host_id, place)
        select case when n > 38000 then 'zebra' else 'a' || n % 900 end, n, 1 from generate_series(1, 40000) as n`.execute(
        writer,
      ),
    )
    await sql`analyze`.execute(store.read)
    await store.snapshot(async (reader) => {
      const term = new Term({ ...store, read: reader }, 'zebra')
      const counted = await rowsRead(reader, async () => expect(await term.countBegun(MOST)).toBe(MOST))
      const read = await rowsRead(reader, async () => expect(await term.placesBegun(MOST)).toHaveLength(MOST))
      expect([counted, read].every((rows) => rows <= 2 * MOST)).toBe(true)
    })
    await store.close()
    await dropDatabase(server, databaseUrl)
  })
})
