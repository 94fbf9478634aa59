import type { MicroDollars } from '../../domain/money/price.ts'
import { type Fields, field, fieldWords, isFields, isOff, textOf } from './guards.ts'
import {
  type AmountUnit,
  amountAs,
  baseUnits,
  type Denomination,
  dollars,
  isAmountText,
  microDollars,
} from './money.ts'
import { isOfACall } from './of-a-call.ts'
import type { Place } from './place.ts'

/** What is said of a price: one; that there is none (it varies, or its value is not known: `null`); or nothing. */
export type SaidPrice = MicroDollars | null | undefined

/** Objects that hold the terms of payment of whatever they stand in. */
const INSIDE = [
  ...['price', 'pricing', 'payment', 'cost', 'fee', 'charge', 'amount', 'x402', 'terms'],
  ...['paymentInfo', 'payment_info', 'paymentDetails', 'payment_details', 'paymentTerms', 'payment_terms'],
]
/** A stranger decides how much there is, and it is read again for every route. */
const MOST_PLACES = 12
const MOST_FIELDS = 60

const inside = (fields: Fields): Fields[] => INSIDE.map((name) => field(fields, name)).filter(isFields)

/** An entry and the objects of terms inside it, two deep, the outer ones first. */
export function placesIn(fields: Fields): Fields[] {
  const first = inside(fields)
  return [fields, ...first, ...first.flatMap(inside)].slice(0, MOST_PLACES)
}

const MONEY = new Set(['price', 'cost', 'fee', 'amount', 'usd', 'usdc', 'dollars'])
const IN_DOLLARS = new Set(['usd', 'usdc', 'dollars', 'dollar'])
/** Said of base units, whatever the currency. */
const SMALLEST = new Set(['atomic', 'units', 'raw'])
/** Words that leave the meaning of the others alone. */
const PLAIN = new Set([
  'per',
  'call',
  'request',
  'query',
  'in',
  'advisory',
  'default',
  'value',
  'unit',
  'base',
  'required',
])
/** Beside dollars: their millionths. */
const MILLIONTHS = new Set(['micro', 'micros'])
const BOUNDS = new Set(['min', 'max', 'minimum', 'maximum', 'range', 'floor', 'ceiling', 'from', 'starting', 'upto'])

/** What the name of a field says of the amount in it; `micros`: millionths of a dollar; `bound`: an end of a range; `other`: another currency. */
type Meaning = AmountUnit | 'micros' | 'bound' | 'other'

/** The same few names stand in every entry of every document. */
const KNOWN = new Map<string, Meaning | undefined>()
const MOST_KNOWN = 2_000

function meaningOf(name: string): Meaning | undefined {
  if (!KNOWN.has(name) && KNOWN.size < MOST_KNOWN) KNOWN.set(name, meaningIn(name))
  return KNOWN.has(name) ? KNOWN.get(name) : meaningIn(name)
}

function meaningIn(name: string): Meaning | undefined {
  const all = fieldWords(name)
  const isInMicros = all.some((word) => MILLIONTHS.has(word)) && all.some((word) => IN_DOLLARS.has(word))
  const words = isInMicros ? all.filter((word) => !MILLIONTHS.has(word)) : all
  // `maxAmountRequired` is what has to be paid, and no bound.
  const isExact = words.includes('required')
  const isMoney = words.some((word) => MONEY.has(word))
  if (!isMoney) return undefined
  if (!isExact && words.some((word) => BOUNDS.has(word))) return 'bound'
  const rest = words.filter((word) => !MONEY.has(word) && !PLAIN.has(word) && !SMALLEST.has(word) && !BOUNDS.has(word))
  if (rest.length > 1 || (rest.length === 1 && !/^(?:price|cost)$/.test(words[0] ?? ''))) return undefined
  if (rest.length === 1) return 'other'
  if (isInMicros) return 'micros'
  if (isExact || words.some((word) => SMALLEST.has(word))) return 'base'
  if (words.some((word) => IN_DOLLARS.has(word))) return 'dollars'
  return words.includes('amount') ? 'units' : 'unsaid'
}

/** `value`, `per_call`, `default`. */
const isPlain = (name: string): boolean =>
  fieldWords(name).every((word) => PLAIN.has(word) && word !== 'base' && word !== 'required')

/** Of a field, as opposed to a path that is a key. */
const NAME = /^[A-Za-z_][\w-]*$/

type Named = readonly [meaning: Meaning, name: string, value: unknown]

const ORDER: readonly Meaning[] = ['dollars', 'micros', 'unsaid', 'base', 'units', 'other']

/** A text that says something of a price, readable or not; no address of an asset. */
const isAmount = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '' && !/^\s*0x/.test(value))

const isWhole = (value: unknown): boolean => baseUnits(value) !== undefined

const FREE = /^free$/i
const VARIES = /^(?:dynamic|range|variable|metered|usage|tiered|auction|negotiat\w*|upto|up-to)$/i

const IS_FREE = ['free', 'isFree', 'is_free']
/** A price where it is no object of terms. */
const IN_A_WORD = new Set(['pricing', 'charge'])
const PRICES = ['price', 'pricing', 'cost']
/** Other words there are about how it is paid: `per-call`. */
const saysPrice = (value: unknown): boolean =>
  typeof value === 'number' ||
  (typeof value === 'string' &&
    (isAmountText(value) || /^(?:dynamic|metered|tiered|usage|variable|varies)/i.test(value)))

const modeOf = (place: Fields): string | undefined =>
  textOf(place, 'mode', 'pricingMode', 'pricing_mode', 'model', 'type')

/** Where a place stands. */
interface Standing {
  /** Inside another: there `value` or `per_call` is the amount. */
  readonly isInside: boolean
  readonly isOfX402: boolean
  /** Nothing around it says that its amounts are of anything else. */
  readonly isOfACall: boolean
}

/** In USDC. Up to there a whole number is dollars, and from there on its smallest units; between them it may be either. */
const MOST_DOLLARS = 100n
const LEAST_UNITS = 1_000n

/** What a field that says dollars means. Of `price_usdc: 10000` nobody means ten thousand of them. */
function meaningOfUsdc(name: string, value: unknown, decimals: number | undefined): Meaning {
  const units = fieldWords(name).includes('usdc') ? baseUnits(value) : undefined
  if (units === undefined) return 'dollars'
  if (units >= LEAST_UNITS) return 'base'
  if (decimals !== undefined) return 'unsaid'
  return units < MOST_DOLLARS ? 'dollars' : 'other'
}

/** What the base units of a known dollar that stand in a place ask for. */
const askedIn = (named: readonly Named[], of: Denomination): MicroDollars | undefined =>
  named
    .filter(([meaning, name]) => meaning === 'base' && /^(?:price|amount)$/.test(nounOf(name)))
    .map(([meaning, , value]) => priceOf(meaning, value, of))
    .find((price) => price !== undefined)

/** The price that one place states, in the denomination that holds there. Of a free tier, and of one that is named to say that there is none, only that it is not what stands around it. */
function saidAt({ fields: place, decimals }: Place, of: Denomination, standing: Standing): SaidPrice {
  const mode = modeOf(place) ?? ''
  const named = Object.entries(place)
    .filter(([name, value]) => NAME.test(name) && isAmount(value))
    .slice(0, MOST_FIELDS)
    .flatMap(([name, value]): Named[] => {
      if (IN_A_WORD.has(name)) return saysPrice(value) ? [['unsaid', name, value]] : []
      const meaning = meaningOf(name) ?? (standing.isInside && isPlain(name) ? 'unsaid' : undefined)
      if (meaning === undefined) return []
      const here = meaning === 'dollars' ? meaningOfUsdc(name, value, decimals) : meaning
      return [[standing.isOfX402 && here === 'units' ? 'base' : here, name, value]]
    })
  const stated = NOUNS.map((noun) => statedAs(noun, named, of)).find((price) => price !== undefined)
  // Of a free tier beside a price nobody knows whether the next call is one of it.
  if (FREE.test(mode) || IS_FREE.some((name) => field(place, name) === true))
    return stated === 0 || named.length === 0 ? 0 : null
  const bounds = named.filter(([meaning]) => meaning === 'bound')
  if (VARIES.test(mode) || field(place, 'dynamic') === true) return withoutWidth(bounds, of)
  if (named.length > 0 && !standing.isOfACall) return null
  const asked = askedIn(named, of)
  // Clients are asked for these, whatever stands beside them.
  if (asked !== undefined && standing.isOfX402) return asked
  if (stated !== undefined) return asked === undefined || asked === stated ? stated : null
  if (bounds.length > 0) return withoutWidth(bounds, of)
  const isNone = PRICES.some((name) => Object.hasOwn(place, name) && isOff(field(place, name)))
  return named.length > 0 || isNone || FREE.test(textOf(place, 'tier', 'access') ?? '') ? null : undefined
}

/** A fee stands beside a price, and is none. */
const NOUNS = ['price', 'amount', 'cost', 'fee'] as const

const nounOf = (name: string): (typeof NOUNS)[number] => {
  const words = fieldWords(name)
  return NOUNS.find((noun) => words.includes(noun)) ?? 'price'
}

/** The price that the fields of one noun state; `null` where two of them state different dollars. */
function statedAs(noun: (typeof NOUNS)[number], named: readonly Named[], of: Denomination): SaidPrice {
  const ofNoun = named.filter(([, name]) => nounOf(name) === noun)
  const prices = ORDER.flatMap((wanted) =>
    ofNoun.flatMap(([meaning, , value]) => {
      const price = meaning === wanted ? priceOf(meaning, value, of) : undefined
      const isInDollars = meaning === 'dollars' || meaning === 'micros' || meaning === 'base' || !isWhole(value)
      return price === undefined ? [] : [{ price, isInDollars }]
    }),
  )
  const [first] = prices
  const isOne = prices.every(({ price, isInDollars }) => !isInDollars || price === first?.price)
  return first === undefined || isOne ? first?.price : null
}

function priceOf(meaning: Meaning, value: unknown, of: Denomination): MicroDollars | undefined {
  if (typeof value === 'string' && FREE.test(value.trim())) return 0
  if (meaning === 'bound') return undefined
  // Of a currency whose value is not known, nothing is still nothing.
  if (meaning === 'other') return dollars(value) === 0 ? 0 : undefined
  if (meaning === 'micros') return microDollars(value)
  return amountAs(meaning, value, of)
}

/**
 * What the fields of a price that say dollars in their names state (`priceUsd`, `usd`): `null` where they differ or cannot be read,
 * `undefined` where there are none. A whole number of USDC may be its smallest units.
 */
export function namedDollars(place: Fields): SaidPrice {
  const named = Object.entries(place).filter(
    ([name, value]) =>
      NAME.test(name) &&
      isAmount(value) &&
      meaningOf(name) === 'dollars' &&
      /^(?:price|amount)$/.test(nounOf(name)) &&
      !(isWhole(value) && fieldWords(name).includes('usdc')),
  )
  const [first, ...rest] = named.map(([, value]) => dollars(value) ?? null)
  return rest.every((price) => price === first) ? first : null
}

/** What the end of a range states by itself: `minPriceUsd` is read like `priceUsd`. */
function endIn(bounds: readonly Named[], words: RegExp, of: Denomination): MicroDollars | undefined {
  const [, name = '', value] = bounds.find(([, each]) => words.test(each)) ?? []
  const said = fieldWords(name).filter((word) => !BOUNDS.has(word))
  const meaning = meaningOf(said.join('_'))
  if (meaning === undefined) return undefined
  return priceOf(meaning === 'dollars' ? meaningOfUsdc(name, value, of.decimals) : meaning, value, of)
}

/** A range is a price only where it has no width. */
function withoutWidth(bounds: readonly Named[], of: Denomination): MicroDollars | null {
  const [low, high] = [endIn(bounds, /min/i, of), endIn(bounds, /max/i, of)]
  return low !== undefined && low === high ? low : null
}

/** The first price that these places state, each in its own denomination. `isOfX402`: its amounts are base units always. */
export function saidPrice(
  places: readonly Place[],
  denominationAt: (place: Place) => Denomination,
  isOfX402: boolean,
): SaidPrice {
  let said: SaidPrice
  const isOfOne = places.every(({ fields }, index) => isOfACall(fields, index > 0))
  for (const [index, place] of places.entries()) {
    const standing = { isInside: index > 0, isOfX402, isOfACall: isOfOne }
    const here = saidAt(place, denominationAt(place), standing)
    if (typeof here === 'number') return here
    said ??= here
  }
  return said
}
