import type { Offer } from '../../domain/challenge.ts'
import { addressOf, parseAddress } from '../../domain/route.ts'
import { isListedAs } from '../../domain/template.ts'
import { joinDescriptions } from '../../domain/words/description.ts'
import type { Found } from '../found.ts'
import { ListingCollector } from '../listing-collector.ts'
import { readAccept } from '../read/accept.ts'
import type { Paging, ParseContext } from '../read/context.ts'
import { type Fields, field, fieldsOf, isFields, listOf, methodText, proseOf, tagsOf, textOf } from '../read/guards.ts'
import { itself, readPaging } from '../read/paging.ts'
import { otherProtocolOf } from '../read/spoken.ts'
import { inputsOf } from '../read/stated-methods.ts'
import type { PagedDefinition } from '../source-definition.ts'

/** The most that the largest public facilitator gives at once. */
const BAZAAR_PAGE = 100

const pageUrl =
  (filter: string) =>
  (base: string, offset: number, limit = BAZAAR_PAGE): string =>
    `${base.replace(/\/+$/, '')}/discovery/resources?${filter}limit=${limit}&offset=${offset}`

export const bazaarPageUrl = pageUrl('type=http&')

/** Where facilitators put their items; the first that is a list counts. */
const LISTS = ['items', 'resources', 'data', 'results']

const listIn = (page: Fields): string => LISTS.find((name) => Array.isArray(field(page, name))) ?? 'items'

/** The page itself, or what it is wrapped in. */
function pageIn(document: unknown): Fields {
  const page = fieldsOf(document)
  const isPage = (fields: Fields): boolean => LISTS.some((name) => Array.isArray(field(fields, name)))
  return isPage(page) ? page : ([field(page, 'data'), field(page, 'result')].filter(isFields).find(isPage) ?? page)
}

export function bazaarPaging(document: unknown): Paging | undefined {
  const page = pageIn(document)
  const inside = [field(page, 'pagination'), field(page, 'meta')].find(isFields)
  return readPaging(page, listIn(page), { ...page, ...inside }, nameOf)
}

/** An item is one address and one method; a price may change while the list is read. */
function nameOf(value: unknown): string {
  const item = fieldsOf(value)
  const accepts = listOf(field(item, 'accepts')).map(fieldsOf)
  const url = addressText(item, accepts)
  if (url === undefined) return itself(value)
  return `${methodIn([item, ...accepts].flatMap(inputsOf)) ?? methodBeside(item) ?? ''} ${url}`
}

/** Accepts that are asked for a description; they repeat each other. */
const MOST_DESCRIBING = 8

const SAFE_TEMPLATE = /^\/(?!\/)[A-Za-z0-9_/:.~%{}-]+$/

/**
 * The Bazaar's rule for a route template: it replaces the path of the address it came with, unless it could lead
 * somewhere else, in which case the address stands alone. The kits write one segment for `*`, which takes any number, and know
 * of nothing that stands before it at the seller's: one that does not stand for the address leads elsewhere, too.
 */
function withTemplate(url: string, template: string | undefined, context: ParseContext): string {
  if (template === undefined || !SAFE_TEMPLATE.test(template)) return url
  const plain = template.replace(/%2e/gi, '.').replace(/%2f/gi, '/').replace(/%3a/gi, ':')
  if (/%25|\.\.|:\/\//i.test(plain)) return url
  const reading = parseAddress(url, context.allow)
  if (!reading.ok || !isListedAs(template, reading.address.path)) return url
  return addressOf(reading.address.scheme, reading.address.host, template)
}

const methodIn = (places: readonly Fields[]): string | undefined =>
  places.map((place) => methodText(place, 'method')).find((text) => text !== undefined)

/** Some write it beside the address. */
const methodBeside = (item: Fields): string | undefined =>
  [methodText(item, 'method')].find((text) => text !== undefined && METHOD.test(text))

const METHOD = /^(?:get|post|put|patch|delete)(?:[\s,|/]+(?:get|post|put|patch|delete))*$/i

/** What an input may be of. Any other word there is the type of a JSON schema. */
const KINDS = /^(?:http|mcp|a2a)$/i

const kindIn = (inputs: readonly Fields[]): string | undefined =>
  inputs.map((input) => textOf(input, 'type')).find((type) => type !== undefined && KINDS.test(type))

function routeTemplate(item: Fields): string | undefined {
  return textOf(fieldsOf(field(fieldsOf(field(item, 'extensions')), 'bazaar')), 'routeTemplate')
}

function addressText(item: Fields, accepts: readonly Fields[]): string | undefined {
  const resource = textOf(item, 'resource') ?? textOf(fieldsOf(field(item, 'resource')), 'url') ?? textOf(item, 'url')
  return resource ?? accepts.map((accept) => textOf(accept, 'resource')).find((text) => text !== undefined)
}

/** The item's own words, else those of its first accept that has some; with the service's name and tags. */
function descriptionOf(item: Fields, accepts: readonly Fields[]): string | undefined {
  const places = [item, fieldsOf(field(item, 'metadata')), fieldsOf(field(item, 'resource')), ...accepts]
  const own = places.map((place) => proseOf(place, 'description')).find((text) => text !== undefined)
  return joinDescriptions([own, proseOf(item, 'serviceName'), tagsOf(item, 'tags')])
}

function readItem(item: Fields, collector: ListingCollector, context: ParseContext): void {
  const accepts = listOf(field(item, 'accepts')).map(fieldsOf)
  const url = addressText(item, accepts)
  const inputs = [item, ...accepts].map(inputsOf)
  const kind = textOf(item, 'type') ?? kindIn(inputs.flat())
  if (kind !== undefined && kind.toLowerCase() !== 'http') {
    collector.refuse('not_http', kind, url)
    return
  }
  if (url === undefined) {
    collector.refuse('bad_item', 'no address', textOf(item, 'description'))
    return
  }

  const ofItem = methodIn(inputs[0] ?? [])
  const anyMethod = ofItem ?? methodIn(inputs.flat()) ?? methodBeside(item)
  const byMethod = new Map<string | undefined, Offer[]>()
  for (const [index, accept] of listOf(field(item, 'accepts')).entries()) {
    const offer = readAccept(accept, field(item, 'x402Version'))
    if (offer === undefined) {
      const other = otherProtocolOf(fieldsOf(accept))
      if (other === undefined) collector.refuse('bad_offer', url)
      else collector.refuse('other_protocol', other, url)
      continue
    }
    const method = ofItem ?? methodIn(inputs[index + 1] ?? []) ?? anyMethod
    byMethod.set(method, [...(byMethod.get(method) ?? []), offer])
  }
  const address = withTemplate(url, routeTemplate(item), context)
  if (byMethod.size === 0) collector.refuse('no_offers', url)
  const description = descriptionOf(item, accepts.slice(0, MOST_DESCRIBING))
  for (const [method, offers] of byMethod) collector.route({ url: address, method, offers, description })
}

/** One page of a facilitator's `/discovery/resources`, items of version 1 and 2 mixed. Its dates are not evidence and not read. */
export function parseBazaar(document: unknown, context: ParseContext): Found {
  const collector = new ListingCollector(context)
  const page = pageIn(document)
  const items = field(page, listIn(page))
  if (!Array.isArray(items)) collector.refuse('bad_document', 'no list of items')
  for (const item of listOf(items)) {
    collector.see()
    if (isFields(item)) readItem(item, collector, context)
    else collector.refuse('bad_item', item)
  }
  return collector.found()
}

export const bazaar = {
  kind: 'bazaar',
  shape: 'pages',
  about: 'the list of resources of any x402 facilitator',
  address: 'the facilitator, without `/discovery/resources`',
  words:
    '`description` of the item, else of `metadata`, of `resource`, of the first accept that has one; `serviceName`; `tags`',
  defaults: [
    { name: 'bazaar-cdp', address: 'https://api.cdp.coinbase.com/platform/v2/x402' },
    { name: 'bazaar-payai', address: 'https://facilitator.payai.network' },
    { name: 'bazaar-dexter', address: 'https://x402.dexter.cash' },
    { name: 'bazaar-ultravioleta', address: 'https://facilitator.ultravioletadao.xyz' },
    { name: 'bazaar-x402fi', address: 'https://facilitator.x402.fi' },
  ],
  pageSize: BAZAAR_PAGE,
  pageUrl: bazaarPageUrl,
  barePageUrl: pageUrl(''),
  paging: bazaarPaging,
  parse: parseBazaar,
} as const satisfies PagedDefinition
