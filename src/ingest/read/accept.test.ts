import { describe, expect, it } from 'vitest'
import { readChallenge } from '../../wire/challenge/challenge.ts'
import { parseBazaar } from '../sources/bazaar.ts'
import { USDC_ON_BASE, WALLET } from '../sources/testing/accounts.ts'
import { parseWellKnown } from '../sources/well-known.ts'

const URL_OF_IT = 'https://shop.example/a'
const both = (network: string, amount: unknown, maxAmountRequired: unknown) => ({
  ...{ scheme: 'exact', network, amount, maxAmountRequired, asset: USDC_ON_BASE, payTo: WALLET },
})

/** What the same accept costs in a list, in the seller's own document, and live. */
function pricesOf(x402Version: number | string | undefined, accept: object) {
  const item = { resource: URL_OF_IT, type: 'http', x402Version, accepts: [accept] }
  const body = Buffer.from(JSON.stringify({ x402Version, accepts: [accept] }))
  const live = readChallenge({ url: URL_OF_IT, status: 402, headers: [], body, nowUs: 0 })
  return [
    parseBazaar({ items: [item] }, { allow: [] }).listings[0]?.price,
    parseWellKnown({ resources: [item] }, { allow: [], base: URL_OF_IT }).listings[0]?.price,
    live?.offers[0]?.price,
  ]
}

describe('an accept with the amounts of both versions', () => {
  it('costs in a list what it costs live', () => {
    expect(pricesOf(1, both('base', '1', '10000'))).toEqual([10_000, 10_000, 10_000])
    expect(pricesOf(2, both('eip155:8453', '1', '10000'))).toEqual([1, 1, 1])
    expect(pricesOf(2, both('base', '1', '10000'))).toEqual([1, 1, 1])
    expect(pricesOf(1, both('eip155:8453', '1', '10000'))).toEqual([10_000, 10_000, 10_000])
    expect(pricesOf(1, both('base', '0.01', '10000'))).toEqual([10_000, 10_000, 10_000])
    expect(pricesOf(undefined, both('base', '1', '10000'))).toEqual([10_000, 10_000, 10_000])
  })

  it('is of the version that its network is written in, where none is stated', () => {
    expect(pricesOf(undefined, both('eip155:8453', '1', '10000'))).toEqual([1, 1, 1])
  })

  it('is of the version that is stated as text', () => {
    expect(pricesOf('2', both('eip155:8453', '1', '10000'))).toEqual([1, 1, 1])
    expect(pricesOf('2', both('base', '1', '10000'))).toEqual([1, 1, 1])
    expect(pricesOf('1', both('eip155:8453', '1', '10000'))).toEqual([10_000, 10_000, 10_000])
  })

  it('costs the other amount where that of its version cannot be read', () => {
    for (const unreadable of ['', null, 'soon', '-1', {}]) {
      expect(pricesOf(1, both('base', '10000', unreadable))[0]).toBe(10_000)
      expect(pricesOf(2, both('eip155:8453', unreadable, '10000'))[0]).toBe(10_000)
    }
  })
})
