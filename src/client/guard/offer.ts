import { isDollar } from '../../domain/guard/price-facts.ts'
import { decimalsOf } from '../../domain/money/asset.ts'
import { chainIdIn } from '../../domain/money/chain-id.ts'
import { formatPrice, priceFromBaseUnits } from '../../domain/money/price.ts'
import { fieldOf, textOf } from './field.ts'

/** What a seller asks for now. */
export interface GuardOffer {
  /** Dollars, such as `0.020000`; `null` where the asset has no known dollar value. */
  readonly price: string | null
  readonly network: string | null
  readonly asset?: string | undefined
  readonly payee?: string | undefined
  /** Dollars that are locked up at once for this and later calls, where that is how the seller is paid. */
  readonly deposit?: string | undefined
}

/** A seller's own words may be of any length: what is longer than any name is cut, and then known to nobody. */
const LONGEST = 200

const wordIn = (value: unknown): string | undefined =>
  textOf(typeof value === 'number' ? String(value) : value)
    ?.slice(0, LONGEST)
    .toWellFormed()

/** The most that is named, as the paying client reads it, hexadecimal too. `undefined`: nothing is, or what is no amount. */
function unitsIn(named: readonly unknown[]): bigint | undefined {
  try {
    const amounts = named.map((one) => String(one ?? '').trim()).flatMap((one) => (one ? BigInt(one) : []))
    return amounts.reduce((most, one) => (one > most ? one : most))
  } catch {
    return undefined
  }
}

interface Terms {
  readonly amounts: readonly unknown[]
  readonly deposit: unknown
  readonly network: string | undefined
  readonly asset: unknown
  readonly payee: unknown
  /** Of an asset that is counted without a network. */
  readonly decimals?: number
}

function offerOf({ amounts, deposit, network, asset, payee, decimals }: Terms): GuardOffer {
  const [assetName, payeeName] = [wordIn(asset), wordIn(payee)]
  const known = decimals ?? (network && assetName ? decimalsOf(network, assetName) : undefined)
  const dollars = (named: readonly unknown[]): string | undefined => {
    const units = unitsIn(named)
    // What is more than can be counted is the most that can.
    return known !== undefined && units !== undefined && units >= 0n
      ? formatPrice(priceFromBaseUnits(units, known) ?? Number.MAX_SAFE_INTEGER)
      : undefined
  }
  return {
    price: dollars(amounts) ?? null,
    network: network ?? null,
    asset: assetName,
    payee: payeeName,
    deposit: dollars([deposit]),
  }
}

/** Of the payment requirements that an x402 client chose, of either version: whichever field it reads, the price is not less. */
export const x402Offer = (requirements: unknown): GuardOffer =>
  offerOf({
    amounts: ['amount', 'maxAmountRequired'].map((name) => fieldOf(requirements, name)),
    deposit: fieldOf(fieldOf(requirements, 'extra'), 'minDeposit'),
    network: wordIn(fieldOf(requirements, 'network')),
    asset: fieldOf(requirements, 'asset'),
    payee: fieldOf(requirements, 'payTo'),
  })

/** What is paid once, or in parts of a deposit. Of anything else, such as a subscription, nobody knows what it comes to. */
const PRICED: readonly unknown[] = ['charge', 'session', undefined]

/** What the challenge that an mpp client chose asks for, and on which rail. */
export function mppAsked(challenge: unknown): { readonly rail: 'x402' | 'mpp'; readonly offer: GuardOffer } {
  const [method, intent, request] = ['method', 'intent', 'request'].map((name) => fieldOf(challenge, name))
  const asset = fieldOf(request, 'currency')
  // mppx pays x402 offers too. Unlike its own they name no currency, without which it signs nothing of its own.
  if (method === 'evm' && asset === undefined) return { rail: 'x402', offer: x402Offer(request) }
  const isTempo = method === 'tempo'
  const chain = chainIdIn(fieldOf(fieldOf(request, 'methodDetails'), 'chainId') ?? (isTempo && 4217))
  const isCard = method === 'stripe' || method === 'card'
  const offer = offerOf({
    amounts: PRICED.includes(intent) ? [fieldOf(request, 'amount')] : [],
    deposit: fieldOf(request, 'suggestedDeposit'),
    network: isCard || !chain ? undefined : `${isTempo ? 'tempo' : 'eip155'}:${chain}`,
    asset,
    payee: fieldOf(request, 'recipient'),
    ...(isCard && isDollar(null, String(asset)) && { decimals: 2 }),
  })
  return { rail: 'mpp', offer }
}
