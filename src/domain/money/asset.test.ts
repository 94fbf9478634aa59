import { describe, expect, it } from 'vitest'
import { networkKey } from '../network.ts'
import { decimalsOf } from './asset.ts'
import { DOLLAR_NETWORKS } from './dollar-networks.ts'

const BASE_USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const SOLANA_USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const PATH_USD = '0x20c0000000000000000000000000000000000000'
const TEMPO_USDC = '0x20C000000000000000000000b9537d11c60E8b50'

describe('decimalsOf', () => {
  it('knows one asset by every name of its network and any case of its address', () => {
    for (const network of ['base', 'Base', 'eip155:8453'])
      for (const asset of [BASE_USDC, BASE_USDC.toLowerCase(), `0x${BASE_USDC.slice(2).toUpperCase()}`])
        expect(decimalsOf(network, asset)).toBe(6)
  })

  it('knows an asset written in CAIP-19 form on its own network only', () => {
    expect(decimalsOf('base', `eip155:8453/erc20:${BASE_USDC}`)).toBe(6)
    expect(decimalsOf('polygon', `eip155:8453/erc20:${BASE_USDC}`)).toBeUndefined()
  })

  it('takes a Solana mint exactly as written', () => {
    expect(decimalsOf('solana', SOLANA_USDC)).toBe(6)
    expect(decimalsOf('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', SOLANA_USDC)).toBe(6)
    expect(decimalsOf('solana', SOLANA_USDC.toLowerCase())).toBeUndefined()
    expect(decimalsOf('solana-devnet', SOLANA_USDC)).toBeUndefined()
    expect(decimalsOf('solana-devnet', '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU')).toBe(6)
  })

  it('knows pathUSD on every Tempo network and bridged USDC on the main one', () => {
    for (const network of ['tempo', 'tempo:4217', 'tempo:42431', 'eip155:42431', 'tempo:1'])
      expect(decimalsOf(network, PATH_USD)).toBe(6)
    expect(decimalsOf('tempo', TEMPO_USDC)).toBe(6)
    expect(decimalsOf('eip155:4217', TEMPO_USDC)).toBe(6)
    expect(decimalsOf('tempo:42431', TEMPO_USDC)).toBeUndefined()
    expect(decimalsOf('eip155:1', PATH_USD)).toBeUndefined()
  })

  it('knows no asset on a network that it does not belong to, where the same address may be anything', () => {
    expect(decimalsOf('eip155:1', BASE_USDC)).toBeUndefined()
    expect(decimalsOf('eip155:999999', BASE_USDC)).toBeUndefined()
    expect(decimalsOf('base', 'USDC')).toBeUndefined()
    expect(decimalsOf('base', '')).toBeUndefined()
  })

  it('gives dollars of 18 decimals their own', () => {
    expect(decimalsOf('bsc', '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d')).toBe(18)
  })

  it('takes every writing of a network for the same as all else here does', () => {
    const assets = [...DOLLAR_NETWORKS.flatMap(({ dollars }) => [...dollars.keys()]), PATH_USD, '']
    const names = DOLLAR_NETWORKS.flatMap(({ id, names }) => [id, ...names])
    const writings = [...names, ...names.map((name) => `${name} chain`), ...names.map((name) => `${name}-mainnet`)]
    const others = ['gnosis', 'Gnosis Chain', 'EDU Chain', 'World Chain Sepolia', 'skale-base', 'Solana Testnet', 'x']
    for (const network of [...writings, ...others])
      for (const asset of assets) expect(decimalsOf(network, asset)).toBe(decimalsOf(networkKey(network), asset))
    expect(decimalsOf('tempo:42431', '')).toBeUndefined()
  })

  it('is not fooled by names that every object has', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'valueOf']) {
      expect(decimalsOf(name, BASE_USDC)).toBeUndefined()
      expect(decimalsOf('base', name)).toBeUndefined()
      expect(decimalsOf(name, name)).toBeUndefined()
    }
  })
})
