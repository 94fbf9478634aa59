import { assetKey, decimalsOf, dollarNetwork, PATH_USD } from './asset.ts'
import { TEMPO_USDC } from './dollar-networks.ts'
import { dollarDecimals } from './known-networks.ts'

const USDC_DECIMALS = 6

/**
 * What people call an asset, as far as the tables of known dollars tell; `null` of all others: anybody may call a token USDC. The
 * tables that browsers load have the USDC of each network, and behind it the older bridged form.
 */
export function assetName(network: string, asset: string): string | null {
  if (dollarDecimals(network, asset) === undefined) return null
  const known = dollarNetwork(network)
  const key = assetKey(known?.id ?? network, asset)
  if (key === PATH_USD) return 'pathUSD'
  const at = [...(known?.dollars.keys() ?? [])].indexOf(key)
  // What has other decimals is no USDC of Circle's.
  if (at === -1 || decimalsOf(network, asset) !== USDC_DECIMALS) return 'a known dollar'
  return at > 0 || key === TEMPO_USDC ? 'bridged USDC' : 'USDC'
}
