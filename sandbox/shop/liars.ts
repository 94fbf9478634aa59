import { payeeOf, sampleAccount } from '../accounts.ts'
import { BASE, bazaar, mpp, route, type SampleSeller, seller } from './seller.ts'
import type { Lie } from './terms.ts'

/** Listed, shown to probers, and asked of buyers unless the lie is about it. */
const PRICE = '0.01'
const DEAR = '0.05'
const PATH = '/quote'

/** Not a dollar that anybody has heard of. */
export const ODD_COIN = '0x20c0000000000000000000000000000000000bad'
/** Where liars lead buyers: no source names it. */
const ELSEWHERE = 'elsewhere.seller.test'

/** A liar tells the same lie on both rails. */
const liar = (name: string, lie: Lie): SampleSeller =>
  seller(name, [
    route('GET', PATH, PRICE, [bazaar(PRICE)], { lie }),
    route('POST', PATH, PRICE, [mpp(PRICE)], { lie, rails: ['mpp'] }),
  ])

export const LIARS = {
  'a price above the listed one': liar('dear-to-buyers', { asks: DEAR }),
  'a payee that changed today': liar('new-wallet', { terms: { payee: sampleAccount('new wallet').address } }),
  'the payee of another host': liar('borrowed-wallet', {
    terms: { payee: payeeOf({ host: 'insider.seller.test' }).address },
  }),
  'another network': seller('other-chain', [
    route('GET', PATH, PRICE, [bazaar(PRICE, 'eip155:8453')], {
      terms: { network: 'eip155:8453' },
      lie: { terms: { network: BASE } },
    }),
    route('POST', PATH, PRICE, [mpp(PRICE, 'tempo:4217')], { rails: ['mpp'] }),
  ]),
  'an unknown asset': liar('odd-coin', { terms: { asset: ODD_COIN } }),
  'a price above what it signed': seller('breaks-its-word', [
    route('GET', PATH, DEAR, [bazaar(DEAR)], { terms: { signs: PRICE } }),
  ]),
  'more than it asked': liar('asks-again', { after: { asks: DEAR } }),
  'an HTTP 500 for the money': liar('fails-after', { after: 500 }),
  'an HTTP 404 for the money': liar('lost-after', { after: 404 }),
  'nothing for the money': liar('silent-after', { after: 'nothing' }),
  'an empty answer for the money': liar('empty-after', { after: 'an empty 200' }),
  'a redirect to another host': liar('leads-away', { leadsTo: ELSEWHERE }),
  'a cheap offer that nobody can pay': liar('decoy', { asks: DEAR, terms: { decoy: PRICE } }),
} as const satisfies Readonly<Record<string, SampleSeller>>
export type LieName = keyof typeof LIARS

/** Sells what liars lead to. */
export const ACCOMPLICE: SampleSeller = seller('elsewhere', [
  route('GET', PATH, PRICE, []),
  route('POST', PATH, PRICE, [], { rails: ['mpp'] }),
])
