import { chainIdIn } from '../../domain/chain-id.ts'
import { isDollar } from '../../domain/guard/price-facts.ts'
import { decimalsOf } from '../../domain/money/asset.ts'
import { formatPrice, priceFromBaseUnits } from '../../domain/money/price.ts'
import { fieldOf, textOf } from './field.ts'

/** What a seller asks for now. */
export interface GuardOffer {
  /** Dollars, such as `0.020000`; `null` where the asset has no known dollar value. */
  readonly price: string | null
  readonly network: string | null
  readonly asset?: string | undefined
  readonly payee?: string | undefined
}

/** A seller's own words may be of any length: what is longer than any name is cut, and then known to nobody. */
const LONGEST = 200

const wordIn = (value: unknown): string | undefined =>
  textOf(typeof value === 'number' ? String(value) : value)
    ?.slice(0, LONGEST)
    .toWellFormed()

/** As the paying client reads it, hexadecimal too; an empty text is no amount. */
function unitsIn(amount: unknown): bigint | undefined {
  try {
    return BigInt(String(amount).trim() || 'none')
  } catch {
    return undefined
  }
}

interface Terms {
  readonly units: bigint | undefined
  readonly network: string | undefined
  readonly asset: unknown
  readonly payee: unknown
  /** Of an asset that is counted without a network. */
  readonly decimals?: number
}

function offerOf({ units, network, asset, payee, decimals }: Terms): GuardOffer {
  const [assetName, payeeName] = [wordIn(asset), wordIn(payee)]
  const known = decimals ?? (network && assetName ? decimalsOf(network, assetName) : undefined)
  const isPriced = known !== undefined && units !== undefined && units >= 0n
  return {
    // What is more than can be counted is the most that can.
    price: isPriced ? formatPrice(priceFromBaseUnits(units, known) ?? Number.MAX_SAFE_INTEGER) : null,
    network: network ?? null,
    asset: assetName,
    payee: payeeName,
  }
}

/** Of the payment requirements that an x402 client chose, of either version. */
export const x402Offer = (requirements: unknown): GuardOffer =>
  offerOf({
    units: unitsIn(fieldOf(requirements, 'amount')) ?? unitsIn(fieldOf(requirements, 'maxAmountRequired')),
    network: wordIn(fieldOf(requirements, 'network')),
    asset: fieldOf(requirements, 'asset'),
    payee: fieldOf(requirements, 'payTo'),
  })

/** Of the challenge that an mpp client chose. */
export function mppOffer(challenge: unknown): GuardOffer {
  const request = fieldOf(challenge, 'request')
  const method = fieldOf(challenge, 'method')
  const isTempo = method === 'tempo'
  const chain = chainIdIn(fieldOf(fieldOf(request, 'methodDetails'), 'chainId') ?? (isTempo ? 4217 : null))
  const asset = fieldOf(request, 'currency')
  const isCard = method === 'stripe' || method === 'card'
  return offerOf({
    units: unitsIn(fieldOf(request, 'amount')),
    network: isCard || !chain ? undefined : `${isTempo ? 'tempo' : 'eip155'}:${chain}`,
    asset,
    payee: fieldOf(request, 'recipient'),
    ...(isCard && isDollar(null, String(asset)) && { decimals: 2 }),
  })
}
