import { type CompiledQuery, sql } from 'kysely'
import { expect, it } from 'vitest'
import { onBothEngines } from '../../../test/support/engines.ts'
import { watching } from '../../../test/support/plans.ts'
import type { Store } from '../store.ts'
import { fittingHosts, type HostFilter, someRow } from './read-hosts.ts'
import { fillHosts } from './testing/many-hosts.ts'

const HOSTS = 10_000
const FILTER: HostFilter = {
  ...{ rail: null, networkKey: null, maxPrice: null, check: null, requestedSinceUs: null, result: null, retired: null },
}

async function filled(store: Store): Promise<void> {
  await fillHosts(store, HOSTS)
  if (store.dialect.engine === 'postgres') await sql`analyze`.execute(store.read)
}

/** How the engine finds those that fit among so many, step by step. */
async function stepsFor(store: Store, filter: HostFilter): Promise<string[]> {
  const asked: CompiledQuery[] = []
  const ids = Array.from({ length: 1000 }, (_, n) => n * 7)
  const condition = someRow(sql`from search_places as p where p.host_id = h.host_id and p.word = 'weather'`)
  expect(await fittingHosts(watching(store, asked), ids, filter, { condition, isNamed: true })).toEqual([])
  const [query] = asked
  if (query === undefined) throw new Error('nothing was asked')
  const explain = store.dialect.engine === 'sqlite' ? 'explain query plan' : 'explain'
  const { rows } = await store.read.executeQuery<object>({ ...query, sql: `${explain} ${query.sql}` })
  return rows.map((row) => String(Object.values(row).at(-1)))
}

const at = (steps: readonly string[], step: RegExp): number => steps.findIndex((one) => step.test(one))

onBothEngines('hosts on a walk through the list', (engine) => {
  it('have what is asked of their routes looked at after their counters, or first where nothing is asked of these', async () => {
    const store = await engine.open()
    await filled(store)
    const counted = await stepsFor(store, { ...FILTER, networkKey: 'eip155:8453', check: 'verified' })
    const uncounted = await stepsFor(store, { ...FILTER, rail: 'x402' })
    if (store.dialect.engine === 'postgres') {
      // Where it expects hardly any to fit, it compares each host that is asked about with all.
      const [, expected] = /Join {2}\(cost=\S+ rows=(\d+) /.exec(uncounted.join('\n')) ?? []
      expect(Number(expected)).toBeGreaterThan(50)
      return
    }
    const counters = at(counted, /^SEARCH c /)
    expect(counters).toBeGreaterThan(-1)
    expect(at(counted, /^SEARCH l /)).toBeGreaterThan(counters)
    // A row and the state of its route decide first.
    expect(at(counted, /^SEARCH o /)).toBeGreaterThan(at(counted, /^SEARCH s /))
    expect(at(uncounted, /^SEARCH c /)).toBeGreaterThan(at(uncounted, /^SEARCH r /))
  })
})
