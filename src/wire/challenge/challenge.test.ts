import { describe, expect, it } from 'vitest'
import { type LiveAnswer, readChallenge, readDemand } from './challenge.ts'
import { WARNING_MEANINGS } from './warnings.ts'

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const SOLANA_USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const TEMPO_USDC = '0x20c000000000000000000000b9537d11c60e8b50'
const PATH_USD = '0x20c0000000000000000000000000000000000000'
const SELLER = '0x1111111111111111111111111111111111111111'
const SOLANA_SELLER = 'Bo4pBpFK9q897sH49ygiQz5HYywUfVpJMqP3vjwiJnv6'
const ADDRESS = 'https://api.example/v1/x'
const NOW_US = Date.UTC(2026, 10, 14) * 1000

const V1 = {
  scheme: 'exact',
  network: 'base',
  maxAmountRequired: '10000',
  resource: ADDRESS,
  payTo: SELLER,
  asset: USDC,
}
const V2 = { scheme: 'exact', network: 'eip155:8453', amount: '10000', payTo: SELLER, asset: USDC }
const version1 = (...accepts: unknown[]) => ({ x402Version: 1, error: 'pay', accepts })
const version2 = (...accepts: unknown[]) => ({ x402Version: 2, resource: { url: ADDRESS }, accepts })

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')
const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const read = (parts: { headers?: LiveAnswer['headers']; body?: unknown; status?: number; url?: string }) =>
  readChallenge({
    url: parts.url ?? `${ADDRESS}?q=1`,
    status: parts.status ?? 402,
    headers: parts.headers ?? [],
    body: Buffer.from(typeof parts.body === 'string' ? parts.body : JSON.stringify(parts.body ?? '')),
    nowUs: NOW_US,
  })
const inHeader = (value: unknown) => read({ headers: [['PAYMENT-REQUIRED', base64(value)]] })
const inBody = (value: unknown) => read({ body: value })

const BASE_OFFER = { rail: 'x402', network: 'base', price: 10_000, asset: USDC, payee: SELLER }
const CAIP_OFFER = { ...BASE_OFFER, network: 'eip155:8453' }

describe('an x402 challenge', () => {
  it('reads an offer on Algorand, whose ids have signs of base64', () => {
    const payTo = 'LOYVFSQ6ZTS2YWUW4GQ5L6VPP2TPIOXWYDACK53CPOHQQHLDMEMKJDXAX4'
    const network = 'algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8='
    const challenge = inHeader(version2({ ...V2, network, payTo, asset: '31566704' }))
    expect(challenge?.offers).toMatchObject([{ network, payee: payTo }])
    expect(challenge?.warnings).not.toContain('malformed')
  })

  it('of version 1 is read from the body', () => {
    expect(inBody(version1(V1))).toEqual({ offers: [BASE_OFFER], warnings: [] })
  })

  it('is known by any of its offers where it states no version, and a bad first one hides none', () => {
    const { payTo: _payTo, ...unpaid } = V1
    for (const bad of [null, 7, 'x', [], [V1], {}])
      expect(inBody({ accepts: [bad, V1] })).toMatchObject({ offers: [BASE_OFFER] })
    expect(inBody({ accepts: [null, V1] })?.warnings).toEqual(['version_missing', 'malformed'])
    expect(inBody({ error: 'pay', accepts: [unpaid, V1] })).toEqual({
      offers: [{ ...BASE_OFFER, payee: null }, BASE_OFFER],
      warnings: ['version_missing', 'missing_field'],
    })
    expect(inBody({ accepts: [null, V2] })).toEqual({
      offers: [CAIP_OFFER],
      warnings: ['version_missing', 'malformed'],
    })
    expect(inBody({ accepts: [null, unpaid, 7] })).toBeNull()
  })

  it('has the amount of the other version’s field where its own is blank, and nowhere else', () => {
    for (const blank of ['', null, undefined]) {
      const one = inBody(version1({ ...V1, maxAmountRequired: blank, amount: '10000' }))
      expect(one).toEqual({ offers: [BASE_OFFER], warnings: ['field_of_other_version'] })
      const two = inHeader(version2({ ...V2, amount: blank, maxAmountRequired: '10000' }))
      expect(two).toEqual({ offers: [CAIP_OFFER], warnings: ['field_of_other_version'] })
      const unsaid = inBody({ accepts: [{ ...V2, maxAmountRequired: blank }] })
      expect(unsaid).toEqual({ offers: [CAIP_OFFER], warnings: ['version_missing'] })
      expect(inBody(version1({ ...V1, amount: blank }))).toEqual({ offers: [BASE_OFFER], warnings: [] })
      const none = inHeader(version2({ ...V2, amount: blank, maxAmountRequired: blank }))
      expect(none).toEqual({ offers: [{ ...CAIP_OFFER, price: null }], warnings: ['missing_field'] })
    }
    for (const own of ['0.01', 'x', ' ', 0.5, {}, false])
      expect(inHeader(version2({ ...V2, amount: own, maxAmountRequired: '10000' }))?.offers).toEqual([
        { ...CAIP_OFFER, price: null },
      ])
  })

  it('of version 2 is read from the header, whatever the header’s case', () => {
    expect(inHeader(version2(V2))).toEqual({ offers: [CAIP_OFFER], warnings: [] })
    expect(read({ headers: [['payment-required', ` ${base64(version2(V2))} `]] })?.offers).toEqual([CAIP_OFFER])
  })

  it('is read from base64url, from plain JSON and from a body, with a warning', () => {
    const odd = { ...version2(V2), error: '???>>>' }
    expect(base64url(odd)).toMatch(/[-_]/)
    expect(read({ headers: [['PAYMENT-REQUIRED', base64url(odd)]] })).toEqual({
      offers: [CAIP_OFFER],
      warnings: ['other_encoding'],
    })
    expect(read({ headers: [['PAYMENT-REQUIRED', JSON.stringify(odd)]] })).toEqual({
      offers: [CAIP_OFFER],
      warnings: ['other_encoding'],
    })
    expect(inBody(version2(V2))).toEqual({ offers: [CAIP_OFFER], warnings: ['version_2_in_body'] })
    expect(read({ headers: [['X-Payment-Required', base64(version2(V2))]] })).toEqual({
      offers: [CAIP_OFFER],
      warnings: ['other_header'],
    })
  })

  it('that stands in header and body gives each offer once', () => {
    const answer = read({
      headers: [['PAYMENT-REQUIRED', base64(version2(V2))]],
      body: version1(V1, { ...V1, maxAmountRequired: '5' }),
    })
    expect(answer).toEqual({ offers: [CAIP_OFFER, { ...BASE_OFFER, price: 5 }], warnings: [] })
  })

  it('gives one offer for each network', () => {
    const solana = { ...V2, network: SOLANA, asset: SOLANA_USDC, payTo: SOLANA_SELLER }
    expect(inHeader(version2(V2, solana))?.offers).toEqual([
      CAIP_OFFER,
      { rail: 'x402', network: SOLANA, price: 10_000, asset: SOLANA_USDC, payee: SOLANA_SELLER },
    ])
  })

  it('keeps the good offers beside bad ones', () => {
    const bad = [null, 'x', 7, [], {}, { network: 5, payTo: {}, asset: [] }, { ...V2, network: 'a b' }]
    const answer = inHeader(version2(...bad, V2))
    expect(answer?.offers).toEqual([{ ...CAIP_OFFER, network: null, price: null }, CAIP_OFFER])
    expect(answer?.warnings).toEqual(['malformed', 'missing_field', 'unknown_asset'])
  })

  it.each([
    ['decimal_amount', { ...V2, amount: '0.01' }, null],
    ['decimal_amount', { ...V2, amount: 0.01 }, null],
    ['number_amount', { ...V2, amount: 10_000 }, 10_000],
    ['malformed', { ...V2, amount: 1e30 }, null],
    ['malformed', { ...V2, amount: '-5' }, null],
    ['malformed', { ...V2, amount: '0x10' }, null],
    ['malformed', { ...V2, amount: '9'.repeat(79) }, null],
    ['missing_field', { ...V2, amount: undefined }, null],
    ['missing_field', { ...V2, amount: '' }, null],
    ['field_of_other_version', { ...V2, amount: undefined, maxAmountRequired: '7' }, 7],
    ['network_of_other_version', { ...V2, network: 'base' }, 10_000],
    ['unknown_asset', { ...V2, asset: SELLER }, null],
    ['unknown_asset', { ...V2, network: 'eip155:1' }, null],
    ['unknown_asset', { ...V2, network: 'constructor:constructor', asset: 'constructor' }, null],
  ])('warns of %s', (warning, item, price) => {
    const answer = inHeader(version2(item))
    expect(answer?.warnings).toContain(warning)
    expect(answer?.offers[0]?.price).toBe(price)
  })

  it('gives no payee that cannot be one, and keeps the rest', () => {
    expect(inHeader(version2({ ...V2, payTo: '' }))).toEqual({
      offers: [{ ...CAIP_OFFER, payee: null }],
      warnings: ['missing_field'],
    })
    for (const payTo of ['0x12', SOLANA_SELLER, `${SELLER}0`])
      expect(inHeader(version2({ ...V2, payTo }))?.warnings).toEqual(['bad_payee'])
    expect(
      inHeader(version2({ ...V2, network: 'keeta:main', asset: 'USDC', payTo: 'keeta_abc' }))?.offers[0]?.payee,
    ).toBe('keeta_abc')
  })

  it('warns of versions that are missing, unknown or in the wrong place', () => {
    expect(inBody({ accepts: [V1] })).toEqual({ offers: [BASE_OFFER], warnings: ['version_missing'] })
    expect(inBody({ accepts: [V2] })).toEqual({ offers: [CAIP_OFFER], warnings: ['version_missing'] })
    expect(inHeader({ ...version2(V2), x402Version: 3 })).toEqual({
      offers: [CAIP_OFFER],
      warnings: ['version_unknown'],
    })
    expect(inHeader(version1(V1))).toEqual({ offers: [BASE_OFFER], warnings: ['version_1_in_header'] })
  })

  it.each([
    [ADDRESS, false],
    [`${ADDRESS}/?other=1#x`, false],
    ['/v1/x', false],
    ['', false],
    ['http://api.example/v1/x', true],
    ['https://api.example/v1/y', true],
    ['https://evil.example/v1/x', true],
    ['https://[', true],
  ])('for the resource %s differs from the called address: %s', (resource, differs) => {
    const warnings = differs ? ['resource_differs'] : []
    expect(inBody(version1({ ...V1, resource }))?.warnings).toEqual(warnings)
    expect(inHeader({ ...version2(V2), resource: { url: resource } })?.warnings).toEqual(warnings)
    expect(inHeader({ ...version2(V2), resource })?.warnings).toEqual(warnings)
  })

  it('that cannot be read leaves a warning, or names no way to pay', () => {
    for (const value of ['', '%%%', 'aGVsbG8=', '{"x402Version":2', 'bnVsbA==', 'W10='])
      expect(read({ headers: [['PAYMENT-REQUIRED', value]] })).toEqual({ offers: [], warnings: ['malformed'] })
    expect(inHeader(version2())).toEqual({ offers: [], warnings: ['no_offers'] })
    expect(inHeader({ ...version2(), accepts: V2 })?.warnings).toEqual(['malformed', 'no_offers'])
  })

  it('in a broken header does not hide the body', () => {
    expect(read({ headers: [['PAYMENT-REQUIRED', '%%%']], body: version1(V1) })).toEqual({
      offers: [BASE_OFFER],
      warnings: ['malformed'],
    })
  })
})

const REQUEST = { amount: '10000', currency: TEMPO_USDC, recipient: SELLER, methodDetails: { chainId: 4217 } }
const MPP_OFFER = { rail: 'mpp', network: 'tempo:4217', price: 10_000, asset: TEMPO_USDC, payee: SELLER }
const payment = (request: unknown, more: Record<string, string> = {}): string => {
  const params = {
    id: 'x',
    realm: 'api.example',
    method: 'tempo',
    intent: 'charge',
    request: base64url(request),
    ...more,
  }
  return `Payment ${Object.entries(params)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}`
}
const NO_STORE = ['Cache-Control', 'private, no-store'] as const
const asked = (...lines: string[]) =>
  read({ headers: [NO_STORE, ...lines.map((line) => ['WWW-Authenticate', line] as const)] })

describe('an mpp challenge', () => {
  it('is read from the header', () => {
    expect(asked(payment(REQUEST, { expires: '2026-11-14T00:05:00.123Z' }))).toEqual({
      offers: [MPP_OFFER],
      warnings: [],
    })
  })

  it('is found among other schemes, several in one line and in several lines', () => {
    const [one, two, three] = ['1', '2', '3'].map((amount) => payment({ ...REQUEST, amount }))
    const answer = asked(
      `L402 macaroon="AGE=", invoice="lnbc1, Payment", ${one}, ${two}`,
      'Basic realm="x"',
      `${three}`,
    )
    expect(answer).toEqual({ offers: [1, 2, 3].map((price) => ({ ...MPP_OFFER, price })), warnings: [] })
  })

  it('says with whom its payee shares, apart from who is to be paid', () => {
    const OTHER = `0x${'e'.repeat(40)}`
    const sharing = (splits: unknown) => {
      const line = payment({ ...REQUEST, methodDetails: { chainId: 4217, splits } })
      const { challenge, sharers } = readDemand({
        ...{ url: 'https://api.example/v1', status: 402, body: new Uint8Array(), nowUs: 0 },
        headers: [NO_STORE, ['WWW-Authenticate', line]],
      })
      expect(challenge?.offers).toEqual([MPP_OFFER])
      return [sharers.map(({ network, payee }) => `${network} ${payee}`), challenge?.warnings]
    }
    const two = [
      { amount: '1', recipient: OTHER },
      { amount: '2', recipient: PATH_USD, memo: '0x' },
    ]
    expect(sharing(two)).toEqual([[`tempo:4217 ${OTHER}`, `tempo:4217 ${PATH_USD}`], []])
    expect(sharing([{ recipient: 'nobody' }, { recipient: OTHER }])).toEqual([[`tempo:4217 ${OTHER}`], ['bad_payee']])
    expect(sharing(undefined)).toEqual([[], []])
    for (const odd of [7, {}, Array.from({ length: 11 }, () => two[0])])
      expect(sharing(odd)).toEqual([[], ['malformed']])
  })

  it('names its network by chain, or by a currency that lives on one network only', () => {
    const networkOf = (request: unknown) => asked(payment(request))?.offers.map((offer) => [offer.network, offer.price])
    expect(networkOf({ ...REQUEST, currency: PATH_USD, methodDetails: { chainId: 42_431 } })).toEqual([
      ['tempo:42431', 10_000],
    ])
    expect(networkOf({ ...REQUEST, methodDetails: { chainId: '4217' } })).toEqual([['tempo:4217', 10_000]])
    expect(networkOf({ ...REQUEST, methodDetails: undefined })).toEqual([['tempo:4217', 10_000]])
    expect(networkOf({ ...REQUEST, methodDetails: { chainId: -1 }, currency: PATH_USD })).toEqual([[null, 10_000]])
    expect(networkOf({ ...REQUEST, methodDetails: { chainId: 42_431 } })).toEqual([['tempo:42431', null]])
    expect(networkOf({ ...REQUEST, methodDetails: null, currency: SELLER })).toEqual([[null, null]])
  })

  it.each([
    ['0xa5bf', 'tempo:42431'],
    ['0x0000A5BF', 'tempo:42431'],
    ['eip155:42431', 'tempo:42431'],
    ['42431', 'tempo:42431'],
    ['0x1079', 'tempo:4217'],
    [null, 'tempo:4217'],
  ])('whose chain is written as %j is on %s', (chainId, network) => {
    const { offers, warnings } = asked(payment({ ...REQUEST, methodDetails: { chainId } })) ?? {}
    expect(offers?.map((offer) => [offer.network, offer.price])).toEqual([
      [network, network === 'tempo:4217' ? 10_000 : null],
    ])
    expect(warnings).not.toContain('malformed')
  })

  it.each([
    ...['moderato', '', ' 4217', '04217', '4217.0', '0x', '0x0', '0xg', 'eip155:', 'eip155:0xa5bf', 'eip155:x', '1e3'],
    ...[0, -1, 4217.5, 1e21, true, [4217], {}, 'solana:4217', '0x100000000000000'],
  ])('whose chain is written as %j is on no network that is known', (chainId) => {
    const challenge = asked(payment({ ...REQUEST, methodDetails: { chainId } }))
    expect(challenge?.offers).toEqual([{ ...MPP_OFFER, network: null, price: null }])
    expect(challenge?.warnings).toContain('malformed')
    const evm = asked(payment({ ...REQUEST, currency: USDC, methodDetails: { chainId } }, { method: 'evm' }))
    expect(evm?.offers).toEqual([{ ...MPP_OFFER, network: null, price: null, asset: USDC }])
    expect(evm?.warnings).toContain('malformed')
  })

  it('whose details cannot be read is on no network that is known', () => {
    for (const methodDetails of ['tempo', 4217, [], true]) {
      const challenge = asked(payment({ ...REQUEST, methodDetails }))
      expect(challenge?.offers).toEqual([{ ...MPP_OFFER, network: null, price: null }])
      expect(challenge?.warnings).toContain('malformed')
    }
  })

  it('by card is priced in cents and has no network', () => {
    const offer = (currency: string) => asked(payment({ amount: '50', currency }, { method: 'stripe' }))
    expect(offer('usd')).toEqual({
      offers: [{ rail: 'mpp', network: null, price: 500_000, asset: 'usd', payee: null }],
      warnings: [],
    })
    expect(offer('jpy')).toMatchObject({ offers: [{ price: null }], warnings: ['unknown_asset'] })
  })

  it('on another EVM chain is priced by that chain’s asset', () => {
    const request = { ...REQUEST, currency: USDC, methodDetails: { chainId: 8453 } }
    expect(asked(payment(request, { method: 'evm' }))?.offers).toEqual([{ ...CAIP_OFFER, rail: 'mpp' }])
  })

  it('by a method unknown here is an offer without a price', () => {
    expect(asked(payment({ invoice: 'lnbc1' }, { method: 'lightning' }))).toEqual({
      offers: [{ rail: 'mpp', network: null, price: null, asset: null, payee: null }],
      warnings: ['unknown_method'],
    })
  })

  it.each([
    ['expired', payment(REQUEST, { expires: '2026-11-13T23:59:59Z' }), 1],
    ['malformed', payment(REQUEST, { expires: 'soon' }), 1],
    ['malformed', payment(REQUEST, { request: '%%%' }), 0],
    ['malformed', payment([REQUEST]), 0],
    ['malformed', `${payment(REQUEST)}, id="again"`, 1],
    ['missing_field', 'Payment id="x", realm="y", method="tempo", intent="charge"', 0],
    ['missing_field', payment({ ...REQUEST, recipient: undefined }), 1],
    ['missing_field', payment({ ...REQUEST, currency: undefined }), 1],
    ['missing_field', payment({ ...REQUEST, amount: undefined }), 1],
    ['decimal_amount', payment({ ...REQUEST, amount: '0.01' }), 1],
    ['bad_payee', payment({ ...REQUEST, recipient: 'acct_1' }), 1],
    ['other_encoding', payment(REQUEST, { request: base64({ ...REQUEST, note: '???' }) }), 1],
  ])('warns of %s and hides no other', (warning, line, offers) => {
    const answer = asked(line, payment({ ...REQUEST, amount: '1' }))
    expect(answer?.warnings).toEqual([warning])
    expect(answer?.offers).toHaveLength(offers + 1)
    expect(answer?.offers.at(-1)).toEqual({ ...MPP_OFFER, price: 1 })
  })

  it('must not be stored by caches', () => {
    const line = ['www-authenticate', payment(REQUEST)] as const
    expect(read({ headers: [line] })?.warnings).toEqual(['no_no_store'])
    expect(read({ headers: [line, ['cache-control', 'no-cache']] })?.warnings).toEqual(['no_no_store'])
    expect(read({ headers: [line, ['cache-control', 'max-age=0'], ['Cache-Control', 'No-Store']] })?.warnings).toEqual(
      [],
    )
  })
})

describe('a 402 answer', () => {
  it('may offer both rails', () => {
    const headers = [
      NO_STORE,
      ['PAYMENT-REQUIRED', base64(version2(V2))],
      ['WWW-Authenticate', payment(REQUEST)],
    ] as const
    expect(read({ headers, body: version1(V1) })).toEqual({ offers: [CAIP_OFFER, MPP_OFFER], warnings: [] })
  })

  it('without any challenge has none, and only a 402 has one', () => {
    for (const body of ['', 'Payment required', '{"error":"payment_required"}', '{"accepts":["x"]}', '[]', 'null'])
      expect(read({ body, headers: [['WWW-Authenticate', 'L402 macaroon="x"']] })).toBeNull()
    expect(read({ status: 401, headers: [['WWW-Authenticate', payment(REQUEST)]], body: version1(V1) })).toBeNull()
    expect(read({ status: 200, headers: [['PAYMENT-REQUIRED', base64(version2(V2))]] })).toBeNull()
  })

  it('is read up to 50 offers and 64 KiB a place', () => {
    const many = Array.from({ length: 60 }, (_, at) => ({ ...V2, amount: String(at + 1) }))
    const answer = inHeader(version2(...many))
    expect(answer?.offers).toHaveLength(50)
    expect(answer?.warnings).toEqual(['too_large'])
    const line = Array.from({ length: 60 }, (_, at) => payment({ ...REQUEST, amount: String(at + 1) })).join(', ')
    expect(asked(line)).toMatchObject({ warnings: ['too_large'], offers: { length: 50 } })
    const padded = { ...version2(V2), error: 'x'.repeat(70_000) }
    expect(inHeader(padded)).toEqual({ offers: [], warnings: ['too_large'] })
    expect(inBody(padded)).toEqual({ offers: [], warnings: ['too_large'] })
    expect(read({ body: JSON.stringify(padded).slice(0, 65_536) })).toEqual({ offers: [], warnings: ['too_large'] })
  })

  it('of 27 kB is read', () => {
    const long = { ...version2(V2), extensions: { note: 'x'.repeat(20_000) } }
    expect(base64(long).length).toBeGreaterThan(27_000)
    expect(inHeader(long)).toEqual({ offers: [CAIP_OFFER], warnings: [] })
  })
})

describe('every warning', () => {
  it('is explained in a sentence', () => {
    for (const [code, meaning] of Object.entries(WARNING_MEANINGS)) {
      expect(code).toMatch(/^[a-z0-9_]+$/)
      expect(meaning).toMatch(/^[A-Z].*\.$|no-store\.$/)
    }
  })
})
