import { describe, expect, it } from 'vitest'
import { routeFacts } from '../../domain/money/route-price.ts'
import {
  ADDRESS,
  BASE_OFFER,
  base64,
  base64url,
  CAIP_OFFER,
  inBody,
  inHeader,
  read,
  SELLER,
  V1,
  V2,
  version1,
  version2,
} from './testing/samples.ts'

const SOLANA_USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const SOLANA_SELLER = 'Bo4pBpFK9q897sH49ygiQz5HYywUfVpJMqP3vjwiJnv6'

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

  it.each(['Base Mainnet', 'Base (8453)', ' eip155:8453 ', 8453, '8453', 'base_mainnet'])(
    'is paid on %s',
    (network) => {
      const answer = inBody(version1({ ...V1, network }))
      expect(answer?.offers).toEqual([{ ...BASE_OFFER, network: String(network).trim() }])
      const listed = { source: 'a', price: 10_000, network: 'base', firstUs: 1, lastUs: 1 }
      expect(routeFacts('x402', [listed], answer ?? null).probeStatus).toBe('verified')
      expect(routeFacts('x402', [{ ...listed, price: 1 }], answer ?? null).probeStatus).toBe('differs')
    },
  )

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
