import { dollarDecimals } from '../../domain/money/known-networks.ts'
import { networkKey, networkName, networkOf } from '../../domain/network.ts'
import { fieldOf, fieldsOf } from './json.ts'

/** Methods whose amounts are a currency's smallest unit; a dollar has two decimals. */
export const CARD_METHODS = ['stripe', 'card']
const CARD_DECIMALS = 2

/** Methods that pay in a token of a chain. `usdc` is paid on one of several kinds of them. */
export const METHODS_OF_CHAINS = ['tempo', 'evm', 'solana', 'stellar', 'hedera', 'usdc']

/** Those whose amounts may be dollars; that of `lightning` is satoshis. */
export const KNOWN_METHODS = [...CARD_METHODS, ...METHODS_OF_CHAINS]

/** By `usdc` without a network of its own, and how its amounts always count. */
const ANY_USDC = 'usdc'
const USDC_DECIMALS = 6

const HEDERA: Readonly<Record<string, string>> = { '295': 'hedera:mainnet', '296': 'hedera:testnet' }

/** Which kind of chain `usdc` is paid on; `undefined` where the payer chooses, or nothing is said. */
export function usdcProfile(details: unknown): 'evm' | 'solana' | undefined {
  const fields = fieldsOf(details)
  return (['evm', 'solana'] as const).find((kind) => fieldsOf(fieldOf(fields, kind)) !== undefined)
}

/** A known network of this kind, as written or by the one word that its method has for it. */
function networkOfKind(kind: string, named: unknown): string | null {
  const written = networkOf(named)
  if (written === null) return null
  const isOfKind = (network: string): boolean =>
    networkName(network) !== null && networkKey(network).startsWith(`${kind}:`)
  return [written, networkKey(`${kind}:${written}`)].find(isOfKind) ?? null
}

/** Where a method that is not Tempo's pays: by the number of its chain, or by what its network is called. `null`: that is not known. */
export function networkBy(method: string, chainId: string | undefined, named: unknown): string | null {
  if (method === 'evm') return chainId === undefined ? null : `eip155:${chainId}`
  if (method === 'hedera') return chainId === undefined ? networkOfKind('hedera', named) : (HEDERA[chainId] ?? null)
  if (method === 'stellar') return networkOfKind('stellar', named)
  return method === 'solana' ? networkOfKind('solana', named ?? 'mainnet') : null
}

/** How the amount counts where it is not paid on Tempo, live and in listings; `undefined` where that is not known. */
export function decimalsBy(method: string, currency: string, network: string | null): number | undefined {
  if (CARD_METHODS.includes(method)) return currency.toLowerCase() === 'usd' ? CARD_DECIMALS : undefined
  if (!METHODS_OF_CHAINS.includes(method)) return undefined
  if (network !== null) return dollarDecimals(network, currency)
  return method === 'usdc' && currency === ANY_USDC ? USDC_DECIMALS : undefined
}
