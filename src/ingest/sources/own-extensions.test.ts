import { describe, expect, it } from 'vitest'
import { parseOpenapi } from './openapi.ts'
import { USDC_ON_BASE, WALLET } from './testing/accounts.ts'

const context = { allow: [], base: 'https://shop.example/openapi.json' }
const asset = USDC_ON_BASE
const CENT = 10_000
const ON_BASE = { network: 'eip155:8453', asset, payTo: WALLET }
const accept = { scheme: 'exact', ...ON_BASE, amount: '10000' }

/** What is read of `GET /x`: rows as rail, price, network and payee; or why there are none. */
function read(operation: object, document: object = {}) {
  const { listings, refused } = parseOpenapi(
    { openapi: '3.1.0', paths: { '/x': { get: operation } }, ...document },
    context,
  )
  return [
    ...listings.map(({ rail, price, network, payees }) => [rail, price, network, payees[0]?.payee ?? null]),
    ...refused.map(({ reason }) => reason),
  ]
}

const PAID = [['x402', CENT, 'eip155:8453', WALLET]]
const PRICED = [['x402', CENT, null, null]]

/** Every way in which sellers write a cent by x402 on Base in one extension. */
const TERMS: readonly object[] = [
  { price: '$0.01', network: 'eip155:8453', payTo: WALLET },
  { price: '0.01 USDC', network: 'eip155:8453', payTo: WALLET },
  { price_usdc: 0.01, network: 'eip155:8453', payTo: WALLET, asset: 'USDC' },
  { priceUsd: 0.01, ...ON_BASE },
  { price: '$0.01', priceMicros: 10_000, network: 'eip155:8453', payTo: WALLET, asset: 'USDC' },
  { amount: '$0.01', network: 'eip155:8453', payTo: WALLET, asset: 'USDC' },
  { scheme: 'exact', amountAtomic: '10000', ...ON_BASE },
  { x402Version: 2, scheme: 'exact', amount: '10000', ...ON_BASE },
  { price_atomic: '10000', tag: 'x', ...ON_BASE },
  { enabled: true, price: { amount: '10000', network: 'eip155:8453' }, asset, payTo: WALLET },
  { x402Version: 2, accepts: [accept] },
  { priceUsd: 0.05, accepts: [accept] },
]

describe('terms of x402 in extensions of a seller’s own', () => {
  it.each(TERMS)('are read under every name: %j', (terms) => {
    for (const name of ['x-x402', 'x-402', 'x402', 'x-x402-payment', 'X-X402'])
      expect([name, read({ [name]: terms })]).toEqual([name, PAID])
    for (const name of ['x-payment', 'x-payments', 'x-pricing', 'x-price'])
      expect([name, read({ [name]: { protocol: 'x402', ...terms } })]).toEqual([name, PAID])
  })

  it.each([
    [{ 'x-x402-price': '$0.01' }, PRICED],
    [{ 'x-x402-price': 0.01 }, PRICED],
    [{ 'x-x402-price-usd': 0.01, 'x-price-usd': '$0.01' }, PRICED],
    [{ 'x-price': '$0.01', 'x-payment': 'x402' }, PRICED],
    [{ 'x-price': '0.01', 'x-currency': 'USDC', 'x-payment': { protocol: 'x402' } }, PRICED],
    [{ 'x-x402': [accept] }, PAID],
    [{ 'x-x402-price': '$0.01', 'x-x402-network': 'eip155:8453', 'x-x402-pay-to': WALLET }, PAID],
    [{ 'x-price': '$0.01', 'x-payment': { scheme: 'exact', network: 'eip155:8453', payTo: WALLET } }, PAID],
    [{ 'x-x402-price': { amount: '10000', asset: 'USDC', decimals: 6 } }, PRICED],
    [{ 'x-x402-price-atomic': '10000', 'x-x402-network': 'base' }, [['x402', null, 'base', null]]],
  ])('are read from fields of their own: %j', (operation, rows) => {
    expect(read(operation)).toEqual(rows)
  })

  it('have no price where two of them state different ones', () => {
    const place = [['x402', null, 'eip155:8453', WALLET]]
    for (const price of ['$0.02', '$0.00', 0.03])
      expect(read({ 'x-x402': { price, network: 'eip155:8453', payTo: WALLET }, 'x-price': '$0.01' })).toEqual(place)
    const where = { 'x-x402-network': 'eip155:8453', 'x-x402-pay-to': WALLET }
    expect(read({ 'x-x402-price': '$0.01', 'x-price': '$0.02', ...where })).toEqual(place)
    expect(read({ ...where, 'x-price': '$0.02', 'x-x402-price': '$0.01' })).toEqual(place)
    expect(read({ 'x-x402-price': '$0.01', 'x-price': '0.01', ...where })).toEqual(PAID)
    expect(read({ 'x-x402': { price: '9.99', unit: 'month', ...ON_BASE } })).toEqual(place)
    expect(read({ 'x-x402': { price: '0.01', currency: 'EUR', ...ON_BASE } })).toEqual(place)
  })

  it('say where to pay once for all operations, whatever those call their price', () => {
    const said = { network: 'eip155:8453', payTo: WALLET, facilitator: 'https://pay.example' }
    for (const document of [{ 'x-x402': said }, { info: { 'x-x402': said } }, { 'x-payment': said }]) {
      expect(read({ 'x-x402-price': '$0.01' }, document)).toEqual(PAID)
      expect(read({ 'x-payment-info': { price: '$0.01', protocols: ['x402'] } }, document)).toEqual(PAID)
      expect(read({ responses: {} }, document)).toEqual(['not_paid'])
    }
    const elsewhere = { 'x-payment-info': { price: '$0.01', protocols: ['x402'], network: 'polygon' } }
    expect(read(elsewhere, { 'x-x402': said })).toEqual([['x402', CENT, 'polygon', null]])
  })

  it('say where to pay beside the terms that every kit reads, and no price', () => {
    const info = { price: { mode: 'fixed', currency: 'USD', amount: '0.01' }, protocols: ['x402'] }
    const beside = { 'x-x402-network': 'eip155:8453', 'x-x402-pay-to': WALLET, 'x-x402-price': '$0.05' }
    expect(read({ 'x-payment-info': info, ...beside })).toEqual(PAID)
  })

  it('are none where no rail, or another, is named, where nothing is said, and where nobody pays', () => {
    for (const operation of [
      { 'x-price-usd': 0.01 },
      { 'x-payment': { protocol: 'L402', price: '$0.01' } },
      { 'x-x402': {} },
      { 'x-x402': { version: 2 } },
      { 'x-payment-required': true },
    ])
      expect([operation, read(operation)]).toEqual([operation, ['private_dialect']])
    for (const operation of [
      { 'x-x402': { enabled: false, price: '$0.01' } },
      { 'x-x402': false },
      { 'x-payment': { required: false } },
      { 'x-x402-required': false, 'x-x402-price': '$0.01' },
      { 'x-x402-price': '$0.01', 'x-x402-enabled': false },
      { 'x-payment-required': false, 'x-x402-price-atomic': 'quoted when asked' },
    ])
      expect([operation, read(operation)]).toEqual([operation, ['not_paid']])
    expect(read({ deprecated: true, 'x-x402': { price: '$0.01' } })).toEqual(['deprecated'])
  })
})
