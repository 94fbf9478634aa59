import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PaymentFound } from '../review.ts'
import { type Against, contradictionLine, contradictionsOf } from './contradictions.ts'
import { offerLine, type SeenOffer } from './seen-offer.ts'

const NOON_US = Date.UTC(2026, 10, 14, 12) * 1000
const USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const SELLER = `0x${'a'.repeat(40)}`

const offer = (more: Partial<SeenOffer> = {}, validUntil = NOON_US / 1e6 + 300): SeenOffer => ({
  offer: {
    format: 'eip712',
    terms: {
      ...{ resourceUrl: 'https://a.example/x', scheme: 'exact', network: 'eip155:8453', asset: USDC, payTo: SELLER },
      ...{ amount: '10000', validUntil },
    },
    ...{ signature: '0x', kid: null },
  },
  ...{ check: { by: 'payee', wallet: SELLER }, firstUs: NOON_US, lastUs: NOON_US, ...more },
})
const NOTHING: Against = { listings: [], live: null, payments: [] }
const found = (amount: string, atUs = NOON_US + 1): PaymentFound => ({
  ...{ asset: USDC.toUpperCase().replace('0X', '0x'), amount, payer: '0xp', payee: SELLER, logIndex: 0, atUs },
  ...{ isFinal: true, otherHosts: 0, hasReceipt: false },
})
const paid = (amount: string, atUs?: number): Against => ({
  ...NOTHING,
  payments: [{ network: 'base', transaction: '0xab', found: found(amount, atUs) }],
})
const live = (...prices: number[]): Against => ({
  ...NOTHING,
  live: {
    offers: prices.map((price) => ({ rail: 'x402', network: 'eip155:8453', price, asset: USDC, payee: SELLER })),
    atUs: NOON_US + 1,
  },
})
const lines = (against: Against, seen = offer()) => contradictionsOf([seen], against).map(contradictionLine)

describe('a contradiction', () => {
  it('is a dearer demand, listing or charge while the signed price held, in exact words', () => {
    expect(lines(live(20_000))).toEqual([
      'The seller signed 0.010000 until 2026-11-14 12:05, and 0.020000 was asked for by a live challenge at 2026-11-14 12:00',
    ])
    expect(lines(paid('20000'))).toEqual([
      'The seller signed 0.010000 until 2026-11-14 12:05, and 0.020000 was charged in 0xab at 2026-11-14 12:00',
    ])
    const row = { source: 'bazaar', price: 20_000, network: 'base', firstUs: NOON_US - 9, lastUs: NOON_US + 9 }
    expect(lines({ ...NOTHING, listings: [row] })).toEqual([
      'The seller signed 0.010000 until 2026-11-14 12:05, and 0.020000 was listed by bazaar at 2026-11-14 12:00',
    ])
  })

  it('is none where the signed price can be had, before or after it held, or where nobody stands behind it', () => {
    expect(lines(live(20_000, 10_000))).toEqual([])
    expect(lines(paid('10000'))).toEqual([])
    expect(lines(paid('20000', NOON_US - 1))).toEqual([])
    expect(lines(paid('20000', NOON_US + 301_000_000))).toEqual([])
    const nobody = offer({ check: { by: null, reason: 'its signature is not valid' } })
    expect(lines(live(20_000), nobody)).toEqual([])
    const gone = { source: 'bazaar', price: 20_000, network: 'base', firstUs: 1, lastUs: NOON_US - 1 }
    expect(lines({ ...NOTHING, listings: [gone] })).toEqual([])
  })

  it('is told ten times of a route at most, and once for each source, however much a seller signs and lists', () => {
    const row = (price: number, source: string) => ({
      ...{ source, price, network: 'base', firstUs: NOON_US - 9, lastUs: NOON_US + 9 },
    })
    const rows = Array.from({ length: 200 }, (_, n) => row(20_000 + ((n * 7) % 200), n % 2 ? 'bazaar' : 'own'))
    const once = contradictionsOf([offer()], { ...NOTHING, listings: rows })
    expect(once.map(({ evidence, price }) => [evidence, price])).toEqual([
      ['own', 20_198],
      ['bazaar', 20_199],
    ])
    const against = { ...live(30_000), listings: rows, payments: paid('20000').payments }
    const all = contradictionsOf(
      Array.from({ length: 8 }, () => offer()),
      against,
    )
    expect(all.map(({ kind }) => kind)).toEqual([...Array(8).fill('charged'), 'asked', 'asked'])
  })

  it('never says that a price was broken that is not above the signed one', () => {
    fc.assert(
      fc.property(fc.nat(40_000), fc.integer({ min: -400, max: 400 }), (price, seconds) => {
        const atUs = NOON_US + seconds * 1_000_000
        const all = contradictionsOf([offer()], paid(String(price), atUs))
        expect(all.length === 1).toBe(price > 10_000 && seconds >= 0 && seconds <= 300)
      }),
    )
  })
})

describe('the line of an offer', () => {
  it('says until when it is signed and by whose authority, or why that is not known', () => {
    const terms = `0.010000 on eip155:8453 to ${SELLER}`
    expect(offerLine(offer())).toBe(
      `${terms}: signed by the seller until 2026-11-14 12:05, key authorised by its payee ${SELLER}`,
    )
    expect(offerLine(offer({}, 0))).toContain(': signed by the seller without an end, ')
    expect(offerLine(offer({ check: { by: null, reason: 'its signature is not valid' } }))).toBe(
      `${terms}: not shown to be signed by the seller, its signature is not valid`,
    )
  })
})
