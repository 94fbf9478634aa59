import { describe, expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aChallenge, aListing, aProbe, aReview, aRoute, evidence, NOON_US } from '../../../test/support/samples.ts'
import { DAY_US } from '../../domain/time/day.ts'
import { unknowns } from '../../render/decision-words.ts'
import { decisionJson } from '../../render/json/decision.ts'
import { decisionMarkdown } from '../../render/markdown/decision.ts'
import { hostCheck } from '../../render/now/now-words.ts'
import { saveListings } from '../../store/facts/save-listings.ts'
import { retain } from '../../store/probes/retention.ts'
import { saveEvidence } from '../../store/transfer/save-evidence.ts'
import { decision } from '../../wire/api/decision.ts'

const SITE = { baseUrl: 'https://tollbook.example' }
const HOST = 'api.seller.example'
const asked = { scheme: 'https', method: 'GET', path: '/v1/weather', rail: 'x402' } as const

onEachEngine('what is known before paying', (engine) => {
  it('counts a route’s entries by class over a day, a week and a month, with exact medians', async () => {
    const store = await engine.open()
    const at = (days: number, httpStatus: number | null, latencyMs: number) =>
      aProbe({ atUs: NOON_US - days * DAY_US, httpStatus, latencyMs })
    await saveEvidence(
      store,
      evidence({
        listings: [aListing(), aListing({ path: '/other' })],
        probes: [
          aProbe({ atUs: NOON_US - 1, latencyMs: 100, challenge: aChallenge(20_000) }),
          at(0.5, 200, 201),
          at(3, 404, 50),
          at(6.9, null, 10_000),
          at(29, 402, 80),
          at(31, 402, 1),
          aProbe({ path: '/other', atUs: NOON_US - 5, latencyMs: 7 }),
        ],
      }),
    )
    const view = await directoryOf(store, [], () => NOON_US).decision(HOST, asked)
    expect(view?.windows).toEqual([
      {
        name: '24 h',
        sinceUs: NOON_US - DAY_US,
        results: { answers: 1, '402-correct': 1, failed: 0, unreachable: 0 },
        latency: { samples: 2, minMs: 100, medianMs: 150.5, p95Ms: 201, maxMs: 201 },
      },
      {
        name: '7 d',
        sinceUs: NOON_US - 7 * DAY_US,
        results: { answers: 1, '402-correct': 1, failed: 1, unreachable: 1 },
        latency: { samples: 4, minMs: 50, medianMs: 150.5, p95Ms: 10_000, maxMs: 10_000 },
      },
      {
        name: '30 d',
        sinceUs: NOON_US - 30 * DAY_US,
        results: { answers: 1, '402-correct': 2, failed: 1, unreachable: 1 },
        latency: { samples: 5, minMs: 50, medianMs: 100, p95Ms: 10_000, maxMs: 10_000 },
      },
    ])
  })

  it('counts reviews by level and rating, and leaves out excluded and superseded ones', async () => {
    const store = await engine.open()
    const by = (id: string, rating: number, more = {}) => aReview({ id, rating, wallet: `0x${id.repeat(40)}`, ...more })
    await saveEvidence(
      store,
      evidence({
        listings: [aListing()],
        reviews: [
          by('1', 5, { level: 'Verified buyer' }),
          by('2', 5),
          by('3', 2),
          by('4', 1, { excluded: 'founder' }),
          by('5', 1, { wallet: `0x${'3'.repeat(40)}`, submittedUs: NOON_US - 1 }),
        ],
      }),
    )
    const view = await directoryOf(store, [], () => NOON_US).decision(HOST, asked)
    expect(view?.reviews).toEqual({
      byLevel: [
        { level: 'Verified buyer', ratings: [0, 0, 0, 0, 1] },
        { level: 'Signed', ratings: [0, 1, 0, 0, 1] },
        { level: 'Unsigned', ratings: [0, 0, 0, 0, 0] },
      ],
      excluded: 1,
    })
  })

  it('says that the listed price is asked on another network, on every engine and view', async () => {
    const store = await engine.open()
    await saveEvidence(
      store,
      evidence({
        listings: [aListing({ network: 'base' })],
        probes: [aProbe({ atUs: NOON_US, challenge: aChallenge(10_000, 'eip155:84532') })],
      }),
    )
    const directory = directoryOf(store, [], () => NOON_US)
    const view = await directory.decision(HOST, asked)
    const markdown = view && decisionMarkdown(SITE, view)
    expect(markdown).toContain('- price differs: no\n- probe status: differs')
    expect(markdown).toContain(') asks on `eip155:84532`, listed on `base`.')
    const host = await directory.hostView(HOST, { limit: 50, cursor: null })
    expect(host && hostCheck(host.check, 1)).toBe('differs, asks on eip155:84532, listed on base')
  })

  it('says that it is asked on another rail alone, and nothing of one that is asked on beside its own', async () => {
    const store = await engine.open()
    const [other] = aChallenge(10_000, 'tempo:4217').offers.map((offer) => ({ ...offer, rail: 'mpp' }) as const)
    if (other === undefined) throw new Error('there is one offer')
    const unread = aChallenge(10_000).offers.map((offer) => ({ ...offer, price: null }))
    const challenges = [
      { offers: [other], warnings: [] },
      { offers: [...unread, other], warnings: [] },
    ]
    const said: unknown[] = []
    for (const [day, challenge] of challenges.entries()) {
      const probes = [aProbe({ atUs: NOON_US + day, challenge })]
      await saveEvidence(store, evidence({ listings: [aListing()], probes }))
      const view = await directoryOf(store, [], () => NOON_US).decision(HOST, asked)
      said.push([view?.route.probeStatus, view && unknowns(view)[0]])
    }
    expect(said).toEqual([
      ['differs', 'The price that is really asked for on x402: the newest challenge asks on mpp.'],
      ['unverified', 'The price that is really asked for: no live challenge with one was read.'],
    ])
  })

  it('says that no source names the route any more', async () => {
    const store = await engine.open()
    const words = 'Whether it is still offered: no source names it any more.'
    const told: (boolean | undefined)[] = []
    for (const goneUs of [null, NOON_US + 9]) {
      await saveListings(store, { listings: [aListing({ goneUs })] })
      const view = await directoryOf(store, [], () => NOON_US).decision(HOST, asked)
      told.push(view && unknowns(view).includes(words))
    }
    expect(told).toEqual([false, true])
  })

  it('does not say that there was no probe where its entry is not kept any more', async () => {
    const store = await engine.open()
    const told = async (nowUs: number) => {
      const view = await directoryOf(store, [], () => nowUs).decision(HOST, asked)
      return view && unknowns(view).filter((line) => line.includes('no probe'))
    }
    const probedUs = Date.UTC(2026, 7, 20) * 1000
    const nowUs = Date.UTC(2026, 8, 3) * 1000
    await saveEvidence(store, evidence({ listings: [aListing()], probes: [aProbe({ atUs: probedUs })] }))
    await retain(store, nowUs, 1)
    expect(await told(nowUs)).toEqual(['How it answered today: no probe in the last 24 hours.'])
    expect(await told(nowUs + 30 * DAY_US)).toEqual(['How it answers now: no probe in the last 30 days.'])
  })

  it('looks at a thousand payees of each source and origin, whoever names how many', async () => {
    const store = await engine.open()
    const seen = { network: 'base', payee: '0xseller', asset: null, firstUs: NOON_US, lastUs: NOON_US } as const
    await saveListings(store, { listings: [aListing()], payees: [{ ...aRoute(), ...seen, origin: 'challenge' }] })
    const row = await store.read.selectFrom('payees').selectAll().executeTakeFirstOrThrow()
    const listed = Array.from({ length: 1100 }, (_, n) => ({
      ...{ ...row, origin: 'listing' as const, payee: `0x${n}`, payee_key: `0x${n}`, last_us: NOON_US + n + 1 },
      source: n === 0 ? 'bazaar' : 'restless',
    }))
    await store.write((writer) => writer.insertInto('payees').values(listed).execute())
    const view = await directoryOf(store, [], () => NOON_US).decision(HOST, asked)
    expect(view?.payeesTotal).toBe(1101)
    expect(view?.payees[0]?.lastUs).toBe(NOON_US + 1100)
    const { payees = [] } = view?.known ?? {}
    expect([payees.length, payees.at(-1)?.origin]).toEqual([1002, 'challenge'])
    expect(payees.at(-2)?.payee).toBe('0x0')
  })

  it('finds the template of a concrete address, shows payees and knows what it does not know', async () => {
    const store = await engine.open()
    const path = '/v1/city/:name'
    await saveListings(store, {
      listings: [aListing({ path, price: null })],
      payees: [
        {
          ...aRoute({ path }),
          ...{ network: 'base', payee: '0xpayee`\n# evil', asset: '0xasset', origin: 'listing' },
          ...{ firstUs: NOON_US - DAY_US, lastUs: NOON_US },
        },
      ],
    })
    const directory = directoryOf(store, [], () => NOON_US)
    const view = await directory.decision(HOST, { ...asked, path: '/v1/city/paris' })
    if (view === undefined) throw new Error('the route is listed')
    const json = decisionJson(SITE, view)
    expect(decision.parse(json)).toEqual(json)
    expect(json).toMatchObject({
      asked: { url: `https://${HOST}/v1/city/paris` },
      route: { address: `https://${HOST}${path}`, is_template: true },
      price: { listed: null, observed: null, differs: null },
      payees: { untrusted: true, total: 1, seen: [{ network: 'base', named_by: 'listing' }] },
    })
    expect(json.unknown).toEqual([
      'The listed price: no source states one in a known dollar.',
      'The price that is really asked for: no live challenge with one was read.',
      'How it answers: a path with parameters is never probed.',
      'What buyers say: there is no agent review of this route.',
      'What a paid call brings: probes never pay, so only reviews can tell.',
    ])
    const markdown = decisionMarkdown(SITE, view)
    expect(markdown).toContain(`Listed as \`https://${HOST}${path}\``)
    expect(markdown).toMatch(/asset 0xasset, named by a listing, first seen 2026-11-13\S*.*, last seen 2026-11-14/)
    // Inside its fence: a stranger's heading is none of ours.
    expect(
      markdown
        .split('```')
        .filter((_, index) => index % 2 === 0)
        .join(''),
    ).not.toContain('# evil')
    expect(await directory.decision(HOST, { ...asked, path: '/v1/none' })).toBeUndefined()
    expect(await directory.decision('unknown.example', asked)).toBeUndefined()
  })

  it('is of the listed route of a call with a query of its own, and says what was asked', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: [aListing()] })
    const view = await directoryOf(store, [], () => NOON_US).decision(HOST, {
      ...asked,
      path: '/v1/weather?city=paris',
    })
    expect([view?.asked.path, view?.route.path]).toEqual(['/v1/weather?city=paris', '/v1/weather'])
  })
})

describe('a decision in words', () => {
  it('never holds a score', () => {
    expect(Object.keys(decision.shape)).toEqual([
      'asked',
      'host',
      'route',
      'evidence_label',
      'now',
      'retired',
      'price',
      'signed_offers',
      'contradictions',
      'probes',
      'reviews',
      'payees',
      'unknown',
    ])
  })
})
