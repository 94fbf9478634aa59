import { describe, expect, it } from 'vitest'
import { parseMppDirectory } from './mpp-directory.ts'
import { parseOpenapi } from './openapi.ts'
import { USDC_ON_BASE, USDC_ON_SOLANA, USDC_ON_TEMPO } from './testing/accounts.ts'
import { parseWellKnown } from './well-known.ts'

const base = 'https://shop.example/openapi.json'
const shown = ({ listings, refused }: ReturnType<typeof parseOpenapi>) => [
  ...listings.map(({ rail, price, network }) => [rail, price, network].join(' ')),
  ...refused.map(({ reason }) => reason),
]
const operation = (said: object) =>
  shown(parseOpenapi({ openapi: '3.1.0', paths: { '/x': { get: said } } }, { allow: [], base }))
const paid = (info: unknown) => operation({ 'x-payment-info': info })
const listed = (payment: unknown, more: object = {}) =>
  shown(
    parseMppDirectory(
      {
        services: [
          { serviceUrl: 'https://shop.example', endpoints: [{ method: 'GET', path: '/x', payment, ...more }] },
        ],
      },
      { allow: [] },
    ),
  )
const entry = (said: object, around: object = {}) =>
  shown(parseWellKnown({ ...around, resources: [{ path: '/x', ...said }] }, { allow: [], base }))

const charge = { intent: 'charge', method: 'tempo', amount: '10000', currency: USDC_ON_TEMPO }
const ON_SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

describe('an offer of mpp in a document', () => {
  it.each([
    [{ method: 'stripe', amount: '50', currency: 'usd' }, 'mpp 500000 '],
    [{ method: 'stripe', amount: '50', currency: 'jpy' }, 'mpp  '],
    [{ method: 'stripe', amount: '5.00', currency: 'USD' }, 'mpp  '],
    [{ method: 'card', amount: '4999', currency: 'usd', network: 'visa' }, 'mpp 49990000 '],
    [{ method: 'lightning', amount: '100', currency: 'sat', network: 'mainnet' }, 'mpp  '],
    [{ method: 'lightning', amount: '100', currency: USDC_ON_TEMPO }, 'mpp  '],
    [{ method: 'solana', amount: '10000', currency: USDC_ON_SOLANA }, `mpp 10000 ${ON_SOLANA}`],
    [{ method: 'solana', amount: '10000', currency: USDC_ON_SOLANA, network: 'solana' }, 'mpp 10000 solana'],
    [{ method: 'solana', amount: '10000', currency: USDC_ON_SOLANA, network: 'base' }, 'mpp  '],
    [{ method: 'hedera', amount: '10000', currency: '0.0.456858', chainId: 295 }, 'mpp 10000 hedera:mainnet'],
    [{ method: 'hedera', amount: '10000', currency: '0.0.456858' }, 'mpp  '],
    [{ method: 'usdc', amount: '10000', currency: 'usdc' }, 'mpp 10000 '],
    [{ method: 'usdc', amount: '10000', currency: USDC_ON_BASE, chainId: 8453 }, 'mpp 10000 eip155:8453'],
    [
      {
        method: 'usdc',
        amount: '10000',
        currency: USDC_ON_BASE,
        methodDetails: { type: 'evm', evm: { chainId: 8453 } },
      },
      'mpp 10000 eip155:8453',
    ],
    [
      {
        method: 'solana',
        amount: '10000',
        currency: USDC_ON_SOLANA,
        methodDetails: { network: 'devnet' },
        network: 'solana',
      },
      'mpp  ',
    ],
  ])('counts in the units of its method: %j', (offer, row) => {
    const whole = { intent: 'charge', ...offer }
    expect(paid(whole)).toEqual([row])
    expect(paid({ offers: [whole] })).toEqual([row])
    expect(listed(whole)).toEqual([row])
    expect(entry({ accepts: [whole] })).toEqual([row])
  })

  const no = [
    ...[{ enabled: false }, { disabled: true }, { offered: false }, { deprecated: true }, { available: false }],
    ...[{ active: false }, { status: 'deprecated' }, { status: 'Disabled' }],
  ]
  it.each(no)('is left out where it says %j', (said) => {
    const other = { ...charge, amount: '20000' }
    const row = ['mpp 20000 tempo:4217']
    expect(paid({ offers: [{ ...charge, ...said }, other] })).toEqual(row)
    expect(listed([{ ...charge, ...said }, other])).toEqual(row)
    expect(entry({ accepts: [{ ...charge, ...said }, other] })).toEqual(row)
    expect(paid({ offers: [{ ...charge, ...said }] })).toEqual(['deprecated'])
    expect(listed({ ...charge, ...said })).toEqual(['deprecated'])
    expect(listed(charge, said)).toEqual(['deprecated'])
    expect(entry({ accepts: [{ ...charge, ...said }] })).toEqual(['deprecated'])
    expect(entry({ price: '$0.01', ...said })).toEqual(['deprecated'])
  })

  it('is not withdrawn by what says nothing of that', () => {
    for (const said of [
      { status: 'active' },
      { enabled: true },
      { deprecated: false },
      { status: 'beta' },
      { active: 1 },
    ])
      for (const rows of [paid({ ...charge, ...said }), listed({ ...charge, ...said }), listed(charge, said)])
        expect(rows).toEqual(['mpp 10000 tempo:4217'])
  })
})

describe('a price in dollars beside a payment method of mpp', () => {
  const tempo = { protocols: ['mpp'], pricingMode: 'fixed', method: 'tempo', intent: 'charge' }
  const PATH_USD = '0x20c0000000000000000000000000000000000000'

  it.each([
    [{ price: '0.010000', currency: USDC_ON_TEMPO }, 'mpp 10000 tempo:4217'],
    [{ price: '2.000000', currency: USDC_ON_TEMPO }, 'mpp 2000000 tempo:4217'],
    [{ price: '0', currency: USDC_ON_TEMPO }, 'mpp 0 tempo:4217'],
    [{ price: '0.01', currency: PATH_USD }, 'mpp 10000 '],
    [{ price: '0.01', currency: PATH_USD, methodDetails: { chainId: 42431 } }, 'mpp 10000 tempo:42431'],
    [{ price: '0.01', currency: 'usd', method: 'stripe' }, 'mpp 10000 '],
    // Dollars, or the smallest units?
    [{ price: '2', currency: USDC_ON_TEMPO }, 'mpp  tempo:4217'],
    [{ price: '10000', currency: USDC_ON_TEMPO }, 'mpp  tempo:4217'],
    [{ price: '0.01', currency: `0x${'12'.repeat(20)}` }, 'mpp  '],
  ])('is paid by that method: %j', (said, row) => {
    expect(paid({ ...tempo, ...said })).toEqual([row])
  })

  it('is paid to whom it names, and only by mpp', () => {
    const recipient = `0x${'ab'.repeat(20)}`
    const info = { ...tempo, price: '0.01', currency: USDC_ON_TEMPO, recipient, protocols: ['x402', 'mpp'] }
    const paths = { '/x': { get: { 'x-payment-info': info } } }
    const { listings } = parseOpenapi({ openapi: '3.1.0', paths }, { allow: [], base })
    expect(listings.map(({ rail, price, network, payees }) => [rail, price, network, payees.length])).toEqual([
      ['x402', 10_000, null, 0],
      ['mpp', 10_000, 'tempo:4217', 1],
    ])
  })

  it('is not that of another method which a protocol names', () => {
    const protocols = [{ mpp: { method: 'stripe', currency: 'usd' } }]
    expect(paid({ ...tempo, protocols, price: '0.01', currency: 'USD' })).toEqual(['mpp 10000 '])
  })
})

describe('what is paid no more, or by nobody', () => {
  it('is no route', () => {
    expect(operation({ deprecated: true, 'x-payment-info': charge })).toEqual(['deprecated'])
    expect(operation({ deprecated: false, 'x-payment-info': charge })).toEqual(['mpp 10000 tempo:4217'])
    const around = { price: '$0.01', network: 'base' }
    for (const said of [{ paid: false }, { requiresPayment: false }, { payment_required: false }])
      expect(entry(said, around)).toEqual(['not_paid'])
    expect(entry({}, around)).toEqual(['x402 10000 base'])
  })
})
