import { describe, expect, it } from 'vitest'
import { mppAsked, x402Offer } from './offer.ts'

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const PATH_USD = '0x20c0000000000000000000000000000000000000'
const asset = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const terms = { network: 'eip155:84532', asset, payTo: '0xpayee' }

describe('what is read of an offer', () => {
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
