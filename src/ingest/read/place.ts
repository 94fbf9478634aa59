import { networkKey, networkName, networkOf } from '../../domain/network.ts'
import { accountOf, type Fields, field, fieldsOf, firstFields, isFields, isOff, listOf, textOf } from './guards.ts'
import { isDollar } from './money.ts'

/** What one object of a document says of payment, its amounts aside. */
export interface Place {
  readonly fields: Fields
  readonly networks: readonly string[]
  /** An address, a mint or a symbol, as written. */
  readonly asset: string | null
  /** As named in words: `USD`, `USDC`, `EUR`. */
  readonly currency: string | undefined
  readonly decimals: number | undefined
  readonly payee: string | null
  /** Entries of an x402 `accepts` list. */
  readonly accepts: readonly Fields[]
  /** Objects whose keys are networks. */
  readonly byNetwork: { readonly payees: readonly Fields[]; readonly assets: readonly Fields[] }
}

/** `paymentToken`, `payment_token`. */
const bothCases = (first: string, last: string): string[] => [
  `${first}${last.charAt(0).toUpperCase()}${last.slice(1)}`,
  `${first}_${last}`,
]

/** What is paid in. */
const COINS = ['payment', 'price', 'settlement', 'accepted', 'cost', 'amount', 'pay'].flatMap((first) =>
  ['currency', 'token', 'coin', 'asset', 'symbol'].flatMap((last) => bothCases(first, last)),
)

const coinLists = (first: string): string[] =>
  ['currencies', 'tokens', 'assets', 'coins'].flatMap((last) => bothCases(first, last))

const NAMES = {
  network: [
    'network',
    'chain',
    'chainId',
    'chain_id',
    'blockchain',
    'caip2',
    'payment_network',
    'paymentNetwork',
    'default_network',
    'defaultNetwork',
  ],
  networks: ['networks', 'chains', 'supportedNetworks', 'supported_networks'],
  payee: [
    'payTo',
    'pay_to',
    'payee',
    'recipient',
    'receiver',
    'wallet',
    'walletAddress',
    'wallet_address',
    'payToAddress',
    'pay_to_address',
    'paymentAddress',
    'payment_address',
    'receiverAddress',
    'receiver_address',
    'recipientAddress',
    'recipient_address',
  ],
  /** Says more of an asset than its name. */
  address: [
    'assetAddress',
    'asset_address',
    'tokenAddress',
    'token_address',
    'assetContract',
    'asset_contract',
    'tokenContract',
    'token_contract',
    'currencyAddress',
    'currency_address',
  ],
  asset: ['asset', 'token', 'default_asset', 'defaultAsset'],
  currency: [
    'currency',
    'symbol',
    'assetSymbol',
    'tokenSymbol',
    'asset_symbol',
    'token_symbol',
    'priceCurrency',
    'price_currency',
    'currencyCode',
    'currency_code',
  ],
  /** Says what is paid in, where nothing names the currency of the price. */
  coin: ['denomination', 'denom', 'coin', 'paidIn', 'paid_in', 'tokenName', 'token_name', ...COINS],
  /** The same in a list, where none of them is a dollar. */
  coins: ['currencies', ...['accepted', 'payment', 'supported'].flatMap(coinLists)],
  decimals: ['decimals', 'assetDecimals', 'asset_decimals', 'tokenDecimals', 'token_decimals'],
  extra: ['extra'],
  payees: ['payToByNetwork', 'pay_to_by_network', 'recipients', 'wallets'],
  assets: ['acceptsAsset', 'assetByNetwork', 'assets'],
  accepts: [
    'accepts',
    'paymentRequirements',
    'payment_requirements',
    'paymentOptions',
    'payment_options',
    'payments',
    'prices',
  ],
  /** Ways to pay where it is a list; else the terms of one. */
  ways: ['payment'],
  /** Ways to pay where it is a list of them by network; else the terms of one, or plans. */
  pricing: ['pricing'],
} as const
type Role = keyof typeof NAMES

const ALL: readonly Role[] = [
  'network',
  'networks',
  'payee',
  'address',
  'asset',
  'currency',
  'coin',
  'coins',
  'decimals',
  'extra',
  'payees',
  'assets',
  'accepts',
  'ways',
  'pricing',
]

/** A map, because a field may be named `constructor`. */
const ROLES = new Map<string, Role>(ALL.flatMap((role) => NAMES[role].map((name) => [name, role] as const)))

const MOST_NETWORKS = 32
const MOST_ACCEPTS = 100
/** Of an entry of an `accepts` list. */
const MOST_FIELDS = 100

const isKnown = (network: string | null): network is string => network !== null && networkName(network) !== null

/** A network by itself, or an object that names it. */
function networkIn(value: unknown): string | null {
  if (!isFields(value)) return networkOf(value)
  for (const name of NAMES.network) {
    const network = networkOf(field(value, name))
    if (network !== null) return network
  }
  return ['id', 'name'].map((name) => networkOf(field(value, name))).find(isKnown) ?? null
}

/** A list of networks, or an object whose keys are networks (`{ "base": { … } }`). */
function networksIn(value: unknown): string[] {
  if (Array.isArray(value))
    return value.slice(0, MOST_NETWORKS).flatMap((entry) => (isOff(entry) ? [] : (networkIn(entry) ?? [])))
  const entries = Object.entries(fieldsOf(value)).slice(0, MOST_NETWORKS)
  return entries.flatMap(([key, said]) => (isOff(said) ? [] : (networkUnder(key, said) ?? [])))
}

/**
 * The network that is a key, or the one that is said under it where the key is none by name: `{ "1": "base", "2": "eip155:8453" }`
 * has one for each version. A bare number under a name is an amount or the like, however many chains have numbers.
 */
function networkUnder(key: string, said: unknown): string | undefined {
  const named =
    typeof said === 'string' && isName(said) && !(isName(key) && isKnown(networkOf(key))) ? networkOf(said) : null
  if (isKnown(named)) return named
  return isKnown(networkOf(key)) ? key : undefined
}

const isName = (text: string): boolean => /[a-z]/i.test(text)

/** One network, or several in a list or between commas, where all of them are known. */
function networksNamed(value: unknown): string[] {
  if (Array.isArray(value)) return networksIn(value)
  const parts = typeof value === 'string' && value.length < 500 && value.includes(',') ? value.split(',') : []
  const networks = parts.map(networkOf)
  return networks.length > 0 && networks.every(isKnown) ? networks : [networkIn(value)].filter((one) => one !== null)
}

/** `{ "base": "$0.01", "solana": { … } }`: what is said of each network, as entries of an `accepts` list. */
function acceptsByNetwork(fields: Fields): Fields[] {
  const keys = Object.keys(fields)
  // A number may as well be a quantity.
  const isNetwork = (key: string): boolean => /[a-z]/i.test(key) && isKnown(networkOf(key))
  if (keys.length > MOST_NETWORKS || keys[0] === undefined || !isNetwork(keys[0]) || !keys.every(isNetwork)) return []
  return keys.flatMap((network) => {
    const said = fields[network]
    if (isOff(said)) return []
    return [isFields(said) ? { ...said, network } : { network, price: said }]
  })
}

const EVM_ADDRESS = /^0x[0-9a-f]{40}$/i

/** An asset by itself, or an object with its address. */
const assetIn = (value: unknown): string | null =>
  accountOf(value) ?? accountOf(field(fieldsOf(value), 'address')) ?? accountOf(field(fieldsOf(value), 'asset'))

/** A number of decimals, as a number or as text. */
export function decimalsIn(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,2}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 && number <= 36 ? number : undefined
}

const OFFERED = [...NAMES.network, ...NAMES.payee, 'asset', 'amount', 'maxAmountRequired', 'price']

function acceptsIn(value: unknown): Fields[] {
  const keyed = isFields(value) ? acceptsByNetwork(value) : []
  const entries = isFields(value) ? [value] : listOf(value).slice(0, MOST_ACCEPTS).filter(isFields)
  return (keyed.length > 0 ? keyed : entries)
    .filter((entry) => !isOff(entry) && OFFERED.some((name) => Object.hasOwn(entry, name)))
    .map((entry) => firstFields(entry, MOST_FIELDS))
}

/** A list with an entry for each network. Plans and tiers name none, or one again and again. */
function pricesIn(value: unknown): Fields[] {
  const entries = listOf(value).slice(0, MOST_NETWORKS)
  const networks = entries.map((entry) => (isFields(entry) ? networkIn(entry) : null))
  const isEach = networks.every(isKnown) && new Set(networks.filter(isKnown).map(networkKey)).size === networks.length
  return isEach ? acceptsIn(value) : []
}

const keyedByNetwork = (values: readonly unknown[]): Fields[] =>
  values.filter(isFields).map((fields) => firstFields(fields, MOST_NETWORKS))

/** A list of networks, where each may say who is paid there, and in what. */
function listedByNetwork(value: unknown): Fields[] {
  const entries = listOf(value).slice(0, MOST_NETWORKS).filter(isFields)
  const named = entries.flatMap((entry): [string, Fields][] => {
    const network = networkIn(entry)
    return network === null ? [] : [[network, firstFields(entry, MOST_FIELDS)]]
  })
  return named.length === 0 ? [] : [Object.fromEntries(named)]
}

type Held = Partial<Record<Role, unknown[]>>

const NONE: readonly never[] = []

function firstIn<T>(values: readonly unknown[] | undefined, read: (value: unknown) => T | null | undefined) {
  for (const value of values ?? NONE) {
    const found = read(value)
    if (found !== null && found !== undefined) return found
  }
  return undefined
}

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' ? textOf({ value }, 'value') : undefined
const symbolIn = (value: unknown): string | undefined => textOf(fieldsOf(value), 'symbol', 'code', 'name')

/** `$SPX`, which is no account. */
const tickerIn = (value: unknown): string | undefined => /^\$([a-z]\w*)$/i.exec(textIn(value) ?? '')?.[1]

/** The first of a list of coins where none is a dollar. */
function otherThanDollars(value: unknown): string | undefined {
  const named = listOf(value)
    .slice(0, MOST_NETWORKS)
    .map((one) => textIn(one) ?? symbolIn(one))
  return named.some((one) => one === undefined || isDollar(one) || EVM_ADDRESS.test(one)) ? undefined : named[0]
}

/** What the fields say of the asset, which may be an object with its address, symbol and decimals. */
function moneyIn(held: Held): Pick<Place, 'asset' | 'currency' | 'decimals'> {
  const written = firstIn(held.currency, textIn) ?? firstIn(held.coin, textIn)
  const isAddress = written !== undefined && EVM_ADDRESS.test(written)
  const named = [...(held.asset ?? NONE), ...(held.currency ?? NONE), ...(held.coin ?? NONE)]
  const symbol = firstIn(named, symbolIn) ?? firstIn(held.asset, tickerIn) ?? firstIn(held.coins, otherThanDollars)
  const asset = firstIn(held.address, assetIn) ?? firstIn(held.asset, assetIn)
  const beside = [...(held.asset ?? NONE), ...(held.currency ?? NONE), ...(held.extra ?? NONE)].map(decimalsField)
  return {
    asset: asset ?? (isAddress ? written : firstIn(held.currency?.filter(isFields), assetIn)) ?? null,
    currency: isAddress ? symbol : (written ?? symbol),
    decimals: firstIn(held.decimals, decimalsIn) ?? firstIn(beside, decimalsIn),
  }
}

const NOT_BY_NETWORK: Place['byNetwork'] = { payees: NONE, assets: NONE }

/** Of fields that say nothing. Written out, because to spread an object takes several times as long. */
const placeWithout = (fields: Fields): Place => ({
  fields,
  networks: NONE,
  asset: null,
  currency: undefined,
  decimals: undefined,
  payee: null,
  accepts: acceptsByNetwork(fields),
  byNetwork: NOT_BY_NETWORK,
})

/** One pass over the fields of an object, and nothing more where it says nothing: a document has thousands of them. */
export function readPlace(fields: Fields): Place {
  const held: Held = {}
  let isSaying = false
  for (const name of Object.keys(fields)) {
    const role = ROLES.get(name)
    if (role === undefined) continue
    isSaying = true
    const values = held[role]
    if (values === undefined) held[role] = [fields[name]]
    else values.push(fields[name])
  }
  if (!isSaying) return placeWithout(fields)
  const { network, networks, payee, payees = [], assets = [], accepts = NONE, ways = NONE, pricing = NONE } = held
  const named = [...(network ?? NONE).flatMap(networksNamed), ...(networks ?? NONE).flatMap(networksIn)]
  const keyed = [...keyedByNetwork(networks ?? NONE), ...(networks ?? NONE).flatMap(listedByNetwork)]
  const { asset, currency, decimals } = moneyIn(held)
  return {
    fields,
    networks: named.length > 1 ? [...new Set(named)] : named,
    asset,
    currency,
    decimals,
    payee: firstIn(payee, accountOf) ?? null,
    accepts: [...[...accepts, ...ways.filter(Array.isArray)].flatMap(acceptsIn), ...pricing.flatMap(pricesIn)],
    byNetwork: {
      payees: [...keyedByNetwork([...payees, ...(payee ?? NONE)]), ...keyed],
      assets: [...keyedByNetwork(assets), ...keyed],
    },
  }
}

const decimalsField = (value: unknown): unknown => field(fieldsOf(value), 'decimals')

/** What objects keyed by network say of one, whatever way its key is written. */
export function saidOf(network: string | null, held: readonly Fields[]): unknown {
  if (network === null) return undefined
  for (const fields of held) {
    const key = Object.keys(fields).find((one) => networkKey(one) === networkKey(network))
    if (key !== undefined) return field(fields, key)
  }
  return undefined
}
