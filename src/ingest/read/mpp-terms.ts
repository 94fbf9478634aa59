import type { Offer } from '../../domain/challenge.ts'
import { type NetworkMoney, tempoMoney } from '../../domain/money/asset.ts'
import { chainIdIn } from '../../domain/money/chain-id.ts'
import type { MicroDollars } from '../../domain/money/price.ts'
import { priceFromBaseUnits } from '../../domain/money/price.ts'
import { networkKey, networkOf } from '../../domain/network.ts'
import { CARD_METHODS, decimalsBy, networkBy, usdcProfile } from '../../wire/challenge/mpp-methods.ts'
import { accountOf, type Fields, field, fieldsOf, isFields } from './guards.ts'
import { baseUnits } from './money.ts'
import { isOfACall } from './of-a-call.ts'
import { decimalsIn } from './place.ts'

const OFF_CHAIN = [...CARD_METHODS, 'lightning']

const isStated = (value: unknown): boolean => value !== undefined && value !== null

/** All that agree; `undefined`: none is named; `null`: one is not understood, or two differ. */
function oneOf(named: readonly (string | null | undefined)[]): string | null | undefined {
  const stated = named.filter((network) => network !== undefined)
  const [first] = stated
  const isOne = stated.every((network) => network && first && networkKey(network) === networkKey(first))
  return isOne ? first : null
}

/** A network that any method may name, and chains by their numbers. */
function networkNamed(terms: Fields, method: string | null): string | null | undefined {
  const details = field(terms, 'methodDetails')
  const chains = [field(terms, 'chainId'), field(terms, 'chain_id'), field(fieldsOf(details), 'chainId')]
  return oneOf([
    ...[field(terms, 'network'), field(terms, 'chain')].filter(isStated).map(networkOf),
    ...chains.map(chainIdIn).map((id) => id && `${method === 'tempo' ? 'tempo' : 'eip155'}:${id}`),
    isStated(details) && !isFields(details) ? null : undefined,
  ])
}

/** Of methods whose chains have names or numbers of their own. */
function networkByMethod(terms: Fields, method: string): string | null {
  const details = field(terms, 'methodDetails')
  const kind = method === 'usdc' ? (usdcProfile(details) ?? 'evm') : method
  const inside = method === 'usdc' ? field(fieldsOf(details), kind) : details
  if (isStated(details) && !isFields(details)) return null
  const places = [terms, fieldsOf(inside)]
  const ids = places.flatMap((place) => ['chainId', 'chain_id'].map((name) => chainIdIn(field(place, name))))
  const words = places.flatMap((place) => ['network', 'chain'].map((name) => field(place, name))).filter(isStated)
  const byNumber = ids.flatMap((id) => (id === undefined ? [] : [id && networkBy(kind, id, undefined)]))
  const byWord = words.map((word) => (kind === 'evm' ? networkOf(word) : networkBy(kind, undefined, word)))
  const unsaid = byNumber.length + byWord.length === 0 ? [networkBy(kind, undefined, undefined)] : []
  return oneOf([...byNumber, ...byWord, ...unsaid]) ?? null
}

const OWN_NAMES = ['solana', 'stellar', 'hedera', 'usdc']

/** Where the money goes and how the amount counts. */
export function mppMoney(terms: Fields): NetworkMoney {
  const method = accountOf(field(terms, 'method'))?.toLowerCase() ?? null
  const currency = accountOf(field(terms, 'currency')) ?? ''
  // What is paid by card or by invoice is on no chain, whatever network of cards is named.
  if (method !== null && OFF_CHAIN.includes(method))
    return { network: null, decimals: decimalsBy(method, currency, null) }
  if (method !== null && OWN_NAMES.includes(method)) {
    const network = networkByMethod(terms, method)
    return { network, decimals: decimalsBy(method, currency, network) }
  }
  const { network, decimals } = tempoMoney(networkNamed(terms, method), currency)
  return { network, decimals: method === 'tempo' ? decimals : decimalsBy(method ?? '', currency, network) }
}

function priceOf(terms: Fields, decimals: number | undefined): MicroDollars | null {
  const stated = field(terms, 'decimals')
  const units = baseUnits(field(terms, 'amount'))
  if (units === undefined || decimals === undefined || field(terms, 'dynamic') === true) return null
  // Decimals that contradict the asset's own make the amount unreadable.
  if (stated !== undefined && stated !== null && decimalsIn(stated) !== decimals) return null
  return priceFromBaseUnits(units, decimals) ?? null
}

/** One offer of the mpp rail as directories and sellers' documents write it; amounts are base units. */
export function readMppTerms(terms: Fields): Offer {
  const { network, decimals } = mppMoney(terms)
  return {
    rail: 'mpp',
    network,
    asset: accountOf(field(terms, 'currency')),
    payee: accountOf(field(terms, 'recipient')) ?? accountOf(field(terms, 'payTo')),
    price: priceOf(terms, decimals),
  }
}

/** As a directory has it, but for what a call may have any number of: of that a seller's amount is no price of a call. */
export const mppOffer = (terms: Fields): Offer => {
  const offer = readMppTerms(terms)
  return isOfACall(terms, true) ? offer : { ...offer, price: null }
}
