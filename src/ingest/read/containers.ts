import { type Fields, field, fieldWords, isFields, textOf } from './guards.ts'

/** Where sellers put their routes, by the last word of the field's name: `resources`, `paid_endpoints`, `featuredProducts`. */
const CONTAINERS = ['resources', 'endpoints', 'routes', 'items', 'services', 'products', 'apis', 'paths', 'operations']
/** What such a name may say besides; others (`relatedServices`, `exampleItems`) are about something else. */
const BESIDE = new Set([
  'payable',
  'paid',
  'free',
  'public',
  'featured',
  'protected',
  'priced',
  'premium',
  'x402',
  'http',
  'api',
])

/** They hold routes only where something in them has an address. */
const MAYBE = ['tools', 'skills', 'capabilities', 'offers', 'offerings', 'listings', 'actions', 'data']
export const ADDRESS_FIELDS = ['resource', 'url', 'endpoint', 'path', 'route', 'uri']

const hasAddresses = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.slice(0, 100).some((entry) => isFields(entry) && textOf(entry, ...ADDRESS_FIELDS) !== undefined)

/** Lists and objects of one object whose names are looked at. */
const MOST_LOOKED_AT = 1000

export interface Container {
  readonly value: unknown
  /** Its name says that nothing is to be paid there. */
  readonly isFree: boolean
}

/** `{ "paid": […], "free": […] }` inside of one: `undefined` for what is no list, and for names that say something else. */
export function groupIn(name: string, value: unknown): Container | undefined {
  const words = fieldWords(name)
  const isGroup = Array.isArray(value) && words.length > 0 && words.every((word) => BESIDE.has(word))
  return isGroup ? { value, isFree: words.includes('free') } : undefined
}

/** The lists and objects of routes in a document or a service. */
export function containersIn(fields: Fields): Container[] {
  const lists = Object.entries(fields).filter(([, value]) => Array.isArray(value) || isFields(value))
  const found = lists.slice(0, MOST_LOOKED_AT).flatMap(([name, value]) => {
    const words = fieldWords(name)
    const rank = CONTAINERS.indexOf(words.at(-1) ?? '')
    const isContainer = rank !== -1 && words.slice(0, -1).every((word) => BESIDE.has(word))
    return isContainer ? [{ value, isFree: words.includes('free'), rank }] : []
  })
  if (found.length === 0 && textOf(fields, ...ADDRESS_FIELDS) === undefined) {
    const maybe = MAYBE.map((name) => field(fields, name)).filter(hasAddresses)
    return maybe.map((value) => ({ value, isFree: false }))
  }
  return found.toSorted((a, b) => a.rank - b.rank)
}
