import { describe, expect, it } from 'vitest'
import { observedPrice, priceDifference } from './observed.ts'
import { challenge, NOON_US, probe, route } from './sample-views.ts'

const asked = (price: number | null, network?: string) => probe(402, { challenge: challenge(price, network) })

describe('the observed price of a route', () => {
  it('is what the newest challenge asked, even when newer entries carried none', () => {
    const older = probe(402, { challenge: challenge(30_000), atUs: NOON_US - 2 })
    const view = route('/a', {
      probes: [probe(200), probe(402, { challenge: challenge(20_000), atUs: NOON_US - 1 }), older],
    })
    expect(observedPrice(view)).toEqual({ price: 20_000, atUs: NOON_US - 1 })
  })

  it('is the offer on the listed network, under whichever name the seller writes it', () => {
    const both = {
      offers: [...challenge(5000, 'solana').offers, ...challenge(10_000, 'eip155:8453').offers],
      warnings: [],
    }
    expect(observedPrice(route('/a', { probes: [probe(402, { challenge: both })] }))?.price).toBe(10_000)
  })

  it('is not known when the challenge has no readable price on the rail of the route', () => {
    expect(observedPrice(route('/a', { probes: [asked(null)] }))).toBeNull()
    expect(observedPrice(route('/a', { rail: 'mpp', probes: [asked(10_000)] }))).toBeNull()
    expect(observedPrice(route('/a'))).toBeNull()
  })

  it('is put in words only where it differs from the listed price', () => {
    expect(priceDifference(route('/a', { probes: [asked(10_000)] }))).toBeNull()
    expect(priceDifference(route('/a', { probes: [asked(20_000)] }))).toBe(
      'Machine-observed price 0.020000 in the newest challenge (2026-11-14T12:34:56.123456Z); the listed price is 0.010000.',
    )
    expect(priceDifference(route('/a', { price: null, probes: [asked(0)] }))).toContain('price 0.000000 in the newest')
    expect(priceDifference(route('/a', { price: null, probes: [asked(0)] }))).toContain('no price is listed')
  })
})
