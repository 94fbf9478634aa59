import { DOLLAR_NETWORKS, networkFinder, TEMPO_USDC } from './dollar-networks.ts'

/** pathUSD, which every Tempo network carries at the same address. */
export const PATH_USD = '0x20c0000000000000000000000000000000000000'
const PATH_USD_DECIMALS = 6

export const dollarNetwork = networkFinder(DOLLAR_NETWORKS)

/** Addresses in hexadecimal digits differ in case alone; Solana mints do not. `eip155:8453/erc20:0x…` names its network a second time. */
export function assetKey(network: string, asset: string): string {
  const plain = asset.startsWith(`${network}/`) ? asset.slice(asset.indexOf(':', network.length) + 1) : asset
  return /^0x[\da-f]+$/i.test(plain) ? plain.toLowerCase() : plain
}

/**
 * How many decimals one dollar of this asset has; `undefined` unless it is a known dollar on that very network. `find`: among which
 * networks; those that browsers load, unless others are given.
 */
export function decimalsOf(network: string, asset: string, find = dollarNetwork): number | undefined {
  const known = find(network)
  const id = known?.id ?? network
  const name = assetKey(id, asset)
  if (name === PATH_USD && /^tempo:\d+$/.test(id)) return PATH_USD_DECIMALS
  return known?.dollars.get(name)
}

export const TEMPO_MAIN = 'tempo:4217'
/** No network: what has a value there has it on every one of Tempo's. */
const ANY_TEMPO = 'tempo:0'

export interface NetworkMoney {
  readonly network: string | null
  readonly decimals: number | undefined
}

/** Where money on Tempo goes and how its amounts count. `undefined`: no network is named; `null`: it is not understood. */
export function tempoMoney(named: string | null | undefined, currency: string): NetworkMoney {
  const isMain = named === undefined && currency.toLowerCase() === TEMPO_USDC
  const network = named ?? (isMain ? TEMPO_MAIN : null)
  return { network, decimals: decimalsOf(network ?? (named === null ? ANY_TEMPO : TEMPO_MAIN), currency) }
}
