/** A network that is known by name: its CAIP-2 form, what people call it, and how else it is written. */
interface KnownNetwork {
  readonly id: string
  readonly name: string
  /** Further names; spaces, dashes, underscores and case do not count. */
  readonly also?: readonly string[]
  /** Its money is worth nothing. */
  readonly isTest?: true
}

const EVM: readonly (readonly [chain: number, name: string, also?: readonly string[]])[] = [
  [1, 'Ethereum', ['eth']],
  [10, 'Optimism', ['op', 'oeth']],
  [56, 'BNB Smart Chain', ['bsc', 'bnb', 'bnb chain', 'binance smart chain']],
  [100, 'Gnosis', ['gnosis chain', 'xdai']],
  [130, 'Unichain'],
  [137, 'Polygon', ['matic', 'polygon pos']],
  [143, 'Monad'],
  [146, 'Sonic'],
  [196, 'X Layer'],
  [324, 'ZKsync Era', ['zksync']],
  [480, 'World Chain', ['world']],
  [999, 'HyperEVM'],
  [1329, 'Sei', ['sei evm']],
  [1514, 'Story'],
  [2741, 'Abstract'],
  [3338, 'peaq'],
  [4689, 'IoTeX'],
  [5000, 'Mantle'],
  [8453, 'Base'],
  [9745, 'Plasma'],
  [41923, 'EDU Chain', ['educhain']],
  [42161, 'Arbitrum One', ['arbitrum', 'arb']],
  [42220, 'Celo'],
  [43114, 'Avalanche', ['avax', 'avalanche c', 'avalanche c chain']],
  [57073, 'Ink'],
  [59144, 'Linea'],
  [80094, 'Berachain'],
  [534352, 'Scroll'],
  [1187947933, 'SKALE Base'],
]

const EVM_TESTS: typeof EVM = [
  [97, 'BNB Smart Chain Testnet', ['bsc testnet', 'bnb testnet']],
  [300, 'ZKsync Sepolia'],
  [1301, 'Unichain Sepolia'],
  [1328, 'Sei Testnet'],
  [1952, 'X Layer Testnet'],
  [4801, 'World Chain Sepolia', ['world sepolia']],
  [5003, 'Mantle Sepolia'],
  [10143, 'Monad Testnet'],
  [11124, 'Abstract Testnet'],
  [43113, 'Avalanche Fuji', ['fuji', 'avalanche testnet', 'avax fuji']],
  [44787, 'Celo Alfajores', ['alfajores']],
  [59141, 'Linea Sepolia'],
  [80002, 'Polygon Amoy', ['amoy', 'polygon testnet', 'matic amoy']],
  [84532, 'Base Sepolia', ['base testnet']],
  [534351, 'Scroll Sepolia'],
  [421614, 'Arbitrum Sepolia', ['arb sepolia', 'arbitrum testnet']],
  [11155111, 'Ethereum Sepolia', ['sepolia', 'eth sepolia']],
  [11155420, 'Optimism Sepolia', ['op sepolia', 'optimism testnet']],
  [324705682, 'SKALE Base Sepolia'],
]

const evm = ([chain, name, also = []]: (typeof EVM)[number]): KnownNetwork => ({
  id: `eip155:${chain}`,
  name,
  // A chain's number alone, as wallets write it, and an id with another sign in it.
  also: [...also, String(chain), `0x${chain.toString(16)}`, `eip155 ${chain}`],
})

const KNOWN: readonly KnownNetwork[] = [
  ...EVM.map(evm),
  ...EVM_TESTS.map((row): KnownNetwork => ({ ...evm(row), isTest: true })),
  { id: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', name: 'Solana', also: ['sol', 'solana mainnet beta'] },
  { id: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', name: 'Solana Devnet', also: ['sol devnet'], isTest: true },
  { id: 'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z', name: 'Solana Testnet', also: ['sol testnet'], isTest: true },
  // Tempo is an EVM chain with a namespace of its own: `eip155:4217` is `tempo:4217`.
  { id: 'tempo:4217', name: 'Tempo', also: ['eip155:4217', '4217'] },
  {
    id: 'tempo:42431',
    name: 'Tempo Moderato',
    also: ['tempo testnet', 'moderato', 'eip155:42431', '42431'],
    isTest: true,
  },
  { id: 'stellar:pubnet', name: 'Stellar', also: ['stellar public'] },
  { id: 'stellar:testnet', name: 'Stellar Testnet', isTest: true },
  { id: 'tron:728126428', name: 'Tron' },
  // Named by its whole genesis hash in x402, and by the beginning of it in CAIP-2's own list.
  {
    id: 'algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=',
    name: 'Algorand',
    also: ['algo', 'algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k'],
  },
  {
    id: 'algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI=',
    name: 'Algorand Testnet',
    also: ['algo testnet', 'algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe'],
    isTest: true,
  },
]

/** Writings of one name are equal in this form. */
const squeezed = (text: string): string => text.toLowerCase().replace(/[\s_.:-]+/g, '')

/** `Base`, and of a network with real money `Base Mainnet` too. */
const namesOf = ({ name, also = [], isTest }: KnownNetwork): string[] => {
  const names = [name, ...also]
  const isWord = (text: string): boolean => /^[a-z ]+$/i.test(text)
  return isTest === true ? names : [...names, ...names.filter(isWord).map((text) => `${text} mainnet`)]
}

/** Maps, because a stranger may name `constructor` as a network. */
const BY_ID = new Map(KNOWN.map((network) => [network.id, network]))
const BY_NAME = new Map(KNOWN.flatMap((network) => namesOf(network).map((name) => [squeezed(name), network])))

/** `Base Network`, `Base chain`, `Base L2`: what is said of a network besides its name. */
const GENERAL = /(?:network|blockchain|chain|l2)$/

function knownAs(written: string): KnownNetwork | undefined {
  const text = written.trim()
  return (
    BY_ID.get(text) ??
    BY_NAME.get(squeezed(text)) ??
    (/[:.]/.test(text) ? undefined : BY_NAME.get(squeezed(text).replace(GENERAL, ''))) ??
    knownTwice(text)
  )
}

const TWICE = /^([A-Za-z0-9 _-]{1,60}?) ?\(([A-Za-z0-9:_-]{1,60})\)$/

/** `Base (8453)`, where both say the same. */
function knownTwice(text: string): KnownNetwork | undefined {
  const [, name = '', also = ''] = TWICE.exec(text) ?? []
  const known = BY_NAME.get(squeezed(name))
  return known !== undefined && (BY_NAME.get(squeezed(also)) ?? BY_ID.get(also.toLowerCase())) === known
    ? known
    : undefined
}

const FORM = /^[A-Za-z0-9][A-Za-z0-9:._-]{0,99}$/
/** `algorand:…=`: 32 bytes in base64 after the colon, with signs that stand in no other id. */
const HASH_FORM = /^[a-z0-9-]{3,8}:[A-Za-z0-9+/]{43}=$/
const WORDS = /^[A-Za-z0-9]+(?:[ _-][A-Za-z0-9]+)*$/

/** Whether a text can name any network, known or not: it is printed inside lines, so no spaces and no commas. */
export const isNetwork = (text: string): boolean => FORM.test(text) || HASH_FORM.test(text)

/** Whether a source's text names a network: one with spaces only where it is a known one's (`Base Sepolia`). */
export const isListedNetwork = (text: string): boolean =>
  isNetwork(text) || (text.length <= 100 && (WORDS.test(text) || TWICE.test(text)) && knownAs(text) !== undefined)

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
export const networkName = (network: string): string | null => knownAs(network)?.name ?? null

/** What stands beside a network that is written as an id or a number, for people: its name. `null` beside a name. */
export const nameBeside = (network: string): string | null => (/[:]|^\d+$/.test(network) ? networkName(network) : null)

/** Whether the money there is worth nothing: known test networks, and those that call themselves so. */
export const isTestNetwork = (network: string): boolean => {
  const known = knownAs(network)
  if (known !== undefined) return known.isTest === true
  return /(?:test|dev)net|sepolia|goerli|holesky|hoodi|(?:^|[:._-])test$/i.test(network)
}
