import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { classify } from '../probe.ts'
import { DAY_US } from '../time/day.ts'
import { LATEST_US } from '../time/timestamp.ts'
import { continueRun } from './run.ts'
import { bestSight, continueSights, currentSights, NO_SIGHTS, type Sight, type SightEntry } from './sights.ts'
import { blockedLine, entryNote, isSeenDifferently, otherSights, sightsLine } from './sights-line.ts'
import { BEST_FIRST, isVantage, SHIELDS, seenOf } from './vantage.ts'

const NOON = Date.UTC(2026, 10, 13, 2, 8) * 1000
const HOUR_US = DAY_US / 24

const statuses = fc.constantFrom(null, 200, 402, 403, 404, 429, 500)
const shields = fc.option(fc.constantFrom(...SHIELDS))
const entriesOf = (vantages: fc.Arbitrary<string>, most = 40) =>
  fc.array(
    fc.record({
      vantage: vantages,
      atUs: fc.nat(most).map((hours) => NOON + hours * HOUR_US),
      httpStatus: statuses,
      shield: shields,
    }),
    { maxLength: 40 },
  )
const several = fc.constantFrom('', 'ap-1', 'eu-1', 'us-1')

const sight = (vantage: string, more: Partial<Sight> = {}): Sight => ({
  ...{ vantage, entries: 1, atUs: NOON, sinceUs: NOON, httpStatus: 402, shield: null },
  ...more,
})

describe('what vantages see of a route', () => {
  it('is for one vantage, named or not, the run of its entries', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('', 'eu-1').chain((name) => entriesOf(fc.constant(name))),
        (entries) => {
          const { run, sights } = continueSights(NO_SIGHTS, entries)
          expect(run).toEqual(continueRun(null, entries))
          expect(sights.map((one) => one.entries)).toEqual(entries.length === 0 ? [] : [entries.length])
        },
      ),
    )
  })

  it('is the same in one go and entry by entry, in whatever order those of one moment come', () => {
    fc.assert(
      fc.property(entriesOf(several, 120), (entries) => {
        const times = [...new Set(entries.map(({ atUs }) => atUs))].sort((a, b) => a - b)
        const moments = times.map((us) => entries.filter(({ atUs }) => atUs === us))
        const steps = moments.reduce((state, those) => continueSights(state, those.toReversed()), NO_SIGHTS)
        expect(continueSights(NO_SIGHTS, entries)).toEqual(steps)
      }),
    )
  })

  it('is the best of what is seen now: a route is down when it is down from everywhere', () => {
    fc.assert(
      fc.property(entriesOf(several, 120), (entries) => {
        const { run, sights } = continueSights(NO_SIGHTS, entries)
        if (run === null) return
        const ranks = currentSights(sights).map(({ httpStatus }) => BEST_FIRST[classify(httpStatus)])
        expect(BEST_FIRST[classify(run.httpStatus)]).toBe(Math.min(...ranks))
        expect(run.httpStatus).toBe(bestSight(sights)?.httpStatus)
      }),
    )
    const looks: SightEntry[] = [402, 403, 402, 403, 402].map((httpStatus, n) => ({
      ...{ vantage: httpStatus === 402 ? 'eu-1' : 'ap-1', atUs: NOON + n * HOUR_US, httpStatus, shield: null },
    }))
    const { run, sights } = continueSights(NO_SIGHTS, looks)
    expect(run).toEqual({ httpStatus: 402, sinceUs: NOON, last402Us: NOON + 4 * HOUR_US })
    expect(sights.map(({ vantage, sinceUs, entries }) => [vantage, sinceUs, entries])).toEqual([
      ['ap-1', NOON + HOUR_US, 2],
      ['eu-1', NOON, 3],
    ])
  })

  it('leaves out a vantage that has not looked for a day while others have', () => {
    const state = continueSights(NO_SIGHTS, [
      { vantage: 'eu-1', atUs: NOON, httpStatus: 402, shield: null },
      { vantage: 'ap-1', atUs: NOON + DAY_US, httpStatus: 500, shield: null },
    ])
    expect(state.run?.httpStatus).toBe(402)
    const later = continueSights(state, [{ vantage: 'ap-1', atUs: NOON + DAY_US + 1, httpStatus: 500, shield: null }])
    expect(later.run).toEqual({ httpStatus: 500, sinceUs: NOON + DAY_US + 1, last402Us: NOON })
    expect(sightsLine(later.sights)).toBe(
      'failing from ap-1 since 2026-11-14 02:08 (HTTP 500); not looked at from eu-1 since 2026-11-13 02:08',
    )
  })
})

describe('the sentence of vantages', () => {
  it('says who sees what, the best first, and since when', () => {
    const refused = sight('ap-1', { httpStatus: 403 })
    expect(sightsLine([refused, sight('eu-1'), sight('us-1')])).toBe(
      'requested payment from eu-1 and us-1; refused from ap-1 since 2026-11-13 02:08 (HTTP 403)',
    )
    expect(sightsLine([sight('a'), sight('b'), sight('c')])).toBe('requested payment from a, b and c')
    expect(
      sightsLine([
        sight('a', { httpStatus: null }),
        sight('b', { httpStatus: 503, shield: 'cloudflare' }),
        sight('c', { httpStatus: 500 }),
        sight('d', { httpStatus: 200 }),
      ]),
    ).toBe(
      'answering without payment from d since 2026-11-13 02:08 (HTTP 200); refused from b since 2026-11-13 02:08 (HTTP 503, Cloudflare); failing from c since 2026-11-13 02:08 (HTTP 500); unreachable from a since 2026-11-13 02:08',
    )
    expect(sightsLine([sight('')])).toBe('')
    expect(otherSights([refused, sight('eu-1'), sight('us-1')])).toBe('refused from ap-1')
    expect([isSeenDifferently([refused, sight('eu-1')]), isSeenDifferently([sight('eu-1'), sight('us-1')])]).toEqual([
      true,
      false,
    ])
  })

  it('names every named vantage once and no other, whatever they see', () => {
    const time = fc.integer({ min: 0, max: LATEST_US })
    const sights = fc.uniqueArray(
      fc.record({
        vantage: fc.stringMatching(/^([a-z0-9-]{1,32})?$/),
        entries: fc.nat(),
        atUs: time,
        sinceUs: time,
        httpStatus: fc.option(fc.integer({ min: 100, max: 999 })),
        shield: shields,
      }),
      { selector: ({ vantage }) => vantage, maxLength: 6 },
    )
    fc.assert(
      fc.property(sights, (all) => {
        const line = sightsLine(all)
        expect(line).toMatch(/^[ -~]*$/)
        const words = line
          .split('; ')
          .flatMap((part) => part.split(' from ').slice(1))
          .flatMap((part) => part.split(/, (?![^(]*\))| and /))
          .map((part) => part.split(' since ')[0])
          .filter((word) => word !== '')
        const names = all.map(({ vantage }) => vantage).filter((name) => name !== '')
        expect(words.toSorted()).toEqual(names.toSorted())
        const best = bestSight(all)
        const others = currentSights(all).filter((one) => one.vantage !== '' && best && seenOf(one) !== seenOf(best))
        expect(otherSights(all) === '').toBe(others.length === 0)
      }),
    )
  })
})

describe('blocked and dead', () => {
  it('are told apart in words, and the class stays that of the status', () => {
    const seen = (httpStatus: number | null, shield: (typeof SHIELDS)[number] | null = null) =>
      seenOf({ httpStatus, shield })
    expect([seen(403), seen(429), seen(503, 'akamai'), seen(202, 'aws-waf')]).toEqual(Array(4).fill('blocked'))
    expect([seen(402, 'cloudflare'), seen(401), seen(500), seen(null), seen(200)]).toEqual([
      ...['402-correct', 'failed', 'failed', 'unreachable', 'answers'],
    ])
    expect(blockedLine({ httpStatus: 403, shield: null })).toBe(
      'Blocked, not dead: the host answers and turns this directory away (HTTP 403).',
    )
    expect(blockedLine({ httpStatus: 503, shield: 'human' })).toContain('turns this directory away by HUMAN (HTTP 503)')
    fc.assert(
      fc.property(fc.option(fc.integer({ min: 100, max: 999 })), shields, (httpStatus, shield) => {
        const isBlocked = seenOf({ httpStatus, shield }) === 'blocked'
        expect(blockedLine({ httpStatus, shield }) !== null).toBe(isBlocked)
        if (!isBlocked) expect(seenOf({ httpStatus, shield })).toBe(classify(httpStatus))
      }),
    )
  })

  it('are said beside an entry with its place', () => {
    expect(entryNote({ vantage: 'eu-1', shield: 'vercel' })).toBe('from eu-1, stopped by Vercel')
    expect([entryNote({ vantage: null, shield: 'imperva' }), entryNote({})]).toEqual(['stopped by Imperva', null])
  })
})

describe('the name of a vantage', () => {
  it('is 1 to 32 small letters, digits and hyphens', () => {
    fc.assert(fc.property(fc.stringMatching(/^[a-z0-9-]{1,32}$/), (name) => void expect(isVantage(name)).toBe(true)))
    for (const name of ['', 'EU', 'eu_1', 'eu 1', 'a'.repeat(33), 'eu-1\n', 'é']) expect(isVantage(name)).toBe(false)
  })
})
