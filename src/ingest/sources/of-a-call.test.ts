import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseOpenapi } from './openapi.ts'
import { USDC_ON_BASE } from './testing/accounts.ts'
import { parseWellKnown } from './well-known.ts'

const CENT = 10_000
const base = 'https://shop.example/.well-known/x402'

type Said = Record<string, unknown>

const wellKnown = (document: Said) => parseWellKnown(document, { allow: [], base })
const openapi = (info: Said) =>
  parseOpenapi({ openapi: '3.1.0', paths: { '/a': { get: { 'x-payment-info': info } } } }, { allow: [], base })

/** Where a seller may state a price with what stands beside it. */
const PLACES = {
  route: (said: Said) => wellKnown({ resources: [{ path: '/a', ...said }] }),
  payment: (said: Said) => wellKnown({ resources: [{ path: '/a', payment: said }] }),
  price: ({ price, ...beside }: Said) =>
    wellKnown({ resources: [{ path: '/a', price: { amount: price, ...beside } }] }),
  document: (said: Said) => wellKnown({ ...said, resources: ['/a'] }),
  operation: (said: Said) => openapi({ protocols: ['x402'], ...said }),
  'price of an operation': ({ price, ...beside }: Said) =>
    openapi({ protocols: ['x402'], price: { amount: price, ...beside } }),
}
const ALL = Object.keys(PLACES) as (keyof typeof PLACES)[]
const INSIDE = ['payment', 'price', 'price of an operation'] as const

const PRICES = ['$0.01', '0.01', 0.01, '0.01 USDC'] as const
/** Without a sign of dollars. */
const BARE = ['0.01', 0.01] as const

const pricesOf = (place: keyof typeof PLACES, said: Said) => PLACES[place](said).listings.map(({ price }) => price)

const crossed = (places: readonly (keyof typeof PLACES)[], prices: readonly unknown[], beside: readonly Said[]) =>
  places.flatMap((place) => prices.flatMap((price) => beside.map((said) => ({ place, said: { price, ...said } }))))

const both =
  (...names: readonly string[]) =>
  (value: unknown) =>
    names.map((name) => ({ [name]: value }))

describe('a price that is not that of one call', () => {
  const units = ['month', 'per month', 'year', '1000 calls', 'per 1k requests', 'token', 'per_token', 'minute', 1000]
  const models = ['monthly', 'subscription', 'per_month', 'prepaid credits', 'annual', 'per_token']
  const everywhere: Said[] = [
    ...units.flatMap(both('unit', 'per', 'priceUnit')),
    ...models.flatMap(both('billing', 'pricing_model', 'billingCycle', 'billing_period')),
    ...[{ plan: 'monthly' }, { recurring: true }, { recurring: { interval: 'month' } }, { subscription: true }],
  ]
  const inside: Said[] = [
    ...['month', 'monthly', '1 year'].flatMap(both('interval', 'period')),
    ...[
      { plan: 'pro' },
      { credits: 1000 },
      { calls: 1000 },
      { requests: '500' },
      { pack: 100 },
      { frequency: 'monthly' },
    ],
    ...[{ units: 'ETH' }, { quantity: 10 }],
  ]

  it('is no data', () => {
    const wrong = [...crossed(ALL, PRICES, everywhere), ...crossed(INSIDE, PRICES, inside)].filter(
      ({ place, said }) => pricesOf(place, said).join() !== '',
    )
    expect(wrong).toEqual([])
  })

  it('is told from one that is, and from words about what is sold', () => {
    const beside: Said[] = [
      ...[{ unit: 'call' }, { per: 'request' }, { per: 1 }, { billing: 'pay-per-call' }, { type: 'http' }],
      ...[{ model: 'grok-3' }, { credits: 1 }, { recurring: false }, { subscription: false }, { interval: '5m' }],
    ]
    const ofRoute: Said[] = [
      ...[{ units: 'metric' }, { frequency: 'monthly' }, { calls: 1000 }, { credits: 2 }, { interval: 'month' }],
      { period: '1 year' },
    ]
    const wrong = [...crossed(ALL, PRICES, beside), ...crossed(['route'], PRICES, ofRoute)].filter(
      ({ place, said }) => pricesOf(place, said).join() !== `${CENT}`,
    )
    expect(wrong).toEqual([])
  })

  it('does not come from the plans beside a route', () => {
    const price = fc.constantFrom('$9.99', 9.99, '9.99', 29)
    const plan = price.chain((value) =>
      fc.constantFrom<Said>(
        ...[{ plans: [{ name: 'pro', price: value }] }, { plans: { pro: value } }, { subscription: { price: value } }],
        ...[{ monthly_usd: value }, { pricePerMonth: value }, { price_per_1000_calls: value }, { minTopUp: value }],
        ...[{ min_topup_usd: value }, { deposit_usd: value }, { deposit: value }, { credits_pack: value }],
        ...[{ usd_per_token: value }, { pricing: { monthly: value } }, { payment: { deposit_usd: value } }],
      ),
    )
    fc.assert(
      fc.property(plan, fc.constantFrom('route', 'document', 'payment'), (said, place) => {
        expect(pricesOf(place, said)).toEqual([null])
        expect(pricesOf(place, { price: '$0.01', ...said })).toEqual([CENT])
      }),
    )
  })
})

describe('a price in a coin', () => {
  const coins = ['ETH', 'SOL', 'BTC', 'sats', 'EUR', 'GBP', 'USDT', 'credits', '$SPX', 'MATIC', 'lamports']
  const names = [
    ...['currency', 'token', 'coin', 'symbol', 'denom', 'paid_in', 'tokenName', 'price_currency', 'priceToken'],
    ...['payment_token', 'paymentToken', 'paymentCurrency', 'settlement_asset', 'acceptedToken', 'cost_currency'],
  ]

  it('is no dollar, whatever names the coin', () => {
    const beside: Said[] = coins.flatMap((coin) => [
      ...both(...names)(coin),
      ...both('currencies', 'acceptedTokens', 'payment_currencies')([coin]),
      ...both('payment')({ currency: coin }),
    ])
    const wrong = crossed(ALL, [...BARE, '10000', 5], beside).filter(
      ({ place, said }) => pricesOf(place, said).join() !== '',
    )
    expect(wrong).toEqual([])
  })

  it('is none in its own words', () => {
    const texts = [
      ...['0.001 ETH', '0.5 SOL', '100 sats', '5 EUR', '€5', '£5', '5 credits', '1 XRP', '1 cent', 'A$1', '10 gwei'],
      ...['$9.99/month', '$5 per 1000 calls', '$0.001 per token', '$10 for 100 calls', 'from $0.01', '$10 deposit'],
    ]
    const wrong = crossed(ALL, texts, [{}]).filter(({ place, said }) => pricesOf(place, said).join() !== '')
    expect(wrong).toEqual([])
  })

  it('is told from dollars by the same names', () => {
    const dollars = ['USDC', 'USD', 'usdc'].flatMap((coin) => [
      ...both(...names)(coin),
      ...both('currencies', 'acceptedTokens')(['ETH', coin]),
    ])
    const wrong = crossed(ALL, BARE, dollars).filter(({ place, said }) => pricesOf(place, said).join() !== `${CENT}`)
    expect(wrong).toEqual([])
    const said = { price: '0.01', currency: 'USD', payment_token: 'ETH' }
    expect(ALL.flatMap((place) => pricesOf(place, said))).toEqual(ALL.map(() => CENT))
  })

  it('has the asset that is paid in by its address', () => {
    const { listings } = PLACES.route({ amount: '10000', paymentToken: USDC_ON_BASE, network: 'base' })
    expect(listings.map(({ price }) => price)).toEqual([CENT])
  })
})
