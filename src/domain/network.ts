/** A network that is known by name: its CAIP-2 form, and how else it is written. */
interface KnownNetwork {
  readonly id: string
  /** What people call it, and further names; spaces, dashes, underscores and case do not count. */
  readonly names: readonly string[]
  /** Its money is worth nothing. */
  readonly isTest: boolean
}

/**
 * A line each: its id and its names. A chain's number stands for its id of `eip155`. Tempo is an EVM chain with a namespace of
 * its own: `eip155:4217` is `tempo:4217`. Algorand's id has its whole genesis hash in base64, as x402 writes it.
 */
const WITH_MONEY = `1,Ethereum,eth
10,Optimism,op,oeth
56,BNB Smart Chain,bsc,bnb,bnb chain,binance smart chain
100,Gnosis,gnosis chain,xdai
130,Unichain
137,Polygon,matic,polygon pos
143,Monad
146,Sonic
196,X Layer
324,ZKsync Era,zksync
480,World Chain,world
999,HyperEVM
1329,Sei,sei evm
1514,Story
2741,Abstract
3338,peaq
4689,IoTeX
5000,Mantle
8453,Base
9745,Plasma
41923,EDU Chain
42161,Arbitrum One,arbitrum,arb
42220,Celo
43114,Avalanche,avax,avalanche c,avalanche c chain
57073,Ink
59144,Linea
80094,Berachain
534352,Scroll
1187947933,SKALE Base
solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp,Solana,sol,solana mainnet beta
tempo:4217,Tempo,eip155:4217,4217
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
43113,Avalanche Fuji,fuji,avalanche testnet,avax fuji
44787,Celo Alfajores,alfajores
59141,Linea Sepolia
80002,Polygon Amoy,amoy,polygon testnet,matic amoy
84532,Base Sepolia,base testnet
534351,Scroll Sepolia
421614,Arbitrum Sepolia,arb sepolia,arbitrum testnet
11155111,Ethereum Sepolia,sepolia,eth sepolia
11155420,Optimism Sepolia,op sepolia,optimism testnet
324705682,SKALE Base Sepolia
solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1,Solana Devnet,sol devnet
solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z,Solana Testnet,sol testnet
tempo:42431,Tempo Moderato,tempo testnet,moderato,eip155:42431,42431
stellar:testnet,Stellar Testnet
algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI=,Algorand Testnet`

/** Of a chain also its number alone, as wallets write it, and its id with another sign in it. */
const knownIn = (lines: string, isTest: boolean): KnownNetwork[] =>
  lines.split('\n').map((line) => {
    const [id = '', ...names] = line.split(',')
    const n = Number(id)
    return n
      ? { id: `eip155:${id}`, names: [...names, id, `0x${n.toString(16)}`, `eip155 ${id}`], isTest }
      : { id, names, isTest }
  })

const KNOWN = [...knownIn(WITH_MONEY, false), ...knownIn(TESTS, true)]

/** Writings of one name are equal in this form. */
const squeezed = (text: string): string => text.toLowerCase().replace(/[\s_.:-]+/g, '')

/** Those that may be called so besides their names (`Base L2`): any `Ethereum L2` is one of many. */
const LAYERS_2 = new Set(
  '10,130,196,300,324,480,1301,1952,2741,4801,5000,5003,8453,11124,42161,42220,44787,57073,59141,59144,84532,421614,534351,534352,11155420'
    .split(',')
    .map((id) => `eip155:${id}`),
)

/** `Base`, and of a network with real money `Base Mainnet` too. */
const namesOf = ({ id, names, isTest }: KnownNetwork): readonly string[] => {
  const words = names.filter((text) => /^[a-z ]+$/i.test(text))
  const main = isTest ? [] : words.map((text) => `${text} mainnet`)
  const layers = LAYERS_2.has(id) ? [...words, ...main].map((text) => `${text} l2`) : []
  return [...names, ...main, ...layers]
}

/** By its id, and by each of its names. A map, because a stranger may name `constructor` as a network. */
const BY_NAME = new Map(
  KNOWN.flatMap((network) => [network.id, ...namesOf(network).map(squeezed)].map((name) => [name, network])),
)

/** `Base Network`, `Base chain`: what is said of a network besides its name. */
const GENERAL = /(network|(block)?chain)$/

function knownAs(written: string): KnownNetwork | undefined {
  const text = written.trim()
  const name = squeezed(text)
  const general = /[:.]/.test(text) ? '' : name.replace(GENERAL, '')
  return BY_NAME.get(text) ?? BY_NAME.get(name) ?? BY_NAME.get(general) ?? knownTwice(text)
}

const TWICE = /^([\w -]{1,60}?) ?\(([\w:-]{1,60})\)$/

/** `Base (8453)`, where both say the same. */
function knownTwice(text: string): KnownNetwork | undefined {
  const [, name = '', also = ''] = TWICE.exec(text) ?? []
  const known = BY_NAME.get(squeezed(name))
  return known !== undefined && knownAs(also) === known ? known : undefined
}

/** A word, or an id of 32 bytes in base64, whose signs stand in no other (`algorand:…=`). */
const FORM = /^[a-z\d]([\w:.-]{0,99}|[a-z\d]+:[a-z\d+/]{43}=)$/i
const WORDS = /^[a-z\d]+([ _-][a-z\d]+)*$/i

/** Whether a text can name any network, known or not: it is printed inside lines, so no spaces and no commas. */
export const isNetwork = (text: string): boolean => FORM.test(text)

/** Whether a source's text names a network: one with spaces only where a known one's name is in it (`Base Sepolia`, `Ethereum L2`). */
export const isListedNetwork = (text: string): boolean =>
  isNetwork(text) ||
  (text.length <= 100 && (WORDS.test(text) || TWICE.test(text)) && knownAs(text.replace(/ l2$/i, '')) !== undefined)

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

/** `42431`, `eip155:42431` or `0xa5bf`. */
const CHAIN_ID = /^(?:(?:eip155:)?([1-9]\d{0,15})|0x0*[1-9a-f][\da-f]{0,12})$/i

/** A chain as mpp writes it, in decimal digits. `undefined`: none is stated; `null`: what is stated is not understood. */
export function chainIdIn(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return undefined
  const [hex, decimal] = CHAIN_ID.exec(typeof value === 'object' ? '' : String(value)) ?? []
  return decimal ?? (hex ? String(BigInt(hex)) : null)
}
