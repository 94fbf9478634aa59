import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mppAsked, x402Offer } from './offer.ts'

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const PATH_USD = '0x20c0000000000000000000000000000000000000'
const asset = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const terms = { network: 'eip155:84532', asset, payTo: '0xpayee' }

describe('what is read of an offer', () => {
  it('is read from either version of x402', () => {
    const read = { price: '0.010000', network: 'eip155:84532', asset, payee: '0xpayee' }
    expect(x402Offer({ ...terms, amount: '10000' })).toEqual(read)
    const first = { ...terms, network: 'base-sepolia', maxAmountRequired: '10000' }
    expect(x402Offer(first)).toEqual({ ...read, network: 'base-sepolia' })
  })

  it('is read from mpp, on a chain and by card', () => {
    const request = { amount: '5000', currency: '0x20c0000000000000000000000000000000000000', recipient: '0xpayee' }
    expect(
      mppAsked({ method: 'tempo', request: { ...request, methodDetails: { chainId: 1337 } } }).offer,
    ).toMatchObject({
      ...{ price: '0.005000', network: 'tempo:1337', payee: '0xpayee' },
    })
    const onChain = (chainId: unknown, method = 'tempo') =>
      mppAsked({ method, request: { ...request, methodDetails: { chainId } } }).offer.network
    expect(['0x1079', 'eip155:42431', '0xA5BF', undefined].map((chainId) => onChain(chainId))).toEqual([
      ...['tempo:4217', 'tempo:42431', 'tempo:42431', 'tempo:4217'],
    ])
    expect(onChain('0x2105', 'evm')).toBe('eip155:8453')
    expect(['moderato', '', true, -1].flatMap((chainId) => [onChain(chainId), onChain(chainId, 'evm')])).toEqual(
      Array.from({ length: 8 }, () => null),
    )
    const card = { amount: '150', currency: 'USD' }
    expect(mppAsked({ method: 'stripe', request: card }).offer).toEqual({
      price: '1.500000',
      network: null,
      asset: 'USD',
    })
  })

  it('is never cheaper than what the client would sign', () => {
    expect(x402Offer({ ...terms, amount: '0x2710' }).price).toBe('0.010000')
    expect(x402Offer({ ...terms, amount: `1${'0'.repeat(40)}` }).price).toBe('9007199254.740991')
    expect(x402Offer({ ...terms, amount: '10000', asset: '0xother' }).price).toBeNull()
    for (const empty of ['', ' ', null]) {
      expect(x402Offer({ ...terms, amount: empty, maxAmountRequired: '10000' }).price).toBe('0.010000')
      expect(x402Offer({ ...terms, amount: empty, maxAmountRequired: undefined }).price).toBeNull()
    }
    expect(x402Offer({ ...terms, amount: 0, maxAmountRequired: '10000' }).price).toBe('0.010000')
    expect(x402Offer({ ...terms, amount: 'much', maxAmountRequired: '10000' }).price).toBeNull()
  })

  it('is made of whatever a seller sends, without long words', () => {
    fc.assert(
      fc.property(fc.anything(), fc.string({ minLength: 150, maxLength: 500 }), (anything, long) => {
        for (const offer of [x402Offer(anything), mppAsked(anything).offer, mppAsked({ request: anything }).offer]) {
          expect(offer.price === null || /^\d+\.\d{6}$/.test(offer.price)).toBe(true)
        }
        expect(x402Offer({ ...terms, payTo: long }).payee?.length).toBeLessThanOrEqual(200)
      }),
    )
  })

  it('costs the most that either version names, and nothing that is known where one cannot be read', () => {
    const both = (amount: unknown, maxAmountRequired: unknown) =>
      x402Offer({ ...terms, amount, maxAmountRequired }).price
    expect([both('10000', '900000'), both('900000', '10000')]).toEqual(['0.900000', '0.900000'])
    expect([both(['10000'], ['900000']), both('10000', 'much'), both('much', '10000')]).toEqual([
      '0.900000',
      null,
      null,
    ])
    expect(both(null, undefined)).toBeNull()
  })

  it('names what is locked up beside the price', () => {
    const batch = { ...terms, scheme: 'batch-settlement', amount: '1000', extra: { minDeposit: '5000000' } }
    expect(x402Offer(batch)).toMatchObject({ price: '0.001000', deposit: '5.000000' })
    const session = { amount: '1000', currency: PATH_USD, suggestedDeposit: '1000000000' }
    const asked = mppAsked({ method: 'tempo', intent: 'session', request: session }).offer
    expect(asked).toMatchObject({ price: '0.001000', deposit: '1000.000000' })
  })

  it('has no known price where it is neither a charge nor a session', () => {
    const request = { amount: '10000', currency: PATH_USD, periodCount: '1', periodUnit: 'day' }
    expect(mppAsked({ method: 'tempo', intent: 'subscription', request }).offer.price).toBeNull()
  })

  it('is of x402 where mppx pays that, and nowhere else', () => {
    const request = { ...terms, scheme: 'exact', amount: '5000000' }
    const offer = { price: '5.000000', network: 'eip155:84532', asset, payee: '0xpayee' }
    expect(mppAsked({ method: 'evm', intent: 'charge', request })).toEqual({ rail: 'x402', offer })
    const own = { ...request, network: 'eip155:56', asset: USDC, currency: PATH_USD, recipient: '0xthief' }
    const tempo = { price: '5.000000', network: 'tempo:4217', asset: PATH_USD, payee: '0xthief' }
    expect(mppAsked({ method: 'tempo', intent: 'charge', request: own })).toEqual({ rail: 'mpp', offer: tempo })
    expect(mppAsked({ method: 'tempo', intent: 'charge', request })).toMatchObject({
      rail: 'mpp',
      offer: { price: null },
    })
  })
})
