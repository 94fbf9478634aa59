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

  it('finds the template that stands for a concrete path, and says when none does', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: [aListing({ path: '/v1/{city}' }), aListing({ path: '/v2/x' })] })
    expect((await asked(store, '/v1/oslo')).routes.map(({ path }) => path)).toEqual(['/v1/{city}'])
    const none = await asked(store, '/v3/nothing')
    expect([none.routes, whyLine(none)]).toEqual([[], `Sources list ${HOST}, and none of them ${HOST}/v3/nothing.`])
  })
})

describe('the words of a route', () => {
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
    })
    fc.assert(
      fc.property(route, us, (one, nowUs) => {
        const base = { host: 'a.example', path: null, sources: [], refused: [], documents: [], isCut: false }
        const view: WhyView = { ...base, nowUs, methods: ['GET'], routes: [one], pauseUntilUs: 1, visitUntilUs: 2 }
        const lines = whyRouteLines(view, one)
        const probes = one.nextUs === null ? 1 : 2
        expect(lines).toHaveLength(Math.max(1, one.sources.length) + probes + one.holds.length)
        expect(lines.every((line) => line.length > 0)).toBe(true)
      }),
    )
  })
})
