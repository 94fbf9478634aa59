import { fieldWords } from './field-words.ts'
import { type Fields, isFields } from './guards.ts'

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

export interface Container {
  readonly value: unknown
  /** Its name says that nothing is to be paid there. */
  readonly isFree: boolean
}

/** The lists and objects of routes in a document or a service. */
export function containersIn(fields: Fields): Container[] {
  const found = Object.entries(fields).flatMap(([name, value]) => {
    if (!Array.isArray(value) && !isFields(value)) return []
    const words = fieldWords(name)
    const rank = CONTAINERS.indexOf(words.at(-1) ?? '')
    const isContainer = rank !== -1 && words.slice(0, -1).every((word) => BESIDE.has(word))
    return isContainer ? [{ value, isFree: words.includes('free'), rank }] : []
  })
  return found.toSorted((a, b) => a.rank - b.rank)
}
