import { addressOf } from '../../domain/route.ts'
import { cleanDescription, joinDescriptions } from '../../domain/words/description.ts'
import type { Found } from '../found.ts'
import { isOwnHost, ListingCollector } from '../listing-collector.ts'
import { ADDRESS_FIELDS, type Container, containersIn, groupIn } from '../read/containers.ts'
import type { DocumentContext } from '../read/context.ts'
import { type Fields, field, fieldsOf, firstFields, isFields, listOf, proseOf, tagsOf, textOf } from '../read/guards.ts'
import { isAmountText } from '../read/money.ts'
import {
  type DocumentPlace,
  isAbsolute,
  isWrittenAt,
  joined,
  placeOf,
  prefixFrom,
  resolveIn,
} from '../read/own-address.ts'
import { type Around, aroundIn, FREE_AROUND, NOTHING_AROUND, waysIn } from '../read/rail-terms.ts'
import { spokenIn } from '../read/spoken.ts'
import { methodsOf } from '../read/stated-methods.ts'
import { termsOf } from '../read/stated-terms.ts'
import { atOnce, type Steps } from '../read/steps.ts'
import { entriesByRoute, type IsFor, notSold, routeNamed, sellsNothing } from '../read/ways-of-route.ts'
import type { SellerDefinition } from '../source-definition.ts'
import { proofsWrittenIn } from '../written-proofs.ts'
import { isOpenapi, MOST_OF_ONE_SELLER, readOpenapi } from './openapi.ts'

/** A document's routes are relative to this address, where it names one. */
const BASES = [
  ...['resourceServerUrl', 'resource_server_url', 'serviceUrl', 'service_url', 'baseUrl', 'base_url', 'baseURL'],
  ...['serviceBaseUrl', 'service_base_url', 'origin', 'endpoint'],
]
/** `POST`, `post`, `GET,POST`, `GET|POST`; a word that is none in capitals alone, since `see /docs` is no route. */
const METHODS = '(?:[A-Z]{3,7}|get|post|put|patch|delete|Get|Post|Put|Patch|Delete)'
const SEVERAL = String.raw`${METHODS}(?:\s*[,|/]\s*${METHODS}){0,4}`
const METHOD_AND_PATH = new RegExp(String.raw`^(${SEVERAL}):?\s+(\S+)$`)
/** `https://…`, `/path`, `POST /path`. */
const ROUTE = new RegExp(String.raw`^(?:${SEVERAL}:?\s+)?(?:https?://|/)\S*$`)
/** What sellers name beside their routes, and nobody pays for. */
const NO_ROUTES = /^(?:docs?|documentation|openapi|swagger|health|healthz|status|mcp|homepage|website|llms|manifest)$/i
/** `wss:`, `mailto:`; and `http:` without what has to follow it. */
const OTHER_SCHEME = /^[a-z][a-z0-9+.-]*:/i
/** A name with a port, or under one of the suffixes that sellers have; `v1.0` and `openapi.json` are paths. */
const HOST_NAME =
  /:\d+$|\.(?:com|net|org|io|ai|dev|app|xyz|co|me|cloud|tech|finance|info|biz|cash|network|systems|tools|market|exchange|money|pro|run|site|online|store|live|world|space|club|gg|fi|so|us|uk|eu|de|jp|in|cc|tv|to)$/
const METHOD = /^(?:get|post|put|patch|delete)$/i
/** A document may be all inside one of these. */
const WRAPPERS = ['x402', 'service', 'payment', 'payments', 'api', 'data', 'discovery', 'manifest']
const DEEPEST = 3
/** Of an entry that is read once more for every method. */
const MOST_FIELDS = 100
const MOST_ORIGINS = 5

interface Surroundings {
  readonly place: DocumentPlace
  readonly collector: ListingCollector
  /** What relative addresses stand on. */
  readonly prefix: string
  readonly pay: Around
  /** Prices by the names of routes, the nearest first. */
  readonly prices: readonly Fields[]
  /** What is said of everything inside. */
  readonly about: string | undefined
  readonly depth: number
  /** Where each way to pay says that it leads: some stand around thousands of routes. */
  readonly spots: Map<Fields, string>
}

function prefixIn(fields: Fields, place: DocumentPlace, above: string): string {
  const named = BASES.map((name) => textOf(fields, name)).find((text) => text !== undefined && isAbsolute(text))
  return named === undefined || isWrittenAt(named, place) ? above : resolveIn(place, named)
}

const wordsIn = (fields: Fields): (string | undefined)[] => [
  proseOf(fields, 'name', 'title', 'product', 'service', 'serviceName'),
  proseOf(fields, 'description', 'summary'),
  tagsOf(fields, 'category', 'categories', 'tags'),
]

/** Its own words first; version 2 of x402 has them in its `resource`. */
function aboutIn(fields: Fields): string | undefined {
  const [own, ...inside] = [fields, ...['resource', 'metadata'].map((name) => fieldsOf(field(fields, name)))].map(
    wordsIn,
  )
  return joinDescriptions(
    (own ?? []).map((text, index) => [text, ...inside.map((words) => words[index])].find(Boolean)),
  )
}

function inside(fields: Fields, around: Surroundings): Surroundings {
  return {
    ...around,
    prefix: prefixIn(fields, around.place, around.prefix),
    pay: aroundIn(fields, around.pay),
    prices: [...['pricing', 'prices'].map((name) => fieldsOf(field(fields, name))), ...around.prices],
    about: cleanDescription(joinDescriptions([aboutIn(fields), around.about]) ?? '') ?? undefined,
    depth: around.depth + 1,
  }
}

/** A text of a document as a full address; `undefined` where it names another scheme, or a host without one. */
function addressFrom(text: string, { place, prefix }: Surroundings): string | undefined {
  if (isAbsolute(text)) return text
  if (text.startsWith('//')) return `${place.scheme}:${text}`
  if (!text.startsWith('/')) {
    const host = hostBefore(text)
    if (host !== undefined && isOwnHost(place.host, host)) return `${place.scheme}://${text}`
    if (host !== undefined ? HOST_NAME.test(host) : OTHER_SCHEME.test(text)) return undefined
  }
  return joined(prefix, text)
}

/** `api.example.com` and `api.example.com:8443`, before a path or alone. */
const hostBefore = (text: string): string | undefined =>
  /^[a-z0-9.-]+(?::\d{1,5})?(?=[/?#]|$)/i.exec(text)?.[0].toLowerCase()

/** Where an address leads, whatever its query; hosts of the seller's own are one. Empty where that is no route, but all there is. */
function spotOf(url: string, { place }: Surroundings): string {
  const [, host = '', path = ''] = /^https?:\/\/([^/]*)(.*)$/is.exec(prefixFrom(url)) ?? []
  return isOwnHost(place.host, host.toLowerCase()) ? path : `${host.toLowerCase()}${path}`
}

/** `resource: "https://…/a"` of a way to pay says which route it is for; `…/a/*` all below. */
function forRoute(url: string, around: Surroundings): IsFor {
  const here = spotOf(url, around)
  return (way) => {
    let named = around.spots.get(way)
    if (named === undefined) {
      const written = routeNamed(way) ?? ''
      named = spotOf(addressFrom(METHOD_AND_PATH.exec(written)?.[2] ?? written, around) ?? '', around)
      around.spots.set(way, named)
    }
    if (named === '') return undefined
    return named.endsWith('/*') ? here.startsWith(named.slice(0, -1)) : here === named
  }
}

function list(written: string, entry: Fields, around: Surroundings): void {
  const [, inText, path = written] = METHOD_AND_PATH.exec(written) ?? []
  if (/^(?:#|$)/.test(path)) {
    around.collector.refuse('bad_item', 'no address', written)
    return
  }
  const url = addressFrom(path, around)
  if (url === undefined) {
    around.collector.refuse('bad_address', 'not an http or https address of the document’s own:', path)
    return
  }
  const methods = inText === undefined ? methodsOf(entry) : [inText]
  const { rails, others } = spokenIn(entry)
  for (const other of others) around.collector.refuse('unknown_rail', other, url)
  if (others.length > 0 && rails.length === 0) return
  const ways = waysIn(entry, rails, around.pay, forRoute(url, around))
  for (const other of ways.others) around.collector.refuse('unknown_rail', other, url)
  if (ways.offers.length === 0 && ways.others.length > 0) return
  const description = joinDescriptions([aboutIn(entry), around.about])
  for (const method of methods.length > 0 ? methods : [undefined]) {
    around.collector.route({ url, method, offers: ways.offers, description })
  }
}

const ownAddress = (entry: Fields): string | undefined =>
  textOf(entry, 'resource') ?? textOf(fieldsOf(field(entry, 'resource')), 'url') ?? textOf(entry, ...ADDRESS_FIELDS)

function addressIn(entry: Fields): string | undefined {
  const accepts = field(entry, 'accepts')
  const [first] = Array.isArray(accepts) ? accepts : [accepts]
  return ownAddress(entry) ?? textOf(fieldsOf(first), 'resource') ?? routeNamed(fieldsOf(first))
}

/** What stands among prices under one of the names of a route, or under its path. */
function pricedAs(names: readonly (string | undefined)[], { prices }: Surroundings): Fields {
  const known = names.flatMap((name) => (name === undefined ? [] : [name, METHOD_AND_PATH.exec(name)?.[2] ?? name]))
  const name = known.find((one) => prices.some((each) => Object.hasOwn(each, one)))
  const price = name === undefined ? undefined : field(prices.find((each) => Object.hasOwn(each, name)) ?? {}, name)
  return price === undefined ? {} : { price }
}

const isPriced = (fields: Fields): boolean =>
  Object.hasOwn(fields, 'accepts') || termsOf(fields).priceOn(null, null) !== undefined

const isPaidFor = (fields: Fields): boolean => isPriced(fields) && termsOf(fields).priceOn(null, null) !== 0

const MOST_LOOKED_AT = 100

/** Whether anything in a list or an object is plainly a route. */
function holdsRoutes(value: unknown): boolean {
  const entries = Object.entries(Array.isArray(value) ? value.slice(0, MOST_LOOKED_AT) : fieldsOf(value))
  return entries.some(([key, entry]) => {
    if (ROUTE.test(key)) return true
    if (typeof entry === 'string') return ROUTE.test(entry.trim())
    return addressIn(fieldsOf(entry)) !== undefined || containersIn(fieldsOf(entry)).length > 0
  })
}

const isFilled = ({ value }: Container): boolean => Object.keys(Object(value)).length > 0

/** An entry with an address and a price is a route, and what else it lists are words, unless they are routes. */
function isAround(entry: Fields, isAddressed: boolean): boolean {
  const inside = containersIn(entry).filter(isFilled)
  if (inside.length === 0) return false
  return !isAddressed || !isPriced(entry) || inside.some(({ value }) => holdsRoutes(value))
}

function* readEntry(value: unknown, key: string | undefined, around: Surroundings): Steps<void> {
  yield
  around.collector.see()
  if (typeof value === 'string') {
    list(value.trim(), pricedAs([key, value.trim()], around), around)
    return
  }
  if (!isFields(value)) {
    around.collector.refuse('bad_item', key, value)
    return
  }
  const address = addressIn(value) ?? (key !== undefined && ROUTE.test(key) ? key : undefined)
  const refusal = notSold(value)
  if (refusal !== undefined) {
    around.collector.refuse(refusal, address ?? textOf(value, 'name', 'id'))
    return
  }
  if (around.depth < DEEPEST && isAround(value, address !== undefined)) {
    yield* readContainers(value, inside(value, around))
    return
  }
  if (address === undefined) {
    around.collector.refuse('no_route', textOf(value, 'name', 'id', 'description'))
    return
  }
  const entry = { ...pricedAs([key, textOf(value, 'id', 'name'), address], around), ...value }
  const isNamed = ownAddress(value) !== undefined || (key !== undefined && ROUTE.test(key))
  for (const [one, terms] of (isNamed ? undefined : entriesByRoute(entry)) ?? [[address, entry]])
    list(one, terms, around)
}

/** Under its path a route may have nothing but its price, or words about it. */
function keyedEntry(value: unknown): unknown {
  if (typeof value === 'number') return { price: value }
  if (typeof value !== 'string' || ROUTE.test(value.trim())) return value
  return isAmountText(value) ? { price: value } : { description: value }
}

/** `"/a": { "get": { … }, "post": { … } }`: what is said of each method, beside what is said of all. */
function byMethod(value: unknown): [method: string, entry: Fields][] {
  const fields = firstFields(fieldsOf(value), MOST_FIELDS)
  const [own, methods] = [Object.entries(fields), new Map<string, unknown>()]
  for (const [name, said] of own) if (METHOD.test(name)) methods.set(name.toUpperCase(), keyedEntry(said))
  const shared = Object.fromEntries(own.filter(([name]) => !METHOD.test(name)))
  return [...methods].flatMap(([method, said]): [string, Fields][] =>
    isFields(said) ? [[method, { ...shared, ...said }]] : [],
  )
}

/** An entry of an object: the key is its path, or its name. What only has a name and no address is no entry. */
function* readNamed(key: string, value: unknown, around: Surroundings): Steps<void> {
  yield
  if (ROUTE.test(key)) {
    const methods = METHOD_AND_PATH.test(key) ? [] : byMethod(value)
    for (const [method, entry] of methods) yield* readEntry(entry, `${method} ${key}`, around)
    if (methods.length === 0) yield* readEntry(keyedEntry(value), key, around)
    return
  }
  const isRoute = typeof value === 'string' ? ROUTE.test(value.trim()) : addressIn(fieldsOf(value)) !== undefined
  if (isRoute && NO_ROUTES.test(key) && !isPaidFor({ ...pricedAs([key], around), ...fieldsOf(value) })) {
    around.collector.see()
    around.collector.refuse('not_paid', key, value)
  } else if (isRoute || containersIn(fieldsOf(value)).length > 0) yield* readEntry(value, key, around)
}

function* readContainers(fields: Fields, around: Surroundings): Steps<void> {
  for (const container of containersIn(fields)) yield* readContainer(container, around)
}

function* readContainer({ value, isFree }: Container, around: Surroundings): Steps<void> {
  const here = isFree ? { ...around, pay: { ...FREE_AROUND, rails: around.pay.rails } } : around
  for (const entry of here.collector.withRoom(listOf(value))) yield* readEntry(entry, undefined, here)
  for (const [key, entry] of here.collector.withRoom(Object.entries(fieldsOf(value)))) {
    const group = groupIn(key, entry)
    yield* group === undefined ? readNamed(key, entry, here) : readContainer(group, here)
  }
}

/**
 * `pricing: { tier: { cost_…, endpoints: ["/a"] } }`: the price is the tier's, the routes are bare paths. Or
 * `pricing: { "GET /a": "$0.01" }`.
 */
function* readTiers(pricing: unknown, around: Surroundings): Steps<void> {
  const { collector } = around
  const endpointsIn = (tier: unknown) => listOf(field(fieldsOf(tier), 'endpoints'))
  const tiers = Object.entries(fieldsOf(pricing)).filter(
    ([key, tier]) => ROUTE.test(key) || endpointsIn(tier).length > 0,
  )
  for (const [key, tier] of collector.withRoom(tiers)) {
    if (ROUTE.test(key)) {
      yield* readEntry(isFields(tier) ? tier : { price: tier }, key, around)
      continue
    }
    for (const endpoint of collector.withRoom(endpointsIn(tier))) {
      yield
      collector.see()
      if (typeof endpoint === 'string') list(endpoint, fieldsOf(tier), around)
      else collector.refuse('bad_item', endpoint)
    }
  }
}

/** A document that is itself one route with its terms, or several that its ways to pay name. */
function readAlone(root: Fields, around: Surroundings): void {
  const address = isPriced(root) ? addressIn(root) : undefined
  if (address === undefined || !ROUTE.test(address)) return
  const several = ownAddress(root) === undefined ? entriesByRoute(root) : undefined
  for (const [one, entry] of several ?? [[address, root]]) {
    around.collector.see()
    list(one, entry, around)
  }
}

/** The signature is over an origin, and the document does not say which: its own, or one of the routes it lists. */
function readProofs(root: Fields, found: Found, place: DocumentPlace, collector: ListingCollector): void {
  const listed = found.listings.map((listing) => addressOf(listing.address.scheme, listing.address.host, ''))
  const origins = [...new Set([place.origin, ...listed])].slice(0, MOST_ORIGINS)
  for (const { text, isSignature } of proofsWrittenIn(root)) {
    if (text === undefined || !isSignature) collector.refuse('bad_item', 'ownership proof', text)
    else for (const origin of origins) collector.prove({ proof: text, origin })
  }
}

/** `{ "resources": [] }`: the seller says that it has none, which is another thing than to say nothing. */
function isEmptyList(root: Fields): boolean {
  const places = [root, ...WRAPPERS.map((name) => fieldsOf(field(root, name)))]
  const lists = places.flatMap(containersIn)
  return lists.length > 0 && !lists.some(isFilled)
}

/** A seller's `/.well-known/x402`. There is no agreed shape; this reads every one that names routes. */
function* readWellKnown(document: unknown, context: DocumentContext): Steps<Found> {
  const root = fieldsOf(document)
  if (isOpenapi(root)) return yield* readOpenapi(document, context)
  const place = placeOf(context.base, context.allow)
  const collector = new ListingCollector({
    allow: context.allow,
    ...MOST_OF_ONE_SELLER,
    ...(place && { ownHost: place.host }),
  })
  if (place === undefined || typeof document !== 'object' || document === null) {
    collector.refuse('bad_document', place === undefined ? context.base : 'not a JSON object or list')
    return collector.found()
  }
  if (sellsNothing(root)) {
    collector.see()
    collector.refuse('not_paid', textOf(root, 'name', 'product', 'service') ?? 'the document')
    readProofs(root, collector.found(), place, collector)
    return collector.found()
  }
  const outside = {
    place,
    collector,
    prefix: place.origin,
    pay: NOTHING_AROUND,
    prices: [],
    about: undefined,
    depth: -1,
    spots: new Map<Fields, string>(),
  }
  const around = inside(root, outside)
  for (const entry of collector.withRoom(listOf(document))) yield* readEntry(entry, undefined, around)
  yield* readContainers(root, around)
  for (const name of ['pricing', 'prices']) yield* readTiers(field(root, name), around)
  if (collector.found().seen === 0) {
    for (const wrapped of WRAPPERS.map((name) => fieldsOf(field(root, name))))
      yield* readContainers(wrapped, inside(wrapped, around))
  }
  if (collector.found().seen === 0) readAlone(root, around)
  readProofs(root, collector.found(), place, collector)
  if (collector.found().seen === 0 && !isEmptyList(root)) {
    collector.refuse('no_route', textOf(root, 'name', 'product', 'service') ?? 'the document')
  }
  return collector.foundOnce()
}

export const parseWellKnown = (document: unknown, context: DocumentContext): Found =>
  atOnce(readWellKnown(document, context))

export const wellKnown = {
  kind: 'well-known',
  shape: 'sellers',
  about: "a seller's own list of what it sells",
  words:
    '`name` or `title`, `description` or `summary`, `category` and `tags` of the entry, else of its `resource` or `metadata`; the same of the service and the document around it',
  defaults: [{ name: 'well-known', address: '' }],
  paths: ['/.well-known/x402', '/.well-known/x402.json'],
  read: readWellKnown,
} as const satisfies SellerDefinition
