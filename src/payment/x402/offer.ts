import { getDefaultAsset } from '@x402/evm'
import { EVM_NETWORK_CHAIN_ID_MAP } from '@x402/evm/v1'
import { getAddress, isAddress } from 'viem'
import { dollarDecimals } from '../../domain/money/known-networks.ts'
import type { MicroDollars } from '../../domain/money/price.ts'
import { THREAD_PRICE } from '../../domain/thread.ts'
import { walletKind } from '../../domain/wallet.ts'
import { networkKind } from '../nodes.ts'
import type { PaidNetwork, X402Config } from '../settings.ts'

/** What is asked for a post on one network. */
export interface Offer {
  readonly kind: 'eip155' | 'solana'
  /** CAIP-2 form. */
  readonly network: string
  /** The network's name in version 1 of the protocol; null: that version does not know it. */
  readonly name: string | null
  readonly asset: string
  readonly payee: string
  /** In the asset's base units. */
  readonly amount: string
  /** What a payer needs to sign: the EIP-712 domain of an EVM asset. A Solana fee payer is the facilitator's to say. */
  readonly extra: Readonly<Record<string, string>>
}

/** How long a payer's authorisation should be good for, in seconds. */
export const TIMEOUT_S = 120

const SOLANA_DOLLARS: ReadonlyMap<string, string> = new Map([
  ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
  ['solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'],
])

const NAMES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(EVM_NETWORK_CHAIN_ID_MAP).map(([name, id]): [string, string] => [`eip155:${id}`, name]),
  ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'solana'],
  ['solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', 'solana-devnet'],
])

const IDS: ReadonlyMap<string, string> = new Map([...NAMES].map(([network, name]) => [name, network]))

/** The CAIP-2 form of a version 1 name; a name that the version does not know stays as it is. */
export const networkOfName = (name: string): string => IDS.get(name) ?? name

/** The name of a network in version 1; null: that version does not know it. */
export const nameOfNetwork = (network: string): string | null => NAMES.get(network) ?? null

/** Base units of an asset with these decimals, upwards where it is too coarse. */
export function baseUnits(price: MicroDollars, decimals: number): string {
  if (decimals >= 6) return String(BigInt(price) * 10n ** BigInt(decimals - 6))
  const step = 10n ** BigInt(6 - decimals)
  return String((BigInt(price) + step - 1n) / step)
}

export type Offers =
  | { readonly ok: true; readonly offers: readonly Offer[] }
  /** Variables to set. */
  | { readonly ok: false; readonly missing: readonly string[] }

export function offersOf(config: X402Config): Offers {
  const missing = new Set<string>()
  const offers: Offer[] = []
  if (config.payTo.length === 0) missing.add('X402_PAY_TO')
  if (config.facilitatorUrl === undefined) missing.add('X402_FACILITATOR_URL')
  if (config.networks.length === 0) missing.add('X402_NETWORKS')
  for (const paid of config.networks) {
    const kind = networkKind(paid.network)
    const dollar = kind === 'eip155' ? evmDollar(paid) : kind === 'solana' ? solanaDollar(paid) : undefined
    const payee = config.payTo.find((wallet) => walletKind(wallet) === (kind === 'solana' ? 'solana' : 'evm'))
    if (dollar === undefined || kind === undefined || kind === 'tempo') missing.add('X402_NETWORKS')
    else if (payee === undefined) missing.add('X402_PAY_TO')
    else {
      const { asset, decimals, extra } = dollar
      const amount = baseUnits(THREAD_PRICE, decimals)
      offers.push({ kind, network: paid.network, name: nameOfNetwork(paid.network), asset, payee, amount, extra })
    }
  }
  return missing.size > 0 ? { ok: false, missing: [...missing] } : { ok: true, offers }
}

interface Dollar {
  readonly asset: string
  readonly decimals: number
  readonly extra: Readonly<Record<string, string>>
}

function evmDollar({ network, dollar }: PaidNetwork): Dollar | undefined {
  const known = dollar ?? knownDollar(network)
  if (known === undefined || !isAddress(known.asset, { strict: false })) return undefined
  const { name, version, decimals } = known
  return { asset: getAddress(known.asset), decimals, extra: { name, version } }
}

function knownDollar(network: string): (PaidNetwork['dollar'] & object) | undefined {
  const [namespace, reference] = network.split(':')
  try {
    const found = getDefaultAsset(`${namespace}:${reference}`)
    // Only transfers by signature of the asset itself (EIP-3009) are taken.
    return found.assetTransferMethod === undefined ? found : undefined
  } catch {
    // The library knows no dollar there and says so by throwing.
    return undefined
  }
}

function solanaDollar({ network, dollar }: PaidNetwork): Dollar | undefined {
  const asset = dollar?.asset ?? SOLANA_DOLLARS.get(network)
  if (asset === undefined) return undefined
  const decimals = dollar?.decimals ?? dollarDecimals(network, asset)
  return decimals === undefined ? undefined : { asset, decimals, extra: {} }
}
