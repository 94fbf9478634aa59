import { describe, expect, it } from 'vitest'
import { networkKey } from '../network.ts'
import { decimalsOf } from './asset.ts'
import { DOLLAR_NETWORKS } from './dollar-networks.ts'
import { dollarDecimals, KNOWN_NETWORKS, knownNetwork } from './known-networks.ts'

/** Everything that one network is found by. */
const writingsOf = ({ id, names, isTest }: (typeof KNOWN_NETWORKS)[number]): string[] => [
  id,
  ...names,
  ...(isTest ? [] : names.map((name) => `${name}-mainnet`)),
]

describe('the networks that are known', () => {
  it('are found by every writing, and none by that of another', () => {
    for (const network of KNOWN_NETWORKS)
      for (const written of writingsOf(network))
        expect([written, knownNetwork(written)?.id]).toEqual([written, network.id])
    expect(new Set(KNOWN_NETWORKS.map(({ id }) => id)).size).toBe(KNOWN_NETWORKS.length)
  })

  it('have ids as CAIP-2 has them, but for the sign before a number of TON', () => {
    for (const { id } of KNOWN_NETWORKS) expect(id).toMatch(/^[-a-z\d]{3,8}:[-_a-zA-Z\d]{1,32}$/)
  })

  it('have assets as they are compared, with decimals that dollars have', () => {
    for (const { id, dollars } of KNOWN_NETWORKS)
      for (const [asset, decimals] of dollars) {
        expect(asset).not.toMatch(/^0x.*[A-F].*$(?<!::.*)/)
        expect([6, 7, 18]).toContain(decimals)
        expect([id, asset, dollarDecimals(id, asset)]).toEqual([id, asset, decimals])
        if (id.startsWith('eip155:')) expect(asset).toMatch(/^0x[\da-f]{40}$/)
      }
  })

  it('hold all that browsers load', () => {
    for (const { id, dollars } of DOLLAR_NETWORKS)
      for (const asset of dollars.keys()) expect(dollarDecimals(id, asset)).toBe(decimalsOf(id, asset))
  })
})

describe('dollarDecimals', () => {
  it.each([
    ['sei', '0xe15fC38F6D8c56aF07bbCBe3BAf5708A2Bf42392', 6],
    ['megaeth', '0xFAfDdbb3FC7688494971a79cc65DCa3EF82079E7', 18],
    ['eip155:988', '0x779Ded0c9e1022225f8E0630b35a9b54bE713736', 6],
    ['xlayer', '0x74b7F16337b8972027F6196A17a631aC6dE26d22', 6],
    ['xlayer_mainnet', '0x779Ded0c9e1022225f8E0630b35a9b54bE713736', 6],
    ['eip155:196', '0x4ae46a509F6b1D9056937BA4500cb143933D2dc8', 6],
    ['skale-base', '0x85889c8c714505E0c94b30fcfcF64fE3Ac8FCb20', 6],
    ['celo', '0xcebA9300f2b948710d2653dD7B07f33A8B32118C', 6],
    ['stellar:pubnet', 'CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75', 7],
    ['algorand', '31566704', 6],
    ['aptos:1', '0xBAE207659DB88BEA0CBEAD6DA0ED00AAC12EDCDDA169E591CD41C94180B46F3B', 6],
    ['sui', '0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC', 6],
    ['hedera:mainnet', '0.0.456858', 6],
    ['solana', 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', 6],
    ['eip155:8453', 'eip155:8453/erc20:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 6],
  ])('knows on %s the dollar %s', (network, asset, decimals) => {
    expect(dollarDecimals(network, asset)).toBe(decimals)
  })

  it.each([
    ['base', '0x779Ded0c9e1022225f8E0630b35a9b54bE713736'],
    ['eip155:1', '0xe15fC38F6D8c56aF07bbCBe3BAf5708A2Bf42392'],
    ['stellar:testnet', 'CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75'],
    ['algorand-testnet', '31566704'],
    ['mantle', '0xe15fC38F6D8c56aF07bbCBe3BAf5708A2Bf42392'],
    ['hedera:mainnet', '0.0.0'],
    ['sei', 'USDC'],
    ['nowhere:main', ''],
    ['constructor', '__proto__'],
  ])('knows on %s no dollar %s', (network, asset) => {
    expect(dollarDecimals(network, asset)).toBeUndefined()
    expect(dollarDecimals(networkKey(network), asset)).toBeUndefined()
  })
})
