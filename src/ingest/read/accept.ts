import type { Offer } from '../../domain/challenge.ts'
import { networkOf } from '../../domain/network.ts'
import { statedVersion, versionOfNetwork } from '../../wire/challenge/x402.ts'
import { accountOf, type Fields, field, isFields, textOf } from './guards.ts'
import { baseUnits, priceIn } from './money.ts'
import { readMppTerms } from './mpp-terms.ts'
import { isOfMpp, otherProtocolOf } from './spoken.ts'

const V1_AMOUNT = 'maxAmountRequired'
const V2_AMOUNT = 'amount'
const TERMS = ['network', V1_AMOUNT, V2_AMOUNT, 'asset', 'payTo']

/** The fields of its amount, that of its version first. The version is stated with it or around it; else its network tells. */
function amountFields(accept: Fields, around: unknown): readonly [string, string] {
  const stated = statedVersion(field(accept, 'x402Version') ?? around)
  const version = stated ?? versionOfNetwork(networkOf(field(accept, 'network')))
  return version === 1 ? [V1_AMOUNT, V2_AMOUNT] : [V2_AMOUNT, V1_AMOUNT]
}

/** Whether it asks for more than nothing, whatever that is worth. */
export const isAsking = (accept: Fields): boolean =>
  [V1_AMOUNT, V2_AMOUNT].some((name) => (baseUnits(field(accept, name)) ?? 0n) > 0n)

/** Without the amount of the other version, where its own can be read. `around`: the version of what it stands in. */
export function withOwnAmount(accept: Fields, around: unknown): Fields {
  const [own, other] = amountFields(accept, around)
  if (!Object.hasOwn(accept, other) || baseUnits(field(accept, own)) === undefined) return accept
  return Object.fromEntries(Object.entries(accept).filter(([name]) => name !== other))
}

/**
 * One entry of an x402 `accepts` list: version 1 writes `maxAmountRequired` and named networks, version 2 `amount` and
 * CAIP-2. Some write both. Some write the asset's symbol as `asset` and its address as `assetAddress`. `around`: the version of
 * what it stands in. One that says so is a way to pay by mpp, and one that says that it is on no rail is none.
 */
export function readAccept(value: unknown, around?: unknown): Offer | undefined {
  if (!isFields(value) || !TERMS.some((name) => Object.hasOwn(value, name))) return undefined
  if (otherProtocolOf(value) !== undefined) return undefined
  const isMpp = isOfMpp(value)
  if (isMpp && textOf(value, 'method') !== undefined) return readMppTerms(value)
  const network = networkOf(field(value, 'network'))
  const asset = accountOf(field(value, 'assetAddress')) ?? accountOf(field(value, 'asset'))
  const amounts = amountFields(value, around).map((name) => field(value, name))
  return {
    rail: isMpp ? 'mpp' : 'x402',
    network,
    asset,
    payee: accountOf(field(value, 'payTo')),
    price: priceIn(
      network,
      asset,
      amounts.find((one) => baseUnits(one) !== undefined),
    ),
  }
}
