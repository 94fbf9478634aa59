import { type MicroDollars, priceFromDecimal } from '../../domain/money/price.ts'
import { isListedNetwork } from '../../domain/network.ts'
import { problem } from '../../domain/problem-kinds.ts'
import { askedIn } from '../../domain/words/asked.ts'
import { lineFault } from '../../domain/words/text.ts'
import type { HostSort } from './hosts-view.ts'

// What somebody asks the list of hosts for, read alike wherever it is asked.

export const invalidParameter = (name: string, expected: string, hint?: string) =>
  problem('invalid-parameter', `The parameter ${name} must be ${expected}.`, {
    ...(hint !== undefined && { hint }),
    more: { parameter: name },
  })

/** How a parameter is read: `undefined` refuses it, and `expected` says what it must be. */
export interface ParameterReader<T> {
  readonly name: string
  readonly expected: string
  read(text: string): T | undefined
}

/** What a reader makes of a text; one that is left out or empty is not given. */
export function readParameter<T>({ name, expected, read }: ParameterReader<T>, text: string | null): T | null {
  if (text === null || text === '') return null
  const value = read(text)
  if (value === undefined) throw invalidParameter(name, expected)
  return value
}

/** The same of a field of a form that people fill in: spaces around what they mean are nothing. */
export const readTyped = <T>(reader: ParameterReader<T>, text: string | null): T | null =>
  readParameter(reader, text?.trim() ?? null)

export const SEARCH = 'q'
const LONGEST_SEARCH = 200

/** Words to look for; blank ones are not given. */
export const searchAsked = (text: string | null): string | null =>
  readTyped(
    {
      name: SEARCH,
      expected: `one line of at most ${LONGEST_SEARCH} printable characters`,
      read: (words) => (lineFault(words, LONGEST_SEARCH) === undefined ? words : undefined),
    },
    text,
  )

/** As a form may ask for it. */
export const TYPED_PRICE = String.raw`(?:\d+(?:\.\d{1,6})?|\.\d{1,6})`
const SIX_DIGITS = new RegExp(`^${TYPED_PRICE}$`)

export const MAX_PRICE: ParameterReader<MicroDollars> = {
  name: 'max_price',
  expected: 'dollars with at most 6 fractional digits, such as 0.05',
  read: (text) => (SIX_DIGITS.test(text) ? priceFromDecimal(text.replace(/^\./, '0.')) : undefined),
}

export const NETWORK: ParameterReader<string> = {
  name: 'network',
  expected: 'a network such as base or eip155:8453',
  read: (text) => (isListedNetwork(text) ? text : undefined),
}

/** With words to look for the best match comes first, unless asked otherwise; without them nothing matches better. */
export function sortAsked(sort: HostSort | null, q: string | null): HostSort {
  if (sort !== null && sort !== 'match') return sort
  // `cheap image api` asks for the order of prices.
  const order = sort === null && q !== null ? askedIn(q).order : null
  return order ?? (q === null ? 'host' : 'match')
}
