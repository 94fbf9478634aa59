import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing, aProbe, evidence, NOON_US } from '../../../test/support/samples.ts'
import { hostKey } from '../../domain/keys.ts'
import type { Method } from '../../domain/route.ts'
import { saveListings } from '../facts/save-listings.ts'
import { findHostId } from '../host-id.ts'
import { openStore } from '../open.ts'
import { saveProbes } from '../probes/save-probes.ts'
import { NO_VANTAGE_ID, type StoredVantage, storedVantage } from '../probes/vantages.ts'
import type { Store } from '../store.ts'
import { saveEvidence } from '../transfer/save-evidence.ts'
import { nextDueUs } from './due.ts'
import { enrol } from './enrol.ts'
import { firstTurns } from './overdue.ts'
import { countDue, countUnprobeable, isAnyLeft, makeDue } from './round.ts'
import { claimTurns, type EndedTurn, endTurns, giveBackTurns, nextTurnUs, type Turn } from './schedule.ts'

const SECOND_US = 1_000_000
const INTERVAL_US = 6 * 3600 * SECOND_US
const LEASE_US = 60 * SECOND_US
const GET_POST: readonly Method[] = ['GET', 'POST']

const NOWHERE: StoredVantage = { id: NO_VANTAGE_ID, name: '' }

const enrolAll = async (store: Store, nowUs = NOON_US, methods = GET_POST, vantage = NOWHERE): Promise<number> => {
  let routes = 0
  for (let after: number | null = -1; after !== null; ) {
    const step = await enrol(store, after, { vantage, methods, intervalUs: INTERVAL_US, nowUs })
    routes += step.routes
    after = step.after
  }
  return routes
}

const ROUND = { vantageId: NO_VANTAGE_ID, hostIds: null }

let claims = 0
const claim = (
  store: Store,
  nowUs: number,
  mostHosts = 10,
  routesPerHost = 3,
  vantageId = NO_VANTAGE_ID,
): Promise<Turn[]> =>
  claimTurns(store, {
    lease: `claim-${claims++}`,
    vantageId,
    nowUs,
    leaseUs: LEASE_US,
    mostHosts,
    routesPerHost,
    within: null,
  })

/** Every route of the turn was probed at this time. */
const probedAt = (turn: Turn, atUs: number, notBeforeUs = atUs): EndedTurn => ({
  hostId: turn.hostId,
  vantageId: turn.vantageId,
  lease: turn.lease,
  notBeforeUs,
  robots: null,
  routes: turn.routes.map(({ routeId }) => ({
    routeId,
    dueUs: nextDueUs({ hostId: turn.hostId, routeId }, atUs, INTERVAL_US),
    probedUs: atUs,
    result: '402-correct',
    earlyLooks: 0,
  })),
})

const end = (store: Store, turns: readonly EndedTurn[]): Promise<void> =>
  store.write((writer) => endTurns(writer, store.dialect, turns))

const listings = (host: string, n: number) =>
  Array.from({ length: n }, (_, i) => aListing({ host, path: `/${String(i).padStart(5, '0')}` }))

const pathsOf = (turns: readonly Turn[]): string[] => turns.flatMap((turn) => turn.routes.map(({ path }) => path))

onEachEngine('schedule', (engine) => {
  it('gives every route its place once, and finds those that appear later', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: [...listings('a.example', 3), ...listings('b.example', 2)] })
    expect(await enrolAll(store)).toBe(5)
    expect(await enrolAll(store)).toBe(0)
    await saveListings(store, { listings: [aListing({ host: 'a.example', path: '/new' })] })
    expect(await enrolAll(store)).toBe(1)
    expect(await countDue(store, { ...ROUND, cutoffUs: NOON_US })).toBe(6)
  })

  it('never hands out templates or methods that are not sent, until the operator allows them', async () => {
    const store = await engine.open()
    const odd = [
      aListing({ path: '/users/:id' }),
      aListing({ path: '/users/{id}' }),
      aListing({ path: '/users/%7Bid%7D' }),
      aListing({ path: '/quote?symbol=:symbol' }),
      aListing({ path: '/stock/[symbol]' }),
      aListing({ path: '/paid/*' }),
      aListing({ path: '/users/<int:id>' }),
      aListing({ path: '/docs/[[...slug]]' }),
      aListing({ path: '/put', method: 'PUT' }),
      aListing({ path: '/patch', method: 'PATCH' }),
      aListing({ path: '/delete', method: 'DELETE' }),
    ]
    await saveListings(store, { listings: [...odd, aListing({ path: '/get' })] })
    await enrolAll(store)
    expect(pathsOf(await claim(store, NOON_US, 10, 100))).toEqual(['/get'])
    expect(await countUnprobeable(store, ROUND)).toBe(11)
    await enrolAll(store, NOON_US, [...GET_POST, 'PUT'])
    expect(pathsOf(await claim(store, NOON_US + LEASE_US, 10, 100)).toSorted()).toEqual(['/get', '/put'])
    await enrolAll(store, NOON_US, GET_POST)
    expect(pathsOf(await claim(store, NOON_US + 2 * LEASE_US, 10, 100))).toEqual(['/get'])
  })

  it('goes on where an imported history ended, and knows the last class', async () => {
    const store = await engine.open()
    const probes = [aProbe({ atUs: NOON_US - 9, httpStatus: 402 }), aProbe({ atUs: NOON_US, httpStatus: 500 })]
    await saveEvidence(store, evidence({ listings: [aListing()], probes }))
    await enrolAll(store)
    expect(await claim(store, NOON_US)).toEqual([])
    const due = (await nextTurnUs(store, NO_VANTAGE_ID)) ?? 0
    expect(due - NOON_US).toBeGreaterThanOrEqual(INTERVAL_US / 2)
    const [turn] = await claim(store, due)
    expect(turn?.routes).toMatchObject([{ path: '/v1/weather', lastResult: 'failed', earlyLooks: 0 }])
  })

  it('gives back at once what one held that has ended, and nothing of others', async () => {
    const store = await engine.open()
    await saveListings(store, {
      listings: ['a.example', 'b.example', 'c.example'].flatMap((host) => listings(host, 1)),
    })
    await enrolAll(store, NOON_US - INTERVAL_US)
    const [gone] = await claim(store, NOON_US, 1)
    const [alive] = await claim(store, NOON_US, 1)
    const given = {
      ...{ vantageId: NO_VANTAGE_ID, nowUs: NOON_US + 1, leaseUs: LEASE_US, notBeforeUs: NOON_US + SECOND_US },
      isEnded: (lease: string) => lease === gone?.lease,
    }
    await giveBackTurns(store, given)
    // Another may find the same at the same time.
    await giveBackTurns(store, given)
    const held = (turns: readonly Turn[]) => turns.map(({ host }) => host)
    const before = held(await claim(store, NOON_US + SECOND_US - 1))
    const after = held(await claim(store, NOON_US + SECOND_US))
    expect([before.length, after]).toEqual([1, [gone?.host]])
    expect([...before, ...after]).not.toContain(alive?.host)
    // Who was taken for dead and comes back late ends nothing of theirs.
    if (gone) await end(store, [probedAt(gone, NOON_US + 2 * SECOND_US)])
    expect(held(await claim(store, NOON_US + 3 * SECOND_US))).toEqual([])
  })

  it('gives a host to one prober at a time, and back when the lease is over', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: listings('a.example', 2) })
    await enrolAll(store)
    expect(await claim(store, NOON_US)).toHaveLength(1)
    expect(await claim(store, NOON_US + LEASE_US - 1)).toEqual([])
    expect(pathsOf(await claim(store, NOON_US + LEASE_US))).toHaveLength(2)
  })

  it('never gives the same host to two of many claims at once', async () => {
    const options = await engine.empty()
    const stores = await Promise.all([openStore(options), openStore(options), openStore(options)])
    const [store] = stores
    if (!store) throw new Error('no store')
    await saveListings(store, { listings: Array.from({ length: 120 }, (_, i) => listings(`h${i}.example`, 1)).flat() })
    await enrolAll(store)
    const taken = await Promise.all(stores.flatMap((each) => Array.from({ length: 5 }, () => claim(each, NOON_US, 8))))
    const hosts = taken.flat().map(({ host }) => host)
    expect(new Set(hosts).size).toBe(hosts.length)
    const rest = await claim(store, NOON_US, 1000)
    expect(new Set([...hosts, ...rest.map(({ host }) => host)]).size).toBe(120)
    for (const each of stores) await each.close()
  })

  it('does not let a host with thousands of routes starve the others', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: listings('large.example', 5000) })
    await enrolAll(store, NOON_US - 1000)
    const small = Array.from({ length: 40 }, (_, i) => `small-${i}.example`)
    await saveListings(store, { listings: small.flatMap((host) => listings(host, 1)) })
    await enrolAll(store, NOON_US)
    const seen = new Set<string>()
    let large = 0
    const shardOf = (host: string): number => store.dialect.shardOf(hostKey(host))
    const missing = (beside: string): string[] =>
      small.filter((host) => shardOf(host) === shardOf(beside) && !seen.has(host))
    // A claim on a cluster takes hosts of one shard, any of them, and so at times fewer than it may.
    const steps = engine.name === 'citus' ? 60 : 9
    for (let step = 0; step < steps; step++) {
      const nowUs = NOON_US + step * SECOND_US
      const turns = await claim(store, nowUs, 5)
      for (const turn of turns) seen.add(turn.host)
      // After its first turn the large host waits until all others of its shard had theirs; on one machine those are all.
      if (large > 0 && turns.some(({ host }) => host === 'large.example')) expect(missing('large.example')).toEqual([])
      large += turns.filter(({ host }) => host === 'large.example').flatMap(({ routes }) => routes).length
      await end(
        store,
        turns.map((turn) => probedAt(turn, nowUs, nowUs + SECOND_US)),
      )
    }
    expect(small.filter((host) => seen.has(host))).toEqual(small)
    expect(large).toBeGreaterThanOrEqual(3)
    expect(large).toBeLessThanOrEqual(steps * 3)
  })

  it('walks through all routes of a host, the longest due first, none twice', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: listings('a.example', 20) })
    await enrolAll(store)
    const seen: string[] = []
    for (let nowUs = NOON_US; ; nowUs += SECOND_US) {
      const turns = await claim(store, nowUs)
      if (turns.length === 0) break
      seen.push(...pathsOf(turns))
      await end(
        store,
        turns.map((turn) => probedAt(turn, nowUs)),
      )
    }
    expect(seen).toHaveLength(20)
    expect(new Set(seen).size).toBe(20)
  })

  it('leaves a host alone for as long as it asked, also when new routes appear', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: listings('a.example', 5) })
    await enrolAll(store)
    const turns = await claim(store, NOON_US)
    await end(
      store,
      turns.map((turn) => probedAt(turn, NOON_US, NOON_US + 3600 * SECOND_US)),
    )
    await saveListings(store, { listings: [aListing({ host: 'a.example', path: '/new' })] })
    await enrolAll(store)
    const [id] = [await findHostId(store.read, 'a.example')]
    await makeDue(store, NO_VANTAGE_ID, [id ?? -1], NOON_US)
    expect(await claim(store, NOON_US + 3599 * SECOND_US)).toEqual([])
    expect(pathsOf(await claim(store, NOON_US + 3600 * SECOND_US, 10, 100))).toHaveLength(6)
  })

  it('ends a turn once: again changes nothing, and a host that another has claimed stays theirs', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: listings('a.example', 1) })
    await enrolAll(store)
    const [mine] = await claim(store, NOON_US)
    if (!mine) throw new Error('nothing claimed')
    const [theirs] = await claim(store, NOON_US + LEASE_US)
    if (!theirs) throw new Error('nothing claimed')
    await end(store, [probedAt(mine, NOON_US)])
    expect(await claim(store, NOON_US + LEASE_US + 1)).toEqual([])
    const newer = probedAt(theirs, NOON_US + INTERVAL_US)
    await end(store, [newer])
    const due = await nextTurnUs(store, NO_VANTAGE_ID)
    await end(store, [newer])
    await end(store, [probedAt(mine, NOON_US)])
    expect(await nextTurnUs(store, NO_VANTAGE_ID)).toBe(due)
    expect(due).toBe(newer.routes[0]?.dueUs)
  })

  it('sees routes that appear while their host is being visited', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: listings('a.example', 1) })
    await enrolAll(store)
    const turns = await claim(store, NOON_US)
    await saveListings(store, { listings: [aListing({ host: 'a.example', path: '/new' })] })
    await enrolAll(store)
    await end(
      store,
      turns.map((turn) => probedAt(turn, NOON_US, NOON_US + SECOND_US)),
    )
    expect(pathsOf(await claim(store, NOON_US + SECOND_US))).toEqual(['/new'])
  })

  it('keeps to the hosts and the cut-off of a round, and says when it is over', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: [...listings('a.example', 4), ...listings('b.example', 4)] })
    await enrolAll(store)
    const hostIds = [(await findHostId(store.read, 'a.example')) ?? -1]
    const scope = { ...ROUND, cutoffUs: NOON_US, hostIds }
    expect(await countDue(store, scope)).toBe(4)
    const seen: string[] = []
    for (let nowUs = NOON_US; await isAnyLeft(store, scope, nowUs); nowUs += SECOND_US) {
      const options = {
        vantageId: NO_VANTAGE_ID,
        lease: `round-${nowUs}`,
        nowUs,
        leaseUs: LEASE_US,
        mostHosts: 9,
        routesPerHost: 3,
      }
      const turns = await claimTurns(store, { ...options, within: scope })
      seen.push(...turns.map(({ host }) => host))
      await end(
        store,
        turns.map((turn) => probedAt(turn, nowUs)),
      )
    }
    expect(seen).toEqual(['a.example', 'a.example'])
    expect(await countDue(store, scope)).toBe(0)
    await makeDue(store, NO_VANTAGE_ID, hostIds, NOON_US + 9)
    expect(await countDue(store, { ...ROUND, cutoffUs: NOON_US + 9, hostIds })).toBe(4)
  })

  it('has one for every vantage, whose probers share its work, and calls a host from one at a time', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: listings('a.example', 2) })
    await saveProbes(store, { probes: [aProbe({ host: 'a.example', path: '/00000', vantage: 'eu-1' })] })
    const [eu, us] = [await storedVantage(store, 'eu-1'), await storedVantage(store, 'us-1')]
    expect([await storedVantage(store, 'eu-1'), us.id]).toEqual([{ id: 1, name: 'eu-1' }, 2])
    for (const vantage of [eu, us, eu]) await enrolAll(store, NOON_US + 1, GET_POST, vantage)
    // Where it has looked before it goes on; elsewhere everything is due at once.
    expect(await countDue(store, { vantageId: eu.id, cutoffUs: NOON_US + 1, hostIds: null })).toBe(1)
    expect(await countDue(store, { vantageId: us.id, cutoffUs: NOON_US + 1, hostIds: null })).toBe(2)
    const from = (vantage: StoredVantage, nowUs: number) => claim(store, nowUs, 10, 3, vantage.id)
    const [first] = await from(us, NOON_US + 1)
    expect(pathsOf(await from(eu, NOON_US + 1))).toEqual([])
    expect(pathsOf(await from(us, NOON_US + 1))).toEqual([])
    if (first === undefined) throw new Error('the host was due')
    await end(store, [probedAt(first, NOON_US + 2, NOON_US + 3_600 * SECOND_US)])
    // Whom it asked for a rest is its own matter.
    expect(pathsOf(await from(eu, NOON_US + 3))).toEqual(['/00001'])
    expect(pathsOf(await from(us, NOON_US + 3))).toEqual([])
    // A prober that died holds its hosts until its lease is over.
    const later = NOON_US + 3 + LEASE_US
    expect(pathsOf(await from(eu, later))).toEqual(['/00001'])
    expect((await firstTurns(store.read)).map(({ vantage }) => vantage)).toEqual(['eu-1', 'us-1'])
    // Nobody waits for a vantage that is given up.
    const afterUs = NOON_US + 30 * INTERVAL_US
    const [last] = await from(us, afterUs)
    if (last === undefined) throw new Error('the host was due')
    await end(store, [probedAt(last, afterUs)])
    expect((await firstTurns(store.read)).map(({ vantage }) => vantage)).toEqual(['us-1'])
  })
})
