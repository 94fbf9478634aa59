import type { Offer } from '../../domain/challenge.ts'
import { accountOf, field, isFields, networkOf } from './guards.ts'
import { priceIn } from './money.ts'

const AMOUNTS = ['amount', 'maxAmountRequired']
const TERMS = ['network', ...AMOUNTS, 'asset', 'payTo']

/**
 * One entry of an x402 `accepts` list: version 1 writes `maxAmountRequired` and named networks, version 2 `amount` and
 * CAIP-2. Some write the asset's symbol as `asset` and its address as `assetAddress`.
 */
export function readAccept(value: unknown): Offer | undefined {
  if (!isFields(value) || !TERMS.some((name) => Object.hasOwn(value, name))) return undefined
  const network = networkOf(field(value, 'network'))
  const asset = accountOf(field(value, 'assetAddress')) ?? accountOf(field(value, 'asset'))
  const amount = AMOUNTS.map((name) => field(value, name)).find(
    (one) => one !== undefined && one !== null && one !== '',
  )
  return {
    rail: 'x402',
    network,
    asset,
    payee: accountOf(field(value, 'payTo')),
    price: priceIn(network, asset, amount),
  }
}
