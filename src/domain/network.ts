/**
 * Named networks as x402 version 1 and directories write them, with their CAIP-2 form. Networks are printed as the
 * source wrote them and compared in this form.
 */
const CAIP2_OF: Readonly<Record<string, string>> = {
  ethereum: 'eip155:1',
  optimism: 'eip155:10',
  bsc: 'eip155:56',
  polygon: 'eip155:137',
  'polygon-amoy': 'eip155:80002',
  sei: 'eip155:1329',
  'sei-testnet': 'eip155:1328',
  iotex: 'eip155:4689',
  peaq: 'eip155:3338',
  abstract: 'eip155:2741',
  'abstract-testnet': 'eip155:11124',
  base: 'eip155:8453',
  'base-sepolia': 'eip155:84532',
  arbitrum: 'eip155:42161',
  'arbitrum-sepolia': 'eip155:421614',
  avalanche: 'eip155:43114',
  'avalanche-fuji': 'eip155:43113',
  'skale-base-sepolia': 'eip155:324705682',
  solana: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  'solana-devnet': 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
  tempo: 'tempo:4217',
}

/** A map, because a stranger may name `constructor` as a network. */
const NAMED = new Map(Object.entries(CAIP2_OF))

const FORM = /^[A-Za-z0-9][A-Za-z0-9:._-]{0,99}$/

/** Whether a text can name a network at all (it is printed inside lines, so no spaces and no commas). */
export const isNetwork = (text: string): boolean => FORM.test(text)

/** The form in which two names of one network are equal. Tempo is an EVM chain: `eip155:4217` is `tempo:4217`. */
export function networkKey(network: string): string {
  const named = NAMED.get(network.toLowerCase())
  if (named !== undefined) return named
  const tempo = /^eip155:(4217|42431)$/.exec(network)
  return tempo ? `tempo:${tempo[1]}` : network
}
