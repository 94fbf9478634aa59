import { dollarDecimals } from '../../domain/money/known-networks.ts'
import { networkKey } from '../../domain/network.ts'
import { walletKey } from '../../domain/wallet.ts'
import { networkKind } from '../nodes.ts'
import type { PaymentConfig } from '../settings.ts'

/** A dollar that the operator has named beside the well-known ones. */
export interface ExtraAsset {
  /** CAIP-2 form. */
  readonly network: string
  readonly asset: string
  readonly decimals: number
}

/** How many decimals one dollar of an asset has on a network; `undefined` when it is no known dollar. */
export type Decimals = (network: string, asset: string) => number | undefined

export function dollarsWith(extraAssets: readonly ExtraAsset[]): Decimals {
  const keyOf = (network: string, asset: string): string => `${networkKey(network)} ${walletKey(asset)}`
  const extra = new Map(extraAssets.map(({ network, asset, decimals }) => [keyOf(network, asset), decimals]))
  return (network, asset) => dollarDecimals(network, asset) ?? extra.get(keyOf(network, asset))
}

const MPP_DECIMALS = 6

/** The dollars named in `X402_NETWORKS`, and `MPP_CURRENCY` on every Tempo network that has a node. */
export function extraAssetsOf({ x402, mpp, rpcUrls }: PaymentConfig): ExtraAsset[] {
  const named = x402.networks.flatMap(({ network, dollar }) =>
    dollar === null ? [] : [{ network, asset: dollar.asset, decimals: dollar.decimals }],
  )
  const { currency } = mpp
  if (currency === undefined) return named
  const onTempo = [...rpcUrls.keys()].filter((network) => networkKind(network) === 'tempo')
  return [...named, ...onTempo.map((network) => ({ network, asset: currency, decimals: MPP_DECIMALS }))]
}
