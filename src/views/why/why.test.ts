import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing, aProbe, NOON_US } from '../../../test/support/samples.ts'
import { METHODS } from '../../domain/route.ts'
import { whyPage } from '../../render/html/pages/why.tsx'
import { whyJson } from '../../render/json/why.ts'
import { whyMarkdown } from '../../render/markdown/why.ts'
import { whyLine, whyRouteLines } from '../../render/why-words.ts'
import { saveRefusals } from '../../store/facts/refusals.ts'
import { saveListings } from '../../store/facts/save-listings.ts'
import { saveProbes } from '../../store/probes/save-probes.ts'
import { NO_VANTAGE_ID, storedVantage } from '../../store/probes/vantages.ts'
import { enrol } from '../../store/schedule/enrol.ts'
import { claimTurns, endTurns } from '../../store/schedule/schedule.ts'
import type { Store } from '../../store/store.ts'
import { why } from '../../wire/api/why.ts'
import { NO_RULES, whyOf } from './open-why.ts'
import { HOLDS, type ProbeRules, type WhyView } from './why-view.ts'

const HOST = 'api.seller.example'
const HOUR_US = 3_600_000_000
const SITE = { baseUrl: 'https://tollbook.example' }
const RULES: ProbeRules = { ...NO_RULES, methods: ['GET', 'POST'] }

onEachEngine('why', (engine) => {
  const asked = (store: Store, path: string | null = null, rules = RULES, nowUs = NOON_US + HOUR_US) =>
    whyOf(store, { host: HOST, path }, rules, nowUs)
  const linesOf = (view: WhyView): string[] => view.routes.flatMap((route) => whyRouteLines(view, route))
  const enrolled = async (store: Store, nowUs = NOON_US) =>
    enrol(store, -1, {
      vantage: await storedVantage(store, null),
      methods: ['GET', 'POST'],
      intervalUs: 6 * HOUR_US,
      nowUs,
    })

  it('says of a host that nobody has named that nobody has', async () => {
    const view = await asked(await engine.open())
    expect(whyLine(view)).toBe(`No source has named ${HOST}. tollbook add reads the documents of its seller at once.`)
    expect(why.parse(whyJson(view))).toMatchObject({ routes: [], sources: [], refused: [] })
  })

  it('names the source that refused it, with the reason and the line', async () => {
    const store = await engine.open()
    const items = [
      `line 3: price expected a decimal: https://${HOST}/v1/x`,
      'line 4: price expected a decimal: https://apiXseller.example/v1/x',
    ]
    await store.write((writer) =>
      saveRefusals(
        writer,
        'mine',
        NOON_US,
        items.map((item) => ({ reason: 'bad_record', item })),
      ),
    )
    const view = await asked(store)
    expect(whyLine(view)).toBe(`No source lists ${HOST}; what was refused is told below.`)
    expect(view.refused.map(({ source, reason, item }) => [source, reason, item])).toEqual([
      ['mine', 'bad_record', items[0]],
    ])
    for (const text of [whyMarkdown(SITE, view), whyPage(SITE, view), JSON.stringify(whyJson(view))]) {
      expect(text).toContain('mine refused bad_record: line 3: price expected a decimal')
    }
  })

  it('says who lists a route, when it was probed and when it will be', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: [aListing(), aListing({ source: 'index' })] })
    expect(linesOf(await asked(store)).join('\n')).toContain('not in the schedule yet')
    await saveProbes(store, { probes: [aProbe()] })
    await enrolled(store)
    const view = await asked(store)
    const lines = linesOf(view)
    expect(lines[0]).toMatch(/^bazaar: first named 2026-11-14T12:00:00.000000Z, last named /)
    expect(lines[1]).toMatch(/^index: /)
    expect(lines[2]).toBe('last probed 2026-11-14T12:00:00.000000Z: 402-correct')
    expect(lines[3]).toMatch(/^next probe 2026-11-14T1[5-9]:|^next probe 2026-11-14T2[01]:/)
    expect(whyLine(view)).toBe(`${HOST} is listed and probed.`)
    const late = await asked(store, null, RULES, NOON_US + 24 * HOUR_US)
    expect(linesOf(late)[3]).toMatch(/^due since .*: it waits for a prober; is one running\?$/)
    const json = whyJson(view)
    expect(why.parse(json)).toEqual(json)
  })

  it('leaves the schedule out of what is never probed', async () => {
    const store = await engine.open()
    const never = [aListing({ path: '/v1/{city}' }), aListing({ path: '/v1/x', method: 'DELETE' })]
    await saveListings(store, { listings: [aListing(), ...never] })
    const { routes } = await asked(store, null, RULES)
    expect(Object.fromEntries(routes.map(({ path, holds }) => [path, holds]))).toEqual({
      '/v1/weather': ['unscheduled'],
      '/v1/x': ['method'],
      '/v1/{city}': ['template'],
    })
  })

  it('names everything that holds a route back', async () => {
    const store = await engine.open()
    const paths = ['/v1/weather', '/v1/{city}', '/private']
    const listings = paths.map((path) => aListing({ path }))
    await saveListings(store, { listings: [...listings, aListing({ path: '/v1/x', method: 'PUT' })] })
    await enrolled(store)
    const rules: ProbeRules = { ...RULES, isAllowed: (_robots, _scheme, path) => path !== '/private' }
    const holds = async (some: ProbeRules) =>
      Object.fromEntries((await asked(store, null, some)).routes.map((route) => [route.path, route.holds]))
    expect(await holds(rules)).toEqual({
      '/private': ['robots'],
      '/v1/weather': [],
      '/v1/x': ['method'],
      '/v1/{city}': ['template'],
    })
    expect((await holds({ ...rules, isOptedOut: () => true }))['/v1/weather']).toEqual(['opted_out'])
    const claim = {
      vantageId: NO_VANTAGE_ID,
      lease: 'one',
      nowUs: NOON_US + HOUR_US,
      leaseUs: HOUR_US,
      mostHosts: 9,
      routesPerHost: 9,
    }
    const [turn] = await claimTurns(store, { ...claim, within: null })
    expect((await holds(rules))['/v1/weather']).toEqual(['visit'])
    const ended = { hostId: turn?.hostId ?? 0, vantageId: NO_VANTAGE_ID, lease: 'one', robots: null, routes: [] }
    await store.write((writer) => endTurns(writer, store.dialect, [{ ...ended, notBeforeUs: NOON_US + 9 * HOUR_US }]))
    const view = await asked(store, '/v1/weather', rules)
    expect(view.routes[0]?.holds).toEqual(['pause'])
    expect(linesOf(view)).toContain(
      'not called before 2026-11-14T21:00:00.000000Z: a rest after the last call, or one that the host asked for',
    )
  })

  describe('where several vantages look', () => {
    const PAUSE_US = NOON_US + 20 * HOUR_US
    const enrolledFrom = async (store: Store, name: string, nowUs: number): Promise<number> => {
      const vantage = await storedVantage(store, name)
      await enrol(store, -1, { vantage, methods: ['GET', 'POST'], intervalUs: 6 * HOUR_US, nowUs })
      return vantage.id
    }
    const claimed = async (store: Store, vantageId: number, lease: string) => {
      const claim = { nowUs: NOON_US + HOUR_US, leaseUs: HOUR_US, mostHosts: 9, routesPerHost: 9, within: null }
      const [turn] = await claimTurns(store, { ...claim, vantageId, lease })
      return turn?.hostId ?? 0
    }
    const paused = async (store: Store, vantageId: number, robots: string | null = null) => {
      const lease = `of ${vantageId}`
      const hostId = await claimed(store, vantageId, lease)
      const ended = { hostId, vantageId, lease, robots, routes: [], notBeforeUs: PAUSE_US }
      await store.write((writer) => endTurns(writer, store.dialect, [ended]))
    }
    const opened = async () => {
      const store = await engine.open()
      await saveListings(store, { listings: [aListing()] })
      const ids = [await enrolledFrom(store, 'ap-1', NOON_US), await enrolledFrom(store, 'eu-1', NOON_US)] as const
      return { store, ids }
    }
    const PAUSED = '2026-11-15T08:00:00.000000Z: a rest after the last call, or one that the host asked for'

    it('names the one that a host asked to rest, and says when the others look', async () => {
      const { store, ids } = await opened()
      await paused(store, ids[0])
      const view = await asked(store)
      expect(view.routes[0]).toMatchObject({ holds: [], nextUs: NOON_US })
      expect(linesOf(view)).toContain(`not called from ap-1 before ${PAUSED}`)
      expect(whyLine(view)).toBe(`${HOST} is listed, and due to be probed.`)
      await paused(store, ids[1])
      const both = await asked(store)
      expect(both.routes[0]).toMatchObject({ holds: ['pause'], partly: [], nextUs: PAUSE_US })
      expect(linesOf(both)).toContain(`not called before ${PAUSED}`)
    })

    it('names the one that is at the host, and the one that robots.txt keeps away', async () => {
      const { store, ids } = await opened()
      await claimed(store, ids[0], 'one')
      const visited = linesOf(await asked(store))
      expect(visited).toContain('a prober is at the host from ap-1, until 2026-11-14T14:00:00.000000Z at most')
      expect(visited.join()).toContain('its turn is now')
      const { store: other, ids: others } = await opened()
      await paused(other, others[0], 'no')
      const rules: ProbeRules = { ...RULES, isAllowed: (robots) => robots !== 'no' }
      const view = await asked(other, null, rules)
      expect(view.routes[0]).toMatchObject({ holds: [], nextUs: NOON_US })
      expect(linesOf(view)).toContain('not probed from ap-1: robots.txt of the host forbids the path to Tollbook')
      await paused(other, others[1], 'no')
      expect((await asked(other, null, rules)).routes[0]?.holds).toEqual(['robots', 'pause'])
    })

    it('leaves out one that nobody has worked on for two days', async () => {
      const store = await engine.open()
      await saveListings(store, { listings: [aListing()] })
      await enrolledFrom(store, 'old', NOON_US - 72 * HOUR_US)
      expect((await asked(store)).routes[0]?.nextUs).toBe(NOON_US - 72 * HOUR_US)
      const id = await enrolledFrom(store, 'eu-1', NOON_US)
      expect((await asked(store)).routes[0]?.nextUs).toBe(NOON_US)
      await paused(store, id)
      expect((await asked(store)).routes[0]).toMatchObject({ holds: ['pause'], nextUs: PAUSE_US })
    })
  })

  it('finds the template that stands for a concrete path, and says when none does', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: [aListing({ path: '/v1/{city}' }), aListing({ path: '/v2/x' })] })
    expect((await asked(store, '/v1/oslo')).routes.map(({ path }) => path)).toEqual(['/v1/{city}'])
    const none = await asked(store, '/v3/nothing')
    expect([none.routes, whyLine(none)]).toEqual([[], `Sources list ${HOST}, and none of them ${HOST}/v3/nothing.`])
  })
})

describe('the words of a route', () => {
  it('promise a week between probes of a retired one only from its next probe on', () => {
    const route = {
      ...({ scheme: 'https', method: 'GET', path: '/x', rail: 'x402', address: 'https://a.example/x' } as const),
      ...{ sources: [], last: null, nextUs: NOON_US + HOUR_US, holds: ['retired'] as const, partly: [] },
    }
    const base = { host: 'a.example', path: null, sources: [], refused: [], documents: [], isCut: false }
    const view: WhyView = {
      ...base,
      nowUs: NOON_US,
      methods: ['GET'],
      routes: [],
      pauseUntilUs: null,
      visitUntilUs: null,
    }
    const LAST = ', and no part of what its host is said to do now'
    expect(whyRouteLines(view, route).at(-1)).toBe(
      `retired by its seller: probed once a week after the next probe${LAST}`,
    )
    expect(whyRouteLines(view, { ...route, nextUs: null }).at(-1)).toBe(
      `retired by its seller: probed once a week${LAST}`,
    )
  })

  it('are a line for each source, each hold and each probe, whatever they are', () => {
    const us = fc.integer({ min: 0, max: NOON_US * 2 })
    const route = fc.record({
      ...{ scheme: fc.constant('https' as const), method: fc.constantFrom(...METHODS), path: fc.constant('/x') },
      ...{ rail: fc.constant('x402' as const), address: fc.constant('https://a.example/x') },
      sources: fc.array(
        fc.record({ source: fc.string(), firstUs: us, lastUs: us, goneUs: fc.option(us, { nil: null }) }),
      ),
      last: fc.option(fc.record({ atUs: us, result: fc.constant('failed' as const) }), { nil: null }),
      nextUs: fc.option(us, { nil: null }),
      holds: fc.subarray([...HOLDS]),
      partly: fc.array(
        fc.record({
          ...{ vantage: fc.constantFrom('', 'eu-1'), hold: fc.constantFrom('robots', 'pause', 'visit') },
          untilUs: fc.option(us, { nil: null }),
        }),
      ),
    })
    fc.assert(
      fc.property(route, us, (one, nowUs) => {
        const base = { host: 'a.example', path: null, sources: [], refused: [], documents: [], isCut: false }
        const view: WhyView = { ...base, nowUs, methods: ['GET'], routes: [one], pauseUntilUs: 1, visitUntilUs: 2 }
        const lines = whyRouteLines(view, one)
        const probes = one.nextUs === null ? 1 : 2
        expect(lines).toHaveLength(Math.max(1, one.sources.length) + probes + one.holds.length + one.partly.length)
        expect(lines.every((line) => line.length > 0)).toBe(true)
      }),
    )
  })
})
