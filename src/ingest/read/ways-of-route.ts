import { type Fields, field, fieldsOf, isFields, isOff, listOf, textOf } from './guards.ts'
import type { Terms } from './stated-terms.ts'

/** `https://…`, `/path`, `POST /path`; anything else in that place is a name. */
const ADDRESS = /^(?:[A-Za-z]{3,7}:?\s+)?(?:https?:\/\/|\/)\S*$/i

const MOST_WAYS = 100

/** The route that a way to pay says it is for, as written. */
export function routeNamed(way: Fields): string | undefined {
  const resource = textOf(way, 'resource') ?? textOf(fieldsOf(field(way, 'resource')), 'url')
  const text = resource ?? textOf(way, 'path', 'route')
  return text !== undefined && ADDRESS.test(text) ? text : undefined
}

const waysFor = (entry: Fields): Fields[] => listOf(field(entry, 'accepts')).slice(0, MOST_WAYS).map(fieldsOf)

/**
 * An entry that names its routes in its ways to pay alone: each of them with its own. `undefined` where it has no such ways, or all
 * are for one route.
 */
export function entriesByRoute(entry: Fields): [address: string, entry: Fields][] | undefined {
  const byRoute = new Map<string, Fields[]>()
  for (const way of waysFor(entry)) {
    const route = routeNamed(way)
    if (route !== undefined) byRoute.set(route, [...(byRoute.get(route) ?? []), way])
  }
  if (byRoute.size < 2) return undefined
  return [...byRoute].map(([route, accepts]) => {
    const said = Object.entries(accepts[0] ?? {}).filter(([name]) => name === 'method' || name === 'description')
    return [route, { ...entry, ...Object.fromEntries(said), accepts }]
  })
}

const SAYS_UNPAID = [
  'paid',
  'payment',
  'gated',
  'requiresPayment',
  'requires_payment',
  'paymentRequired',
  'payment_required',
  'acceptsPayment',
  'accepts_payment',
]

/** Whether a document says of all that it names that nobody pays. */
export const sellsNothing = (root: Fields): boolean =>
  ['acceptsPayment', 'accepts_payment'].some((name) => field(root, name) === false)

/** What is offered no more, by itself or in each of its ways to pay, and what nobody pays for. */
export function notSold(entry: Fields): 'deprecated' | 'not_paid' | undefined {
  const ways = listOf(field(entry, 'accepts'))
  if (isOff(entry) || (ways.length > 0 && ways.every(isOff))) return 'deprecated'
  const isUnpaid =
    SAYS_UNPAID.some((name) => field(entry, name) === false) ||
    field(fieldsOf(field(entry, 'payment')), 'required') === false ||
    (field(entry, 'x402') === false && !isFields(field(entry, 'mpp')) && ways.length === 0)
  return isUnpaid ? 'not_paid' : undefined
}

/** Whether a way to pay is for one route; `undefined` where it names none. */
export type IsFor = (way: Fields) => boolean | undefined

/** Of a list of ways to pay those for a route. `isAround`: the list is said around routes; of a route's own, all are its own where none names it. */
export function waysTo<Way>(ways: readonly Way[], isFor: IsFor, isAround: boolean): readonly Way[] {
  const named = ways.map((way) => isFor(fieldsOf(way)))
  return isAround || named.includes(true) ? ways.filter((_, index) => named[index] !== false) : ways
}

/** Terms that are said around a route: what names another one is not for it. */
export const aroundRoute = (terms: Terms, isFor: IsFor): Terms => ({
  ...terms,
  accepts: waysTo(terms.accepts, isFor, true),
})

/** A route's own terms: where none of its ways to pay names it, they are all its own, however it is written there. */
export const ofRoute = (terms: Terms, isFor: IsFor): Terms => ({
  ...terms,
  accepts: waysTo(terms.accepts, isFor, false),
})
