import { DOLLAR_NETWORKS, networkFinder, networksIn, TWICE } from './money/dollar-networks.ts'

/**
 * The networks that are known beside those with dollars. A line each: its id and its names. A chain's number stands for its id
 * of `eip155`. Tempo is an EVM chain with a namespace of its own: `eip155:4217` is `tempo:4217`. Algorand's id has its whole
 * genesis hash in base64, as x402 writes it.
 */
const WITH_MONEY = `100,Gnosis,gnosis chain,xdai
130,Unichain
146,Sonic
196,X Layer
324,ZKsync Era,zksync
999,HyperEVM
1329,Sei,sei evm
1514,Story
2741,Abstract
3338,peaq
4689,IoTeX
5000,Mantle
9745,Plasma
41923,EDU Chain
42220,Celo
57073,Ink
59144,Linea
80094,Berachain
534352,Scroll
1187947933,SKALE Base
stellar:pubnet,Stellar,stellar public
tron:728126428,Tron
algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=,Algorand`

const TESTS = `97,BNB Smart Chain Testnet,bsc testnet,bnb testnet
300,ZKsync Sepolia
1301,Unichain Sepolia
1328,Sei Testnet
1952,X Layer Testnet
4801,World Chain Sepolia,world sepolia
5003,Mantle Sepolia
10143,Monad Testnet
11124,Abstract Testnet
44787,Celo Alfajores,alfajores
59141,Linea Sepolia
534351,Scroll Sepolia
324705682,SKALE Base Sepolia
solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z,Solana Testnet,sol testnet
stellar:testnet,Stellar Testnet
algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI=,Algorand Testnet`

const knownAs = networkFinder([...DOLLAR_NETWORKS, ...networksIn(WITH_MONEY, false), ...networksIn(TESTS, true)])

/** A word, or an id of 32 bytes in base64, whose signs stand in no other (`algorand:…=`). */
const FORM = /^[a-z\d]([\w:.-]{0,99}|[a-z\d]+:[a-z\d+/]{43}=)$/i
const WORDS = /^[a-z\d]+([ _-][a-z\d]+)*$/i

/** Whether a text can name any network, known or not: it is printed inside lines, so no spaces and no commas. */
export const isNetwork = (text: string): boolean => FORM.test(text)

/** Whether a stranger's text names a network: one with spaces only where a known one's name is in it (`Base Sepolia`, `Ethereum L2`). */
export const isListedNetwork = (text: string): boolean =>
  isNetwork(text) ||
  (text.length <= 100 && (WORDS.test(text) || TWICE.test(text)) && knownAs(text.replace(/ l2$/i, '')) !== undefined)

/** As somebody wrote it, a chain's bare number included, or `null` where it cannot be printed inside a line. */
export function networkOf(value: unknown): string | null {
  const text = typeof value === 'string' ? value.trim() : Number.isSafeInteger(value) ? String(value) : ''
  return isListedNetwork(text) ? text : null
}

/**
 * The form in which two writings of one network are equal: CAIP-2 where the network is known. Networks are printed as the
 * source wrote them and compared in this form.
 */
export function networkKey(network: string): string {
  const known = knownAs(network)
  if (known !== undefined) return known.id
  return /^eip155:\d+$/i.test(network) ? network.toLowerCase() : network
}

/** What people call the network, whatever way it is written; `null` for one that is not known. */
export const networkName = (network: string): string | null => knownAs(network)?.names[0] ?? null

/** What stands beside a network that is written as an id or a number, for people: its name. `null` beside a name. */
export const nameBeside = (network: string): string | null => (/[:]|^\d+$/.test(network) ? networkName(network) : null)

/** Whether the money there is worth nothing: known test networks, and those that call themselves so. */
export const isTestNetwork = (network: string): boolean => {
  const known = knownAs(network)
  if (known !== undefined) return known.isTest
  return /(?:test|dev)net|sepolia|goerli|holesky|hoodi|(?:^|[:._-])test$/i.test(network)
}
