import { networkKey } from '../network.ts'

/** The bridged USDC of Tempo's main network: whoever names it without a network means `tempo:4217`. */
export const TEMPO_USDC = '0x20c000000000000000000000b9537d11c60e8b50'

/**
 * Dollar assets whose decimals are published by their issuer, a line each: the number of its chain or its network in CAIP-2
 * form, itself, and its decimals unless they are 6. USDC, on some networks beside its older bridged form (USDC.e, USDbC); the
 * same dollars on test networks, where sellers quote them like the real ones. Anything else has no price here: 6 decimals are
 * never guessed.
 */
const DOLLARS = `1 0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48
10 0x0b2c639c533813f4aa9d7837caf62653d097ff85
10 0x7f5c764cbc14f9669b88837ca1490cca17c31607
56 0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d 18
137 0x3c499c542cef5e3811e1192ce70d8cc03d5c3359
137 0x2791bca1f2de4661ed88a30c99a7a9449aa84174
143 0x754704bc059f8c67012fed69bc8a327a5aafb603
480 0x79a02482a880bce3f13e09da970dc34db4cd24d1
8453 0x833589fcd6edb6e08f4c7c32d4f71b54bda02913
8453 0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca
42161 0xaf88d065e77c8cc2239327c5edb3a432268e5831
42161 0xff970a61a04b1ca14834a43f5de4533ebddb5cc8
43114 0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e
43114 0xa7d7079b0fead91f3e65f86e8915cb59c1a4c664
solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v
tempo:4217 ${TEMPO_USDC}
43113 0x5425890298aed601595a70ab815c96711a31bc65
80002 0x41e94eb019c0762f9bfcf9fb1e58725bfb0e7582
84532 0x036cbd53842c5426634e7929541ec2318f3dcf7e
421614 0x75faf114eafb1bdbe2f0316df893fd58ce46aa4d
11155111 0x1c7d4b196cb0c7b01d743fbc6116a902379c7238
11155420 0x5fd84259d66cd46123540766be93dfe6d43130d7
solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1 4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU`

/** A map, because a stranger may name `constructor` as network or asset. */
const TABLE = new Map(
  DOLLARS.split('\n').map((line) => {
    const [network, asset, decimals = 6] = line.split(' ')
    return [`${Number(network) ? 'eip155:' : ''}${network} ${asset}`, Number(decimals)]
  }),
)

/** pathUSD, which every Tempo network carries at the same address. */
const PATH_USD = '0x20c0000000000000000000000000000000000000'
const PATH_USD_DECIMALS = 6

/** EVM addresses differ in case alone; Solana mints do not. `eip155:8453/erc20:0x…` names its network a second time. */
function assetKey(network: string, asset: string): string {
  const plain = asset.startsWith(`${network}/`) ? asset.slice(asset.indexOf(':', network.length) + 1) : asset
  return /^0x[0-9a-f]{40}$/i.test(plain) ? plain.toLowerCase() : plain
}

/** How many decimals one dollar of this asset has; `undefined` unless it is a known dollar on that very network. */
export function decimalsOf(network: string, asset: string): number | undefined {
  const key = String(networkKey(network))
  const name = assetKey(key, asset)
  if (name === PATH_USD && /^tempo:\d+$/.test(key)) return PATH_USD_DECIMALS
  return TABLE.get(`${key} ${name}`)
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
