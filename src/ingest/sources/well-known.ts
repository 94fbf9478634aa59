import { joinDescriptions } from '../../domain/description.ts'
import { addressOf } from '../../domain/route.ts'
import type { Found } from '../found.ts'
import { Gathering } from '../gathering.ts'
import type { DocumentContext } from '../read/context.ts'
import { type Fields, field, fieldsOf, isFields, listOf, proseOf, tagsOf, textOf } from '../read/guards.ts'
import { type DocumentPlace, isAbsolute, joined, placeOf, resolveIn } from '../read/own-address.ts'
import { NO_TERMS, offersOf, type SharedTerms, sharedTerms } from '../read/stated-terms.ts'
import { MOST_OF_ONE_SELLER, parseOpenapi } from './openapi.ts'

export const WELL_KNOWN_PATHS = ['/.well-known/x402', '/.well-known/x402.json'] as const

/** Where sellers put their routes: a list, or an object whose keys are paths. */
const CONTAINERS = ['resources', 'endpoints', 'routes', 'items', 'services', 'products', 'featuredProducts']
/** A document's routes are relative to this address, where it names one. */
const BASES = ['resourceServerUrl', 'serviceUrl', 'baseUrl', 'base_url', 'origin', 'endpoint']
const METHOD_AND_PATH = /^([A-Z]{3,7})\s+(\S+)$/
const DEEPEST = 3
const MOST_PROOFS = 20
const MOST_ORIGINS = 5

interface Surroundings {
  readonly place: DocumentPlace
  readonly gathering: Gathering
  /** What relative addresses stand on. */
  readonly prefix: string
  readonly terms: SharedTerms
  /** What is said of everything inside. */
  readonly about: string | undefined
  readonly depth: number
}

function prefixIn(fields: Fields, place: DocumentPlace, above: string): string {
  const named = BASES.map((name) => textOf(fields, name)).find((text) => text !== undefined && isAbsolute(text))
  return named === undefined ? above : resolveIn(place, named)
}

const aboutIn = (fields: Fields): string | undefined =>
  joinDescriptions([
    proseOf(fields, 'name', 'title', 'product', 'service', 'serviceName'),
    proseOf(fields, 'description', 'summary'),
    tagsOf(fields, 'category', 'categories', 'tags'),
  ])

function within(fields: Fields, around: Surroundings): Surroundings {
  return {
    ...around,
    prefix: prefixIn(fields, around.place, around.prefix),
    terms: sharedTerms(fields, around.terms),
    about: joinDescriptions([aboutIn(fields), around.about]),
    depth: around.depth + 1,
  }
}

function list(written: string, entry: Fields, around: Surroundings): void {
  const [, inText, path = written] = METHOD_AND_PATH.exec(written) ?? []
  const url = isAbsolute(path)
    ? path
    : path.startsWith('//')
      ? `${around.place.scheme}:${path}`
      : joined(around.prefix, path)
  const methods = listOf(field(entry, 'methods')).filter((method) => typeof method === 'string')
  const stated = inText ?? textOf(entry, 'method', 'httpMethod', 'http_method')
  const offers = offersOf(entry, around.terms)
  const description = joinDescriptions([aboutIn(entry), around.about])
  for (const method of stated === undefined && methods.length > 0 ? methods.slice(0, 5) : [stated]) {
    around.gathering.route({ url, method, offers, description })
  }
}

function addressIn(entry: Fields): string | undefined {
  return (
    textOf(entry, 'resource') ??
    textOf(fieldsOf(field(entry, 'resource')), 'url') ??
    textOf(entry, 'url', 'endpoint', 'path', 'route', 'uri')
  )
}

const hasRoutes = (fields: Fields): boolean => CONTAINERS.some((name) => typeof field(fields, name) === 'object')

function readEntry(value: unknown, key: string | undefined, around: Surroundings): void {
  around.gathering.see()
  if (typeof value === 'string') {
    list(value.trim(), {}, around)
    return
  }
  if (!isFields(value)) {
    around.gathering.refuse('bad_item', key, value)
    return
  }
  if (hasRoutes(value) && around.depth < DEEPEST) {
    readContainers(value, within(value, around))
    return
  }
  const address = addressIn(value) ?? key
  if (address === undefined) {
    around.gathering.refuse('no_route', textOf(value, 'name', 'id', 'description'))
    return
  }
  list(address, value, around)
}

function readContainers(fields: Fields, around: Surroundings): void {
  for (const name of CONTAINERS) {
    const container = field(fields, name)
    for (const entry of listOf(container)) readEntry(entry, undefined, around)
    for (const [key, entry] of Object.entries(fieldsOf(container))) {
      if (/^(?:[A-Z]{3,7} )?\//.test(key)) readEntry(entry, key, around)
    }
  }
}

/** `pricing: { tier: { cost_…, endpoints: ["/a"] } }`: the price is the tier's, the routes are bare paths. */
function readTiers(pricing: unknown, around: Surroundings): void {
  for (const tier of Object.values(fieldsOf(pricing)).filter(isFields)) {
    for (const endpoint of listOf(field(tier, 'endpoints'))) {
      around.gathering.see()
      if (typeof endpoint === 'string') list(endpoint, tier, around)
      else around.gathering.refuse('bad_item', endpoint)
    }
  }
}

/** The signature is over an origin, and the document does not say which: its own, or one of the routes it lists. */
function readProofs(proofs: unknown, found: Found, place: DocumentPlace, gathering: Gathering): void {
  const listed = found.listings.map((listing) => addressOf(listing.address.scheme, listing.address.host, ''))
  const origins = [...new Set([place.origin, ...listed])].slice(0, MOST_ORIGINS)
  for (const proof of listOf(proofs).slice(0, MOST_PROOFS)) {
    const text = typeof proof === 'string' ? proof : textOf(fieldsOf(proof), 'signature', 'proof')
    if (text === undefined || !/^[A-Za-z0-9+/=]{64,2000}$/.test(text)) {
      gathering.refuse('bad_item', 'ownership proof', text)
      continue
    }
    for (const origin of origins) gathering.prove({ proof: text, origin })
  }
}

/** A seller's `/.well-known/x402`. There is no agreed shape; this reads every one that names routes. */
export function parseWellKnown(document: unknown, context: DocumentContext): Found {
  const root = fieldsOf(document)
  if (isFields(field(root, 'paths'))) return parseOpenapi(document, context)
  const place = placeOf(context.base, context.allow)
  const gathering = new Gathering({
    allow: context.allow,
    mostListings: MOST_OF_ONE_SELLER,
    ...(place && { ownHost: place.host }),
  })
  if (place === undefined || typeof document !== 'object' || document === null) {
    gathering.refuse('bad_document', place === undefined ? context.base : 'not a JSON object or list')
    return gathering.found()
  }
  const around = within(root, { place, gathering, prefix: place.origin, terms: NO_TERMS, about: undefined, depth: -1 })
  for (const entry of listOf(document)) readEntry(entry, undefined, around)
  readContainers(root, around)
  readTiers(field(root, 'pricing'), around)
  readProofs(field(root, 'ownershipProofs'), gathering.foundOnce(), place, gathering)
  const found = gathering.foundOnce()
  if (found.seen === 0) gathering.refuse('no_route', textOf(root, 'name', 'product', 'service') ?? 'the document')
  return gathering.foundOnce()
}
