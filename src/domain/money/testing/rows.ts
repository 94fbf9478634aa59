import type { Challenge, Offer } from '../../challenge.ts'
import type { Listing } from '../../listing.ts'

export const row = (more: Partial<Listing> = {}): Listing => ({
  source: 'bazaar',
  price: 10_000,
  network: 'base',
  firstUs: 1,
  lastUs: 5,
  ...more,
})
export const offer = (more: Partial<Offer> = {}): Offer => ({
  rail: 'x402',
  network: 'eip155:8453',
  price: 10_000,
  asset: null,
  payee: null,
  ...more,
})
export const asking = (...offers: Offer[]): Challenge => ({ offers, warnings: [] })
