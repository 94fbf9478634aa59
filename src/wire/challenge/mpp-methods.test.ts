import { describe, expect, it } from 'vitest'
import { asked, payment } from './testing/samples.ts'

const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const SOLANA_DEVNET = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
const ON_SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const ON_DEVNET = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'
const ON_STELLAR = 'CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75'
const ON_BASE = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

const offered = (method: string, currency: string, methodDetails?: unknown) =>
  asked(payment({ amount: '10000', currency, recipient: 'who', methodDetails }, { method }))?.offers.map(
    ({ network, price }) => [network, price],
  )

describe('a live offer of mpp', () => {
  it.each([
    ['solana', ON_SOLANA, undefined, SOLANA, 10_000],
    ['solana', ON_SOLANA, { network: 'mainnet' }, SOLANA, 10_000],
    ['solana', ON_DEVNET, { network: 'devnet' }, SOLANA_DEVNET, 10_000],
    ['solana', ON_SOLANA, { network: 'devnet' }, SOLANA_DEVNET, null],
    ['solana', 'sol', {}, SOLANA, null],
    ['solana', ON_SOLANA, { network: 'localnet' }, null, null],
    ['solana', ON_SOLANA, { network: 'base' }, null, null],
    ['solana', ON_SOLANA, 'mainnet', null, null],
    ['stellar', ON_STELLAR, { network: 'stellar:pubnet' }, 'stellar:pubnet', 1_000],
    ['stellar', ON_STELLAR, {}, null, null],
    ['hedera', '0.0.456858', { chainId: 295 }, 'hedera:mainnet', 10_000],
    ['hedera', '0.0.456858', { chainId: 296 }, 'hedera:testnet', null],
    ['hedera', '0.0.456858', {}, null, null],
    ['usdc', ON_BASE, { type: 'evm', evm: { chainId: 8453 } }, 'eip155:8453', 10_000],
    ['usdc', ON_SOLANA, { type: 'solana', solana: { network: 'mainnet' } }, SOLANA, 10_000],
    ['usdc', 'usdc', { type: 'gateway', gateway: { destinationNetwork: 'eip155:1' } }, null, 10_000],
    ['usdc', 'SP1.usdcx::usdcx-token', { type: 'stacks', stacks: { chainId: '1' } }, null, null],
    ['lightning', 'sat', { network: 'mainnet' }, null, null],
  ])('by %s in %s with %j is on %s for %s', (method, currency, details, network, price) => {
    expect(offered(method, currency, details)).toEqual([[network, price]])
  })
})
