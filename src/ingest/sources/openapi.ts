import { joinDescriptions } from '../../domain/words/description.ts'
import type { Found } from '../found.ts'
import { isOwnHost, ListingCollector } from '../listing-collector.ts'
import type { DocumentContext } from '../read/context.ts'
import {
  type Fields,
  field,
  fieldsOf,
  firstFields,
  isFields,
  isOff,
  listOf,
  proseOf,
  tagsOf,
  textOf,
} from '../read/guards.ts'
import { type DocumentPlace, isWrittenAt, joined, placeOf, prefixFrom, resolveIn } from '../read/own-address.ts'
import { ownOffers, ownTermsOf, placesIn } from '../read/own-extensions.ts'
import { readPaymentInfo } from '../read/payment-info.ts'
import { atOnce, type Steps } from '../read/steps.ts'
import { type IsFor, routeNamed, waysTo } from '../read/ways-of-route.ts'
import type { SellerDefinition } from '../source-definition.ts'

/** Every operation of OpenAPI 3.2, so that a paid one with a method that is no route's is refused and not lost. */
const OPERATIONS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace', 'query']
/** A seller with more routes than this is not read to the end: one document must not fill the directory. */
export const MOST_OF_ONE_SELLER = { mostListings: 5_000, mostRead: 30_000 }

/** A stranger must not decide how many are read. */
const MOST_SERVERS = 10
const MOST_ACCEPTS = 32
const MOST_FIELDS = 100
const MOST_LOOKED_AT = 100

/** A seller's own way of saying that an operation is paid: `x-pricing`, `x-x402-price`, `x-payment-required`. */
const PRIVATE = /^x-(?:402|x402|l402|mpp|pay|paid|pric|cost|billing|monetiz)/i

const saysPaid = ([name, value]: [string, unknown]): boolean =>
  (PRIVATE.test(name) && value !== false && value !== null) ||
  (name === 'x-agentcash-auth' && textOf(fieldsOf(value), 'mode') === 'paid')

/** `false`, or `{ "required": false }`. */
const saysUnpaid = (written: unknown): boolean =>
  written === false || ['required', 'enabled', 'paid'].some((name) => field(fieldsOf(written), name) === false)

/** It is offered no more, or none of its offers is. */
function isWithdrawn(written: unknown): boolean {
  const offers = Array.isArray(written) ? written : listOf(field(fieldsOf(written), 'offers'))
  return isOff(written) || (offers.length > 0 && offers.every(isOff))
}

/** A server's address with its variables at their defaults, as OpenAPI defines it. */
function serverAddress(value: unknown, place: DocumentPlace): string | undefined {
  const server = fieldsOf(value)
  const url = textOf(server, 'url')
  if (url === undefined) return undefined
  const variables = fieldsOf(field(server, 'variables'))
  const filled = url.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const variable = fieldsOf(field(variables, name))
    const byDefault = field(variable, 'default')
    if (byDefault === '' || typeof byDefault === 'number') return String(byDefault)
    return textOf(variable, 'default') ?? whole
  })
  return resolveIn(place, filled)
}

/** Words of names and descriptions of servers that nobody is meant to buy from. */
const FOR_TRIALS =
  /(?<![a-z0-9])(?:staging|stage|stg|sandbox|dev|development|test|testing|local|localhost|preview|qa|uat)(?![a-z0-9])/i

interface Server {
  readonly address: string
  /** `undefined`: it is not the seller's own. */
  readonly host: string | undefined
  readonly isForTrials: boolean
}

/**
 * Of several servers one where the document came from, else the first on the seller's own host, before each of which come those
 * that are not there to be tried out; else the first. `undefined`: none is named.
 */
function serverIn(level: Fields, place: DocumentPlace, context: DocumentContext): string | undefined {
  const servers = listOf(field(level, 'servers'))
    .slice(0, MOST_SERVERS)
    .flatMap((value): Server[] => {
      const address = serverAddress(value, place)
      if (address === undefined) return []
      const at = placeOf(address, context.allow)
      if (isWrittenAt(address, place)) return []
      const host = at !== undefined && isOwnHost(place.host, at.host) ? at.host : undefined
      // Without its last labels: `.dev` says nothing.
      const name = host === undefined || host === place.host ? '' : host.split('.').slice(0, -2).join('.')
      const said = `${name} ${proseOf(fieldsOf(value), 'description') ?? ''}`
      return [{ address, host, isForTrials: FOR_TRIALS.test(said) }]
    })
  const own = servers.filter(({ host }) => host !== undefined)
  const [first] = [own.filter(({ isForTrials }) => !isForTrials), own].flatMap((some) => [
    ...some.filter(({ host }) => host === place.host),
    ...some,
  ])
  return (first ?? servers[0])?.address
}

/** The servers nearest to the operation count. Those of the document are read once, and not for every operation. */
function prefixes(place: DocumentPlace, context: DocumentContext): (...levels: readonly Fields[]) => string {
  const known = new Map<Fields, string | undefined>()
  return (...levels) => {
    for (const level of levels) {
      if (!known.has(level)) known.set(level, serverIn(level, place, context))
      const server = known.get(level)
      if (server !== undefined) return server
    }
    return place.origin
  }
}

/** References in a row, and to one place: what is read again for each of them must stay in proportion to the document. */
const MOST_REFERENCES = 10

/** What a reference inside the document leads to (`#/components/pathItems/x`); `undefined`: nothing that is there. */
function referred(root: Fields, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined
  let value: unknown = root
  for (const step of reference.slice(2).split('/')) value = field(fieldsOf(value), stepNamed(step))
  return value
}

/** A step of a JSON pointer, as it is written inside an address: `~1v1~1x`, `%7Bid%7D`. */
const stepNamed = (written: string): string =>
  written
    .replace(/%[0-7][0-9a-f]/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')

/** Reads the operations of a path, where they stand or where it refers to; `undefined`: they are not in this document. */
function pathItems(root: Fields): (value: unknown) => Fields | undefined {
  const followed = new Map<Fields, number>()
  const follow = (reference: string | undefined): Fields | undefined => {
    const target = reference === undefined ? undefined : referred(root, reference)
    if (!isFields(target)) return undefined
    const times = (followed.get(target) ?? 0) + 1
    followed.set(target, times)
    return times > MOST_REFERENCES ? undefined : target
  }
  return (value) => {
    let item: Fields | undefined = firstFields(fieldsOf(value), MOST_FIELDS)
    for (let steps = 0; item !== undefined && Object.hasOwn(item, '$ref'); steps += 1) {
      const { $ref: _, ...beside } = item
      const target: Fields | undefined = steps < MOST_REFERENCES ? follow(textOf(item, '$ref')) : undefined
      item = target && { ...firstFields(target, MOST_FIELDS), ...beside }
    }
    return item
  }
}

/** What the document says once for all its operations. */
interface DocumentWide {
  readonly place: DocumentPlace
  readonly accepts: readonly unknown[]
  /** Where to pay, as extensions of the seller's own say it. */
  readonly places: readonly Fields[]
  readonly title: string | undefined
}

/** Some write the ways to pay of an operation beside its price, or under `x402`. Of several that name routes it has those for this one. */
function withAccepts(info: unknown, operation: Fields, isFor: IsFor): unknown {
  if (!isFields(info)) return info
  const { accepts = field(operation, 'accepts'), x402 } = info
  return {
    ...info,
    ...(Array.isArray(accepts) && { accepts: waysTo(accepts, isFor, false) }),
    ...(Array.isArray(x402) && { x402: { accepts: waysTo(x402, isFor, false) } }),
  }
}

/** Whether a way to pay is for an operation, by the path of the route that it names; hosts of the seller's own are one. */
const forOperation =
  (url: string, place: DocumentPlace): IsFor =>
  (way) => {
    const named = routeNamed(way)?.replace(/^[A-Z]+:?\s+/i, '')
    if (named === undefined) return undefined
    const [there, here] = [resolveIn(place, named), url].map((one) => ADDRESS.exec(prefixFrom(one)))
    if (there === null || there === undefined || there[2] === '') return undefined
    return isOwnHost(place.host, (there[1] ?? '').toLowerCase()) && there[2] === here?.[2]
  }

const ADDRESS = /^https?:\/\/([^/]*)(.*)$/is

const isFilled = ({ length }: readonly unknown[]): boolean => length > 0

function readOperation(
  operation: Fields,
  item: Fields,
  method: string,
  url: string,
  shared: DocumentWide,
  collector: ListingCollector,
): void {
  const written = field(operation, 'x-payment-info') ?? field(item, 'x-payment-info')
  const own = ownTermsOf({ ...item, ...operation })
  const isFor = forOperation(url, shared.place)
  const isBare = written === undefined && own?.isUnpaid !== true
  const offers = isBare && own !== undefined ? ownOffers(own, shared.places, isFor) : []
  if ((written === undefined && offers.length === 0) || saysUnpaid(written)) {
    const isPrivate = isBare && [operation, item].some((place) => Object.entries(place).some(saysPaid))
    collector.refuse(isPrivate ? 'private_dialect' : 'not_paid', method, url)
    return
  }
  if (field(operation, 'deprecated') === true || isWithdrawn(written)) {
    collector.refuse('deprecated', method, url)
    return
  }
  const places = [waysTo(shared.accepts, isFor, true), placesIn(own), waysTo(shared.places, isFor, true)]
  const around = places.find(isFilled) ?? []
  const info =
    written === undefined
      ? { offers, otherProtocols: [] }
      : readPaymentInfo(withAccepts(written, operation, isFor), around)
  const description = joinDescriptions([
    proseOf(operation, 'summary'),
    proseOf(operation, 'description'),
    shared.title,
    tagsOf(operation, 'tags'),
  ])
  if (info.offers.length > 0) collector.route({ url, method, offers: info.offers, description })
  else if (info.otherProtocols.length === 0) collector.refuse('bad_offer', method, url)
  for (const protocol of info.otherProtocols) collector.refuse('unknown_rail', protocol, method, url)
}

/** Says so by its version, or by operations that are written so; `paths` may as well be what a seller calls its routes. */
export function isOpenapi(root: Fields): boolean {
  const paths = field(root, 'paths')
  if (!isFields(paths)) return false
  const says = (item: unknown): boolean =>
    Object.values(firstFields(fieldsOf(item), MOST_FIELDS)).some(
      (said) =>
        isFields(said) && ['responses', 'operationId', 'x-payment-info'].some((name) => Object.hasOwn(said, name)),
    )
  return (
    /^\d/.test(textOf(root, 'openapi', 'swagger') ?? '') || Object.values(paths).slice(0, MOST_LOOKED_AT).some(says)
  )
}

/** A seller's own OpenAPI document. Operations without `x-payment-info` are not paid routes and only counted. */
export function* readOpenapi(document: unknown, context: DocumentContext): Steps<Found> {
  const place = placeOf(context.base, context.allow)
  const collector = new ListingCollector({
    allow: context.allow,
    ...MOST_OF_ONE_SELLER,
    ...(place && { ownHost: place.host }),
  })
  const root = fieldsOf(document)
  const paths = field(root, 'paths')
  if (place === undefined || !isFields(paths) || Object.hasOwn(root, 'swagger')) {
    collector.refuse('bad_document', place === undefined ? context.base : 'not an OpenAPI 3 document')
    return collector.found()
  }
  const shared = {
    place,
    accepts: listOf(field(root, 'x-payment-accepts'))
      .slice(0, MOST_ACCEPTS)
      .map((accept) => firstFields(fieldsOf(accept), MOST_FIELDS)),
    places: [root, fieldsOf(field(root, 'info'))].map((place) => placesIn(ownTermsOf(place))).find(isFilled) ?? [],
    title: proseOf(fieldsOf(field(root, 'info')), 'title'),
  }
  const [itemOf, prefixOf] = [pathItems(root), prefixes(place, context)]
  for (const [path, value] of collector.withRoom(Object.entries(paths))) {
    yield
    const item = itemOf(value)
    if (item === undefined) {
      collector.see()
      collector.refuse('bad_item', path, textOf(fieldsOf(value), '$ref'))
      continue
    }
    for (const method of collector.withRoom(OPERATIONS.filter((name) => isFields(field(item, name))))) {
      const operation = fieldsOf(field(item, method))
      yield
      collector.see()
      const url = joined(prefixOf(operation, item, root), path)
      readOperation(operation, item, method.toUpperCase(), url, shared, collector)
    }
  }
  return collector.foundOnce()
}

export const parseOpenapi = (document: unknown, context: DocumentContext): Found =>
  atOnce(readOpenapi(document, context))

export const openapi = {
  kind: 'openapi',
  shape: 'sellers',
  about: "a seller's own OpenAPI document",
  words: '`summary` and `description` of the operation; `info.title`; `tags` of the operation',
  defaults: [{ name: 'openapi', address: '' }],
  paths: ['/openapi.json'],
  read: readOpenapi,
} as const satisfies SellerDefinition
