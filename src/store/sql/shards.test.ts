import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, inject, it } from 'vitest'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { openStore } from '../open.ts'
import { hashOf, shardAt } from './shards.ts'

describe('a shard', () => {
  it.skipIf(inject('databaseUrl') === null)('is found by the hash that Postgres has of the same number', async () => {
    const store = await openStore({
      dataDir: '',
      databaseUrl: await freshDatabase(inject('databaseUrl') ?? '', inject('madeStores')?.postgres),
    })
    const ids = fc.sample(fc.maxSafeInteger(), 500)
    const { rows } = await sql<{ id: number; hash: number }>`select id, hashint8(id) as hash
      from unnest(${ids}::bigint[]) as u(id)`.execute(store.read)
    await store.close()
    expect(rows.map(({ id }) => [id, hashOf(id)])).toEqual(rows.map(({ id, hash }) => [id, hash]))
  })

  it('is the last one that does not begin after the hash', () => {
    const ends = fc.uniqueArray(fc.integer({ min: -(2 ** 31) + 1, max: 2 ** 31 - 1 }), { maxLength: 20 })
    fc.assert(
      fc.property(ends, fc.maxSafeInteger(), (others, id) => {
        const lowerEnds = [-(2 ** 31), ...others.toSorted((a, b) => a - b)]
        const shard = shardAt(lowerEnds, id)
        expect(lowerEnds[shard]).toBeLessThanOrEqual(hashOf(id))
        expect(lowerEnds[shard + 1] ?? Number.POSITIVE_INFINITY).toBeGreaterThan(hashOf(id))
      }),
    )
  })
})
