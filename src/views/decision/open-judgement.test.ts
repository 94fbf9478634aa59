import { expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing, aProbe, aRoute, evidence, NOON_US } from '../../../test/support/samples.ts'
import type { Challenge } from '../../domain/challenge.ts'
import { DAY_US } from '../../domain/time/day.ts'
import { judgementJson } from '../../render/json/judgement.ts'
import { judgementMarkdown } from '../../render/markdown/judgement.ts'
import { saveEvidence } from '../../store/transfer/save-evidence.ts'
import { judgement } from '../../wire/api/judgement.ts'
import { type DecideBody, policyIn } from '../../wire/bodies/decide-body.ts'
import { judgementOf } from './open-judgement.ts'

const SITE = { baseUrl: 'https://tollbook.example' }
const HOST = 'api.seller.example'
const SELLER = `0x${'a'.repeat(40)}`
const THIEF = `0x${'b'.repeat(40)}`
const USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const network = 'eip155:8453'

const asking = (payee: string): Challenge => ({
  offers: [{ rail: 'x402', network, price: 10_000, asset: USDC, payee }],
  warnings: [],
})
const question = (more: Partial<DecideBody> = {}): DecideBody => ({
  address: { scheme: 'https', host: HOST, path: '/v1/weather' },
  url: `https://${HOST}/v1/weather`,
  method: 'GET',
  rail: 'x402',
  offer: { price: 10_000, network, asset: USDC, payee: SELLER },
  policy: policyIn(),
  ...more,
})

onEachEngine('an offer held against the store', (engine) => {
  it('counts the days on which live challenges named a payee, and stops at another from the third on', async () => {
    const store = await engine.open()
    const directory = directoryOf(store, [], () => NOON_US)
    const probeAt = async (days: number) => {
      const atUs = NOON_US - days * DAY_US - 1
      const payee = {
        ...aRoute(),
        network,
        payee: SELLER,
        asset: USDC,
        origin: 'challenge',
        firstUs: atUs,
        lastUs: atUs,
      } as const
      // Whoever shares in what the seller is paid is not thereby to be paid.
      const payees = [payee, { ...payee, payee: THIEF, origin: 'split' } as const]
      await saveEvidence(
        store,
        evidence({ listings: [aListing()], payees, probes: [aProbe({ atUs, challenge: asking(SELLER) })] }),
      )
    }
    const found = async () => {
      const { offer } = question()
      const { findings } = await judgementOf(directory, question({ offer: { ...offer, payee: THIEF } }))
      return findings.map(({ code, severity }) => `${severity} ${code}`)
    }
    await probeAt(5)
    await probeAt(0)
    expect(await found()).toEqual(['warn payee_never_seen'])
    await probeAt(2)
    expect(await found()).toEqual(['stop payee_never_seen'])
    expect(await judgementOf(directory, question())).toMatchObject({ allow: true, findings: [] })
  })

  it('answers what GET answers, with findings that lead to their evidence, in both forms', async () => {
    const store = await engine.open()
    const directory = directoryOf(store, [], () => NOON_US)
    await saveEvidence(
      store,
      evidence({ listings: [aListing()], probes: [aProbe({ atUs: NOON_US - 5, challenge: asking(SELLER) })] }),
    )
    const dear = question({ offer: { ...question().offer, price: 20_000 } })
    const view = await judgementOf(directory, dear)
    const json = judgementJson(SITE, view)
    expect(judgement.parse(json)).toEqual(json)
    expect(json).toMatchObject({ allow: false, price: { listed: '0.010000', observed: '0.010000' } })
    expect(json.findings.map(({ code, said, href }) => [code, said, href])).toEqual([
      [
        'price_above_listed',
        'The price of 0.020000 is above the listed 0.010000.',
        `https://tollbook.example/v1/hosts/${HOST}/listing-history`,
      ],
      [
        'price_above_observed',
        'The price of 0.020000 is above the 0.010000 that the newest live challenge asked for (2026-11-14 11:59).',
        `https://tollbook.example/v1/hosts/${HOST}/probes?method=GET&path=%2Fv1%2Fweather&rail=x402`,
      ],
    ])
    expect(judgementMarkdown(SITE, view)).toContain('- **stop** `price_above_listed`: The price of 0.020000')
  })

  it('answers of a host and of a route that nobody has named', async () => {
    const store = await engine.open()
    const directory = directoryOf(store, [], () => NOON_US)
    await saveEvidence(store, evidence({ listings: [aListing()] }))
    const elsewhere = { scheme: 'https', host: 'unknown.example', path: '/' } as const
    const unknown = judgementJson(SITE, await judgementOf(directory, question({ address: elsewhere })))
    expect(judgement.parse(unknown)).toEqual(unknown)
    expect(unknown).toMatchObject({ allow: true, findings: [{ code: 'unknown_host', severity: 'warn' }] })
    const other = { scheme: 'https', host: HOST, path: '/v1/none' } as const
    const unlisted = await judgementOf(directory, question({ address: other }))
    expect(unlisted).toMatchObject({ allow: true, findings: [{ code: 'never_probed' }], decision: undefined })
    expect(judgementMarkdown(SITE, unlisted)).toContain('Allow: nothing stops this payment.')
  })

  it('finds the route of a call that has a query of its own', async () => {
    const store = await engine.open()
    const directory = directoryOf(store, [], () => NOON_US)
    await saveEvidence(store, evidence({ listings: [aListing(), aListing({ path: '' })] }))
    for (const path of ['/v1/weather?city=paris', '/?q=1', '/']) {
      const { decision } = await judgementOf(directory, question({ address: { scheme: 'https', host: HOST, path } }))
      expect([path, decision?.route.path]).toEqual([path, path.startsWith('/v1') ? '/v1/weather' : ''])
    }
  })

  it('finds the route of an offer when the method is not known', async () => {
    const store = await engine.open()
    const directory = directoryOf(store, [], () => NOON_US)
    const listings = [aListing(), aListing({ method: 'POST', price: 50_000 })]
    await saveEvidence(store, evidence({ listings, probes: [aProbe({ challenge: asking(SELLER) })] }))
    const dear = { ...question().offer, price: 50_000 }
    const view = await judgementOf(directory, question({ method: null, offer: dear }))
    expect([view.allow, view.decision?.route.method]).toEqual([true, 'POST'])
    const dearer = await judgementOf(directory, question({ method: null, offer: { ...dear, price: 60_000 } }))
    expect([dearer.allow, dearer.decision?.route.method]).toEqual([true, 'POST'])
  })

  it('lets no route of which less is known overrule one that stops, when the method is not known', async () => {
    const store = await engine.open()
    const directory = directoryOf(store, [], () => NOON_US)
    const payee = { ...aRoute(), network, payee: SELLER, asset: USDC, origin: 'challenge' } as const
    const listings = [
      aListing(),
      aListing({ method: 'DELETE', price: null }),
      aListing({ method: 'POST', path: '/:a/:b', price: 900_000 }),
      aListing({ method: 'PUT', price: 900_000, path: '/v1/both' }),
      aListing({ path: '/v1/both' }),
    ]
    const challenge = asking(SELLER)
    const probes = [aProbe({ challenge }), aProbe({ path: '/v1/both', challenge })]
    const payees = ['/v1/weather', '/v1/both'].map((path) => ({
      ...{ ...payee, path, firstUs: NOON_US - 9 * DAY_US, lastUs: NOON_US },
    }))
    await saveEvidence(store, evidence({ listings, probes, payees }))
    const asked = async (path: string, more: Partial<DecideBody['offer']>) => {
      const address = { scheme: 'https', host: HOST, path } as const
      return judgementOf(directory, question({ address, method: null, offer: { ...question().offer, ...more } }))
    }
    expect((await asked('/v1/weather', { price: 500_000 })).decision?.route.method).toBe('GET')
    for (const path of ['/v1/weather', '/v1/both']) expect((await asked(path, { price: 500_000 })).allow).toBe(false)
    expect((await asked('/v1/weather', {})).allow).toBe(true)
    expect((await asked('/v1/other', { price: 500_000 })).decision?.route.path).toBe('/:a/:b')
  })

  it('means a route of which no source states the method by a call of any', async () => {
    const store = await engine.open()
    const directory = directoryOf(store, [], () => NOON_US)
    const unstated = aListing({ path: '/v1/any', isMethodStated: false })
    const listings = [
      ...[aListing(), unstated, aListing({ method: 'PUT', path: '/v1/any', price: 900_000 })],
      aListing({ method: 'POST', path: '/v1/:template', price: 900_000 }),
    ]
    await saveEvidence(store, evidence({ listings, probes: [aProbe({ path: '/v1/any', challenge: asking(SELLER) })] }))
    const offer = { ...question().offer, price: 500_000 }
    const asked = async (method: DecideBody['method'], path: string) => {
      const address = { scheme: 'https', host: HOST, path } as const
      const { allow, decision } = await judgementOf(directory, question({ address, method, offer }))
      return [allow, decision?.route.method, decision?.route.path]
    }
    expect(await asked('POST', '/v1/any')).toEqual([false, 'GET', '/v1/any'])
    expect(await asked('DELETE', '/v1/./any')).toEqual([false, 'GET', '/v1/any'])
    expect(await asked('PUT', '/v1/any')).toEqual([true, 'PUT', '/v1/any'])
    expect(await asked('POST', '/v1/weather')).toEqual([true, 'POST', '/v1/:template'])
    expect(await asked('DELETE', '/v1/weather')).toEqual([true, undefined, undefined])
  })
})
