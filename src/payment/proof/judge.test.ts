import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dollarsWith, extraAssetsOf } from './dollars.ts'
import { judge, type Move, missing, type SeenTransaction } from './judge.ts'
import { payeesOn } from './payees.ts'
import type { ProofRequest } from './proof.ts'

const address = (digit: string): string => `0x${digit.repeat(40)}`
const BUYER = address('1')
const SELLER = address('2')
const BASE = 'eip155:8453'
const USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const BSC = 'eip155:56'
const BSC_USDC = '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d'
const NOW = Date.UTC(2026, 10, 14) * 1000
const MINUTE_US = 60_000_000

const request = (over: Partial<ProofRequest> = {}): ProofRequest => ({
  network: 'base',
  transaction: '0x',
  wallet: BUYER,
  payees: [{ network: 'base', payee: SELLER }],
  prices: [{ network: null, price: 50_000, firstUs: 0, lastUs: NOW }],
  submittedUs: NOW,
  ...over,
})
const move = (over: Partial<Move> = {}): Move => ({
  asset: USDC,
  amount: 50_000n,
  payer: BUYER,
  payee: SELLER,
  place: 0,
  ...over,
})
const seen = (moves: readonly Move[], over: Partial<SeenTransaction> = {}): SeenTransaction => ({
  network: BASE,
  id: '0xid',
  moves,
  atUs: NOW - MINUTE_US,
  isFinal: true,
  ...over,
})
const decimals = dollarsWith([])
const reasonOf = (moves: readonly Move[], over: Partial<ProofRequest> = {}, then: Partial<SeenTransaction> = {}) => {
  const proof = judge(request(over), seen(moves, then), decimals)
  return proof.kind === 'found' ? 'found' : proof.reason
}

describe('what a transaction proves', () => {
  it('names every transfer that supports the review, in order', () => {
    const moves = [move({ place: 3 }), move({ payer: SELLER, place: 4 }), move({ place: 7, amount: 60_000n })]
    const proof = judge(request(), seen(moves), decimals)
    expect(proof).toMatchObject({ kind: 'found', network: BASE, transaction: '0xid' })
    expect(proof.kind === 'found' && proof.transfers.map(({ logIndex, amount }) => [logIndex, amount])).toEqual([
      [3, '50000'],
      [7, '60000'],
    ])
  })

  it.each([
    ['in another asset', [move({ asset: address('9') })], /not known as a dollar/],
    ['by somebody else', [move({ payer: address('3') })], /another wallet/],
    ['to somebody else', [move({ payee: address('3') })], /pays nobody who was seen/],
    ['too small by one unit', [move({ amount: 49_999n })], /smaller than the price at that time, 0\.050000/],
    ['without any transfer', [], /pays nobody who was seen/],
  ])('is nothing for one %s', (_, moves, reason) => {
    expect(reasonOf(moves)).toMatch(reason)
  })

  it('is nothing for a payment to oneself, also of a seller', () => {
    expect(reasonOf([move({ payer: SELLER })], { wallet: SELLER })).toMatch(/oneself/)
  })

  it('is nothing for one made after the review, with ten seconds for blocks that are dated ahead', () => {
    const seconds = 10_000_000
    expect(reasonOf([move()], {}, { atUs: NOW + seconds })).toBe('found')
    expect(reasonOf([move()], {}, { atUs: NOW + seconds + 1 })).toMatch(/after the review/)
    const opened = { atUs: NOW + MINUTE_US, openedUs: NOW + seconds }
    expect(reasonOf([move()], {}, opened)).toBe('found')
    expect(reasonOf([move()], {}, { ...opened, openedUs: NOW + seconds + 1 })).toMatch(/opened at .*after the review/)
  })

  it('is nothing where nobody was seen to be paid or no price is known', () => {
    expect(reasonOf([move()], { payees: [] })).toMatch(/nobody was seen to be paid for this route on eip155:8453/)
    expect(reasonOf([move()], { prices: [] })).toMatch(/no price/)
  })

  it('is never anything for zero, which anybody can move of anybody, not even on a free route', () => {
    const free = { prices: [{ network: null, price: 0, firstUs: 0, lastUs: NOW }] }
    for (const prices of [free, {}]) expect(reasonOf([move({ amount: 0n })], prices)).toMatch(/moved nothing/)
    expect(reasonOf([move({ amount: 0n }), move({ amount: 49_999n })])).toMatch(/smaller/)
    expect(reasonOf([move({ amount: 1n })], free)).toBe('found')
  })

  it('is nothing for play money where the route is sold for real money, and what it is where it is not', () => {
    const test = { network: 'eip155:84532' }
    const paid = [move({ asset: '0x036cbd53842c5426634e7929541ec2318f3dcf7e', amount: 1n })]
    const play = { network: 'base-sepolia', price: 1, firstUs: 0, lastUs: NOW }
    const real = { network: 'base', price: 1_000_000, firstUs: 0, lastUs: NOW }
    const payees = ['base', 'base-sepolia'].map((network) => ({ network, payee: SELLER }))
    const onTest = /test network, and the route is sold for real money/
    expect(reasonOf(paid, { payees, prices: [real, play] }, test)).toMatch(onTest)
    expect(reasonOf(paid, { payees, prices: [play] }, test)).toBe('found')
    // Who was seen on a network that cannot be told apart is paid with real money.
    const somewhere = [{ network: 'evm', payee: SELLER }]
    expect(reasonOf(paid, { payees: somewhere, prices: [real] }, test)).toMatch(onTest)
    expect(reasonOf(paid, { payees: somewhere, prices: [play] }, test)).toMatch(/nobody was seen to be paid/)
    expect(reasonOf([move({ amount: 1_000_000n })], { payees: somewhere, prices: [real, play] })).toBe('found')
  })

  it('is nothing for the price of a source that a live challenge contradicts', () => {
    const said = { network: 'base', firstUs: 0, lastUs: NOW }
    const prices = [
      { ...said, price: 1 },
      { ...said, price: 250_000, isAsked: true },
    ]
    expect(reasonOf([move({ amount: 1n })], { prices })).toMatch(/smaller than the price at that time, 0\.250000/)
    expect(reasonOf([move({ amount: 250_000n })], { prices })).toBe('found')
  })

  it('compares assets of 18 decimals after the same rounding as their price', () => {
    const onBsc = { payees: [{ network: 'bsc', payee: SELLER }] }
    const paid = (amount: bigint): string => reasonOf([move({ asset: BSC_USDC, amount })], onBsc, { network: BSC })
    expect(paid(50_000n * 10n ** 12n)).toBe('found')
    expect(paid(49_999n * 10n ** 12n + 1n)).toBe('found')
    expect(paid(49_999n * 10n ** 12n)).toMatch(/smaller/)
    expect(paid(2n ** 255n)).toBe('found')
  })

  it('is the sum of what a payee and those who share with it were paid, which no other review can use', () => {
    const SHARER = address('5')
    const payees = [
      { network: 'base', payee: SELLER },
      { network: 'base', payee: SHARER, isSharer: true },
    ]
    const [main, share] = [move({ amount: 40_000n, place: 2 }), move({ amount: 10_000n, payee: SHARER, place: 5 })]
    const proof = judge(request({ payees }), seen([main, share]), decimals)
    expect(proof.kind === 'found' && proof.transfers).toMatchObject([
      { payee: SELLER, amount: '50000', logIndex: 2, parts: [5] },
    ])
    const wrong: [Move[], RegExp][] = [
      [[main, { ...share, amount: 9_999n }], /smaller/],
      [[main, { ...share, payer: address('3') }], /smaller/],
      [[main, { ...share, asset: BSC_USDC }], /smaller/],
      // Who only shares is not who is paid.
      [[{ ...share, amount: 50_000n }], /pays nobody who was seen/],
    ]
    for (const [moves, reason] of wrong) expect(reasonOf(moves, { payees })).toMatch(reason)
    expect(reasonOf([main, share], { payees: [{ network: 'base', payee: SELLER }] })).toMatch(/smaller/)
  })

  it('never proves anything by less than the price, in whatever company', () => {
    const anyMove = fc.record({
      asset: fc.constantFrom(USDC, BSC_USDC, address('9')),
      amount: fc.bigInt({ min: 0n, max: 100_000n }),
      payer: fc.constantFrom(BUYER, SELLER, address('3')),
      payee: fc.constantFrom(BUYER, SELLER, address('3')),
      place: fc.nat(100),
    })
    fc.assert(
      fc.property(fc.array(anyMove, { maxLength: 6 }), (moves) => {
        const good = moves.filter(
          ({ asset, amount, payer, payee }) =>
            asset === USDC && amount >= 50_000n && payer === BUYER && payee === SELLER,
        )
        const proof = judge(request(), seen(moves), decimals)
        expect(proof.kind === 'found' ? proof.transfers.map(({ logIndex }) => logIndex) : []).toEqual(
          good.map(({ place }) => place),
        )
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 500) },
    )
  })
})

describe('a transaction that the node does not know', () => {
  it('may still come for ten minutes, and then does not exist', () => {
    const later = NOW + 10 * MINUTE_US
    expect(missing(request(), BASE, NOW, later - 1)).toMatchObject({ kind: 'unknown', isMissing: true })
    expect(missing(request(), BASE, NOW, later).kind).toBe('none')
  })

  it('is not given up by a node that has not come to the time of the review', () => {
    const proof = missing(request(), BASE, NOW - 1, NOW + 60 * MINUTE_US)
    expect(proof).toEqual({ kind: 'unknown', reason: 'the node for eip155:8453 is behind' })
  })
})

describe('who was seen to be paid on a network', () => {
  const SOLANA_SELLER = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU'

  it('is whoever was named for it under any of its names, however the address is written', () => {
    const payees = [
      { network: 'base', payee: `0x${'AB'.repeat(20)}` },
      { network: 'eip155:8453', payee: SELLER },
      { network: 'polygon', payee: address('7') },
      { network: 'solana', payee: SOLANA_SELLER },
    ]
    expect([...payeesOn(payees, BASE)]).toEqual([`0x${'ab'.repeat(20)}`, SELLER])
  })

  it('is also one named without a network, where its address can be one of that network', () => {
    const payees = [
      { network: '', payee: SELLER },
      { network: 'mainnet', payee: SOLANA_SELLER },
      { network: '', payee: 'acct_123' },
    ]
    expect([...payeesOn(payees, 'tempo:1337')]).toEqual([SELLER])
    expect([...payeesOn(payees, 'eip155:84532')]).toEqual([])
    expect([...payeesOn([{ network: 'evm-testnet', payee: SELLER }], 'eip155:84532')]).toEqual([SELLER])
    expect([...payeesOn([{ network: 'evm-testnet', payee: SELLER }], BASE)]).toEqual([])
    expect([...payeesOn(payees, 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp')]).toEqual([SOLANA_SELLER])
  })
})

describe('dollars that the operator names', () => {
  const config = {
    x402: {
      payTo: [],
      networks: [
        { network: 'eip155:1337', dollar: { asset: address('A'), decimals: 9, name: 'USDC', version: '2' } },
        { network: BASE, dollar: null },
      ],
      facilitatorUrl: undefined,
      facilitatorHeaders: {},
    },
    mpp: { recipient: undefined, currency: address('B'), rpcUrl: undefined, secretKey: undefined },
    rpcUrls: new Map([
      ['tempo:1337', 'http://node.example'],
      [BASE, 'http://node.example'],
    ]),
  }

  it('count on the network they are named for and nowhere else', () => {
    const known = dollarsWith(extraAssetsOf(config))
    expect(known('eip155:1337', address('a'))).toBe(9)
    expect(known(BASE, address('a'))).toBeUndefined()
    expect(known('tempo:1337', address('b'))).toBe(6)
    expect(known('tempo:4217', address('b'))).toBeUndefined()
    expect(known('base', USDC)).toBe(6)
  })
})
