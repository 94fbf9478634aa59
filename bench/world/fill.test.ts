import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { hostKey } from '../../src/domain/keys.ts'
import { saveListings } from '../../src/store/facts/save-listings.ts'
import { saveProbes } from '../../src/store/probes/save-probes.ts'
import type { Store } from '../../src/store/store.ts'
import { verifyStore } from '../../src/store/transfer/verify.ts'
import { onBothEngines } from '../../test/support/engines.ts'
import { fillWorld } from './fill.ts'
import { type WorldShape, worldHost } from './world.ts'

const SHAPE: WorldShape = { seed: 7, hosts: 20, entriesPerRoute: 3 }

/** An entry of the log without when it was saved; its records stand in any order. */
const said = (body: string): unknown => {
  const { at: _, records, ...entry } = JSON.parse(body)
  return { ...entry, records: records.map((record: unknown) => JSON.stringify(record)).sort() }
}

/** Every row of every table. */
async function contentOf(store: Store): Promise<Record<string, unknown[]>> {
  const tables =
    store.dialect.engine === 'sqlite'
      ? await sql<{ name: string }>`select name from sqlite_master where type = 'table' order by name`.execute(
          store.read,
        )
      : await sql<{
          name: string
        }>`select c.relname as name from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
          where n.nspname = 'public' and c.relkind in ('r', 'p') order by c.relname`.execute(store.read)
  const content: Record<string, unknown[]> = {}
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ body?: string }>`select * from ${sql.table(name)}`.execute(store.read)
    const inside = (row: { body?: string }) =>
      name === 'log_entries' && row.body !== undefined ? { ...row, body: said(row.body) } : row
    content[name] = rows.map((row) => JSON.stringify(inside(row))).sort()
  }
  return content
}

onBothEngines('a world that is filled at once', (engine) => {
  it('has the very rows that saving it host by host leaves', async () => {
    const [filled, saved] = [await engine.open(), await engine.open()]
    await fillWorld(filled, SHAPE, () => undefined)
    const hosts = Array.from({ length: SHAPE.hosts }, (_, n) => worldHost(SHAPE, n))
    for (const { routes, rounds } of hosts.sort((a, b) => hostKey(a.name) - hostKey(b.name))) {
      await saveListings(saved, { listings: routes.flatMap(({ listings }) => listings) })
      for (const probes of rounds) await saveProbes(saved, { probes })
    }
    const [ours, theirs] = [await contentOf(filled), await contentOf(saved)]
    expect(ours.probes?.length).toBe(20 * 10 * 3)
    for (const [table, rows] of Object.entries(theirs)) {
      const different = rows.findIndex((row, at) => row !== ours[table]?.[at])
      expect({ table, row: ours[table]?.[different] }).toEqual({ table, row: rows[different] })
      expect({ table, rows: ours[table]?.length }).toEqual({ table, rows: rows.length })
    }
    expect(Object.keys(ours)).toEqual(Object.keys(theirs))
    const differences: unknown[] = []
    await verifyStore(filled, (difference) => differences.push(difference))
    expect(differences).toEqual([])
  })

  it('is another one with another seed, and the same with the same', () => {
    expect(worldHost(SHAPE, 9)).toEqual(worldHost(SHAPE, 9))
    expect(worldHost({ ...SHAPE, seed: 8 }, 9).rounds).not.toEqual(worldHost(SHAPE, 9).rounds)
  })
})
