import { expect, it } from 'vitest'
import type { Challenge, Offer } from '../challenge.ts'
import { askedPrices } from './asked-prices.ts'

const offer = (price: number | null, network: string | null, more: Partial<Offer> = {}): Offer => ({
  ...({ rail: 'x402', price, network, asset: null, payee: null } as const),
  ...more,
})
const asking = (...offers: Offer[]): Challenge => ({ offers, warnings: [] })
const seen = (challenge: Challenge, entries: number, firstUs: number, lastUs: number) => ({
  ...{ challenge, entries, firstUs, lastUs },
})

it('A price that is asked for again goes on, under any name of its network.', () => {
  const found = askedPrices('x402', [
    seen(asking(offer(10, 'eip155:8453')), 3, 100, 200),
    seen(asking(offer(20, 'base')), 1, 300, 300),
    seen(asking(offer(10, 'base', { payee: '0x1' })), 2, 400, 500),
  ])
  expect(found).toEqual([
    { price: 10, network: 'base', entries: 5, firstUs: 100, lastUs: 500 },
    { price: 20, network: 'base', entries: 1, firstUs: 300, lastUs: 300 },
  ])
})

it('Each network has prices of its own, one that no dollars are known of among them; other rails have none here.', () => {
  const two = [offer(10, 'base', { asset: '0xa' }), offer(10, 'base', { asset: '0xb' })]
  const challenge = asking(...two, offer(null, 'base'), offer(5, 'solana'), offer(1, null, { rail: 'mpp' }))
  const found = askedPrices('x402', [seen(challenge, 4, 100, 200)])
  expect(found.map(({ price, network, entries }) => [price, network, entries])).toEqual([
    [5, 'solana', 4],
    [10, 'base', 4],
    [null, 'base', 4],
  ])
  expect(askedPrices('mpp', [seen(challenge, 4, 100, 200)])).toMatchObject([{ price: 1, network: null }])
})
