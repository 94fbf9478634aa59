import { hostKey } from '../../src/domain/keys.ts'
import { NO_VANTAGE } from '../../src/domain/now/vantage.ts'
import { DAY_US } from '../../src/domain/time/day.ts'
import { saveListings } from '../../src/store/facts/save-listings.ts'
import { saveProbes } from '../../src/store/probes/save-probes.ts'
import { NO_VANTAGE_ID } from '../../src/store/probes/vantages.ts'
import { enrol } from '../../src/store/schedule/enrol.ts'
import type { Store } from '../../src/store/store.ts'
import { exportRecords } from '../../src/store/transfer/export.ts'
import { verifyStore } from '../../src/store/transfer/verify.ts'
import type { Directory } from '../../src/views/directory.ts'
import type { HostQuery } from '../../src/views/host/hosts-view.ts'
import { createDirectory } from '../../src/views/open-directory.ts'
import { timed } from '../rigs/measure.ts'
import { searchedHost, searchText } from '../rigs/search-words.ts'
import { drawn, laterRound, type WorldShape, worldHost } from './world.ts'

/** Of one world: milliseconds, or so many a second. */
export interface Reading {
  readonly unit: 'ms' | '/s'
  readonly value: number
}
export type Readings = ReadonlyMap<string, Reading>

const READS = 400
const SEARCHES = 260
const HOMES = 40
const BATCHES = 12
const BATCH = 1000
/** Whatever goes through the whole store is ended after this long. */
const THROUGH_MS = 20_000

const ALL = { q: null, rail: null, network: null, maxPrice: null, result: null, sort: 'host', cursor: null } as const

export async function readWorld(store: Store, shape: WorldShape, note: (text: string) => void): Promise<Readings> {
  const found = new Map<string, Reading>()
  const directory = createDirectory({ store, sources: [], nowUs: () => Date.now() * 1000 })
  const say = (name: string, value: number, unit: Reading['unit'] = '/s'): void => {
    // Too small a world for it.
    if (Number.isNaN(value)) return
    found.set(name, { unit, value })
    note(`${name}: ${value.toFixed(2)} ${unit}`)
  }
  const view = (n: number) => directory.hostView(hostOf(shape, n), { limit: 50, cursor: null })
  say('first look at a host, p50', rank(await each(READS, view), 0.5), 'ms')
  const views = await each(READS, view)
  say('host view, p50', rank(views, 0.5), 'ms')
  say('host view, p99', rank(views, 0.99), 'ms')
  const searches = await each(SEARCHES, (n) => directory.hosts(searched(shape, n)))
  say('search, p50', rank(searches, 0.5), 'ms')
  say('search, p99', rank(searches, 0.99), 'ms')
  say('first home page', (await timed(() => home(directory))).ms, 'ms')
  say('home page, p50', rank(await each(HOMES, () => home(directory)), 0.5), 'ms')
  say('routes enrolled', await enrolled(store, shape))
  say(
    'entries appended',
    await rate(
      shape,
      (n) => laterRound(shape, n, 0),
      (probes) => saveProbes(store, { probes }),
    ),
  )
  const seenAgain = (n: number) =>
    worldHost({ ...shape, entriesPerRoute: 0 }, n)
      .routes.flatMap(({ listings }) => listings)
      .map((row) => ({ ...row, lastUs: row.lastUs + DAY_US }))
  say('listings swept again', await rate(shape, seenAgain, (listings) => saveListings(store, { listings })))
  say('hosts verified', await verified(store))
  say('records exported', await exported(store))
  return found
}

const hostOf = ({ seed, hosts }: WorldShape, n: number): string =>
  searchedHost(Math.floor(drawn(seed, n, 0, 0, 77) * hosts))

const searched = ({ hosts }: WorldShape, n: number): HostQuery => ({
  ...ALL,
  q: searchText(n, hosts),
  sort: 'match',
  limit: 50,
})

const home = (directory: Directory) => directory.home({ ...ALL, sort: 'newest', limit: 50 })

/** How long each one took. */
async function each(times: number, work: (n: number) => Promise<unknown>): Promise<number[]> {
  const taken: number[] = []
  for (let n = 0; n < times; n++) taken.push((await timed(() => work(n))).ms)
  return taken
}

const rank = (times: readonly number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? Number.NaN

/** Batches of hosts that lie anywhere in the store, as probers claim them and pages of a list name them; the first is not counted. */
async function rate<T>(
  { hosts }: WorldShape,
  itemsOf: (n: number) => readonly T[],
  save: (items: readonly T[]) => Promise<unknown>,
): Promise<number> {
  let [next, saved, ms] = [0, 0, 0]
  for (let batch = 0; batch <= BATCHES && next < hosts; batch++) {
    const items: T[] = []
    while (items.length < BATCH && next < hosts) items.push(...itemsOf((next++ * 7919) % hosts))
    const taken = await timed(() => save(items))
    if (batch > 0) [saved, ms] = [saved + items.length, ms + taken.ms]
  }
  return saved / (ms / 1000)
}

/** Gives every route its place in the schedule: all of them, since the schedule is part of what a route takes. */
async function enrolled(store: Store, { hosts }: WorldShape): Promise<number> {
  const vantage = { id: NO_VANTAGE_ID, name: NO_VANTAGE }
  const options = { vantage, methods: ['GET'], intervalUs: DAY_US, nowUs: Date.now() * 1000 } as const
  let routes = 0
  const { ms } = await timed(async () => {
    for (let after: number | null = -1; after !== null; ) {
      const step = await enrol(store, after, options)
      routes += step.routes
      after = step.after
    }
  })
  if (routes < hosts) throw new Error('not every route was enrolled')
  return routes / (ms / 1000)
}

class Enough extends Error {}

/** So many a second, up to its end or to `THROUGH_MS`. */
async function through(work: (count: (n: number) => void) => Promise<unknown>): Promise<number> {
  const started = performance.now()
  let done = 0
  const { ms } = await timed(async () => {
    try {
      await work((n) => {
        done += n
        if (performance.now() - started > THROUGH_MS) throw new Enough()
      })
    } catch (error) {
      if (!(error instanceof Enough)) throw error
    }
  })
  return done / (ms / 1000)
}

const verified = (store: Store): Promise<number> =>
  through((count) =>
    verifyStore(
      store,
      ({ host, what, stored, counted }) => {
        throw new Error(`${host} (${hostKey(host)}): ${what} is ${stored} and should be ${counted}`)
      },
      () => count(1),
    ),
  )

/** As lines, which nobody writes. */
const exported = (store: Store): Promise<number> =>
  through((count) =>
    exportRecords(store, async (records) => count(records.map((record) => JSON.stringify(record)).length)),
  )
