/** A network that is known by name: its CAIP-2 form, and how else it is written. */
export interface KnownNetwork {
  readonly id: string
  /** What people call it, and further names; spaces, dashes, underscores and case do not count. */
  readonly names: readonly string[]
  /** Its money is worth nothing. */
  readonly isTest: boolean
  /** How many decimals one dollar has, by asset. A map, because a stranger may name `constructor` as an asset. */
  readonly dollars: ReadonlyMap<string, number>
}

/** The bridged USDC of Tempo's main network: whoever names it without a network means `tempo:4217`. */
export const TEMPO_USDC = '0x20c000000000000000000000b9537d11c60e8b50'

/**
 * The networks where dollars are known, apart from all others: browsers load these lines, too. A line each: its id and its
 * names, as of every known network, and behind `$` the dollars whose decimals are published by their issuer: 6, or as many as
 * are said. Anything else has no price here: 6 decimals are never guessed (the dollars of BNB Smart Chain have 18). They are
 * USDC, on some networks beside its older bridged form (USDC.e, USDbC).
 */
const WITH_MONEY = `1,Ethereum,eth$0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48
10,Optimism,op,oeth$0x0b2c639c533813f4aa9d7837caf62653d097ff85,0x7f5c764cbc14f9669b88837ca1490cca17c31607
56,BNB Smart Chain,bsc,bnb,bnb chain,binance smart chain$0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d/18
137,Polygon,matic,polygon pos$0x3c499c542cef5e3811e1192ce70d8cc03d5c3359,0x2791bca1f2de4661ed88a30c99a7a9449aa84174
143,Monad$0x754704bc059f8c67012fed69bc8a327a5aafb603
480,World Chain,world$0x79a02482a880bce3f13e09da970dc34db4cd24d1
8453,Base$0x833589fcd6edb6e08f4c7c32d4f71b54bda02913,0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca
42161,Arbitrum One,arbitrum,arb$0xaf88d065e77c8cc2239327c5edb3a432268e5831,0xff970a61a04b1ca14834a43f5de4533ebddb5cc8
43114,Avalanche,avax,avalanche c,avalanche c chain$0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e,0xa7d7079b0fead91f3e65f86e8915cb59c1a4c664
solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp,Solana,sol,solana mainnet beta$EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v
tempo:4217,Tempo,eip155:4217,4217$${TEMPO_USDC}`

/** The same dollars on test networks, where sellers quote them like the real ones. */
const TESTS = `43113,Avalanche Fuji,fuji,avalanche testnet,avax fuji$0x5425890298aed601595a70ab815c96711a31bc65
80002,Polygon Amoy,amoy,polygon testnet,matic amoy$0x41e94eb019c0762f9bfcf9fb1e58725bfb0e7582
84532,Base Sepolia,base testnet$0x036cbd53842c5426634e7929541ec2318f3dcf7e
421614,Arbitrum Sepolia,arb sepolia,arbitrum testnet$0x75faf114eafb1bdbe2f0316df893fd58ce46aa4d
11155111,Ethereum Sepolia,sepolia,eth sepolia$0x1c7d4b196cb0c7b01d743fbc6116a902379c7238
11155420,Optimism Sepolia,op sepolia,optimism testnet$0x5fd84259d66cd46123540766be93dfe6d43130d7
solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1,Solana Devnet,sol devnet$4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU
tempo:42431,Tempo Moderato,tempo testnet,moderato,eip155:42431,42431`

/** Of a chain also its number alone, as wallets write it, and its id with another sign in it. */
export const networksIn = (lines: string, isTest: boolean): KnownNetwork[] =>
  lines.split('\n').map((line) => {
    const [called = '', assets = ''] = line.split('$')
    const [id = '', ...names] = called.split(',')
    const n = Number(id)
    const dollars = new Map(
      (assets.match(/[^,]+/g) ?? []).map((one) => {
        const [asset = '', decimals = 6] = one.split('/')
        return [asset, Number(decimals)]
      }),
    )
    return n
      ? { id: `eip155:${id}`, names: [...names, id, `0x${n.toString(16)}`, `eip155 ${id}`], isTest, dollars }
      : { id, names, isTest, dollars }
  })

export const DOLLAR_NETWORKS = [...networksIn(WITH_MONEY, false), ...networksIn(TESTS, true)]

/** Writings of one name are equal in this form. */
const squeezed = (text: string): string => text.toLowerCase().replace(/[\s_.:-]+/g, '')

/** `Base`, and of a network with real money `Base Mainnet` too. */
const namesOf = ({ names, isTest }: KnownNetwork): readonly string[] =>
  isTest ? names : [...names, ...names.map((text) => `${text} mainnet`)]

/**
 * `Base Network`, `Base chain`, `Base L2`: what is said of a network besides its name; the last only of those that are one, known
 * here by how they begin. An `Ethereum L2` is any of many.
 */
const GENERAL = /^((arb|base|linea|op|scroll|zk).*)l2$|(network|(block)?chain)$/

/** `Base (8453)`. */
export const TWICE = /^([\w -]{1,60}?) ?\(([\w:-]{1,60})\)$/

/** Finds one of these by its id, and by each of its names, in any writing. */
export function networkFinder(networks: readonly KnownNetwork[]): (written: string) => KnownNetwork | undefined {
  // A map, because a stranger may name `constructor` as a network.
  const byName = new Map(
    networks.flatMap((network) => [network.id, ...namesOf(network).map(squeezed)].map((name) => [name, network])),
  )
  // Nearly always it is written as it is kept, `base` or `eip155:8453`.
  const knownAs = (written: string): KnownNetwork | undefined => byName.get(written) ?? knownOtherwise(written.trim())
  function knownOtherwise(text: string): KnownNetwork | undefined {
    const name = squeezed(text)
    const general = /[:.]/.test(text) ? '' : name.replace(GENERAL, '$1')
    return byName.get(text) ?? byName.get(name) ?? byName.get(general) ?? knownTwice(text)
  }
  /** Where both say the same. */
  function knownTwice(text: string): KnownNetwork | undefined {
    const [, name = '', also = ''] = TWICE.exec(text) ?? []
    const known = byName.get(squeezed(name))
    return known !== undefined && knownAs(also) === known ? known : undefined
  }
  return knownAs
}
