import { type RawBuilder, sql } from 'kysely'
import { DAY_US } from '../../domain/time/day.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { fromRetired, isThere, WHOLE_HOST } from '../sql/retired.ts'
import type { Store } from '../store.ts'
import { beginningWith } from './near-words.ts'
import { noRow, type Retired, someRow } from './read-hosts.ts'

/** Prices that people choose as the most a call may cost. */
export const CEILINGS = [1000, 10_000, 100_000, 1_000_000] as const

/** Hosts by what one can choose them by. */
export interface FacetTotals {
  /** By the words that facets are stored as, without their beginning. */
  readonly rails: ReadonlyMap<string, number>
  readonly networks: ReadonlyMap<string, number>
  /** With a route that costs at most as much as each of `CEILINGS`. */
  readonly ceilings: readonly number[]
  readonly verified: number
  readonly differs: number
  readonly unverified: number
  /** That requested payment within a day. */
  readonly requested: number
}

export interface Totals {
  readonly hosts: number
  readonly routes: number
  readonly probes: number
  readonly excludedReviews: number
  readonly facets: FacetTotals
  /** Of those among them that their seller retired as a whole. */
  readonly retired: { readonly hosts: number; readonly facets: FacetTotals }
}

/** Of the hosts that a list is of: without the retired ones, with them, or of them alone. */
export function facetsAmong({ facets, retired }: Totals, asked: Retired | null): FacetTotals {
  if (asked !== null) return asked === 'with' ? facets : retired.facets
  const less = retired.facets
  const lessBy = (all: ReadonlyMap<string, number>, out: ReadonlyMap<string, number>): ReadonlyMap<string, number> =>
    new Map([...all].map(([word, n]) => [word, n - (out.get(word) ?? 0)]))
  return {
    rails: lessBy(facets.rails, less.rails),
    networks: lessBy(facets.networks, less.networks),
    ceilings: facets.ceilings.map((n, index) => n - (less.ceilings[index] ?? 0)),
    verified: facets.verified - less.verified,
    differs: facets.differs - less.differs,
    unverified: facets.unverified - less.unverified,
    requested: facets.requested - less.requested,
  }
}

/** Hosts that one statement counts: on SQLite nobody else reads meanwhile. */
const HOSTS_A_COUNT = 20_000

const SUMS = {
  hosts: 'count(*)',
  routes: 'sum(routes)',
  probes: 'sum(answers + correct_402 + failed + unreachable)',
  excluded: 'sum(reviews_excluded)',
  verified: 'sum(case when routes_verified > 0 then 1 else 0 end)',
  differs: 'sum(case when routes_differs > 0 then 1 else 0 end)',
  unverified: 'sum(case when routes_verified + routes_differs < routes then 1 else 0 end)',
  c0: `sum(case when price_min <= ${CEILINGS[0]} then 1 else 0 end)`,
  c1: `sum(case when price_min <= ${CEILINGS[1]} then 1 else 0 end)`,
  c2: `sum(case when price_min <= ${CEILINGS[2]} then 1 else 0 end)`,
  c3: `sum(case when price_min <= ${CEILINGS[3]} then 1 else 0 end)`,
} as const
type Sum = keyof typeof SUMS | 'requested'

/** Hosts that are counted together. */
interface Counted {
  /** Counters in the order of hosts, of those after this one. */
  readonly after: (hostId: number) => RawBuilder<unknown>
  /** Before `search_places as p`, and what holds of both. */
  readonly words: { readonly from: RawBuilder<unknown>; readonly where: RawBuilder<unknown> }
  /** What holds of their counters `c`. */
  readonly where: RawBuilder<unknown>
}

const ALL: Counted = {
  after: (hostId) => sql`select * from host_counters where host_id > ${hostId} order by host_id`,
  words: { from: sql``, where: sql`` },
  where: sql``,
}

/** By their retirements: however many hosts there are, it costs as much as is retired. */
const RETIRED: Counted = {
  after: (hostId) => sql`select c.* from retirements as g cross join host_counters as c
    where c.host_id = g.host_id and g.route_id = ${sql.lit(WHOLE_HOST)} and g.host_id > ${hostId} order by g.host_id`,
  words: {
    from: sql`retirements as g cross join`,
    where: sql`and p.host_id = g.host_id and g.route_id = ${sql.lit(WHOLE_HOST)}`,
  },
  where: sql`and ${someRow(fromRetired('c'))}`,
}

/** Counted in steps, each of one moment; the whole is of the time that it took. */
export async function readTotals(store: Store, nowUs: TimestampUs): Promise<Totals> {
  const all = await count(store, nowUs, ALL)
  const { hosts, facets } = await count(store, nowUs, RETIRED)
  return { ...all, retired: { hosts, facets } }
}

async function count(store: Store, nowUs: TimestampUs, counted: Counted): Promise<Omit<Totals, 'retired'>> {
  const sums = new Map<Sum, number>()
  const requested = sql`sum(case when newest_402_us >= ${nowUs - DAY_US} then 1 else 0 end)`
  const values = Object.entries(SUMS).map(([name, value]) => sql`coalesce(${sql.raw(value)}, 0) as ${sql.ref(name)}`)
  for (let after: number | null = -1; after !== null; ) {
    type Step = Record<Sum, number> & { last: number | null }
    const found: { rows: Step[] } = await sql<Step>`select ${sql.join(values)}, coalesce(${requested}, 0) as requested,
        max(host_id) as last
      from (${counted.after(after)} limit ${sql.lit(HOSTS_A_COUNT)}) as step`.execute(store.read)
    const [step] = found.rows
    if (step === undefined) break
    const { last, ...counts } = step
    for (const [name, n] of entriesOf(counts)) sums.set(name, (sums.get(name) ?? 0) + n)
    after = step.hosts < HOSTS_A_COUNT ? null : last
    if (after !== null) await new Promise((resolve) => setImmediate(resolve))
  }
  const n = (name: Sum): number => sums.get(name) ?? 0
  return {
    hosts: n('hosts'),
    routes: n('routes'),
    probes: n('probes'),
    excludedReviews: n('excluded'),
    facets: {
      rails: await hostsByWord(store, ':rail:', counted),
      networks: await hostsByWord(store, ':network:', counted),
      ceilings: [n('c0'), n('c1'), n('c2'), n('c3')],
      verified: n('verified'),
      differs: n('differs'),
      unverified: n('unverified') - (await checkedOrGone(store, counted)),
      requested: n('requested'),
    },
  }
}

/** Sums of checks leave out what is not there: hosts where no route that is there is not checked, though their sums say so. */
async function checkedOrGone(store: Store, { where }: Counted): Promise<number> {
  let all = 0
  for (let after: number | null = -1; after !== null; ) {
    type Step = { looked: number; n: number; last: number | null }
    const found: { rows: Step[] } = await sql<Step>`select count(*) as looked, max(c.host_id) as last,
        coalesce(sum(case when c.routes_verified + c.routes_differs < c.routes
          and ${noRow(sql`from route_state as s where s.host_id = c.host_id and s.probe_status = 'unverified'
            and ${isThere('s', sql`c.host_id`)}`)} ${where} then 1 else 0 end), 0) as n
      from (select host_id from unlisted where host_id > ${after}
        union select host_id from retirements where host_id > ${after} and route_id <> ${sql.lit(WHOLE_HOST)}
        order by host_id limit ${sql.lit(HOSTS_A_COUNT)}) as v
      cross join host_counters as c where c.host_id = v.host_id`.execute(store.read)
    const [step] = found.rows
    if (step === undefined) break
    all += step.n
    after = step.looked < HOSTS_A_COUNT ? null : step.last
    if (after !== null) await new Promise((resolve) => setImmediate(resolve))
  }
  return all
}

const isSum = (name: string): name is Sum => name in SUMS || name === 'requested'
const entriesOf = (counts: Readonly<Record<string, number>>): [Sum, number][] =>
  Object.entries(counts).filter((pair): pair is [Sum, number] => isSum(pair[0]))

/** How many hosts have each word that begins so, by what follows. */
async function hostsByWord(store: Store, beginning: string, { words }: Counted): Promise<ReadonlyMap<string, number>> {
  const { from, to } = beginningWith(beginning)
  const found = await sql<{
    word: string
    n: number
  }>`select p.word, count(*) as n from ${words.from} search_places as p
    where p.word >= ${from} and p.word < ${to} ${words.where} group by p.word`.execute(store.read)
  return new Map(found.rows.map(({ word, n }) => [word.slice(beginning.length), n]))
}
