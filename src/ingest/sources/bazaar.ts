import type { Offer } from '../../domain/challenge.ts'
import { joinDescriptions } from '../../domain/description.ts'
import { addressOf, parseAddress } from '../../domain/route.ts'
import type { Found } from '../found.ts'
import { Gathering } from '../gathering.ts'
import { readAccept } from '../read/accept.ts'
import type { Paging, ParseContext } from '../read/context.ts'
import { type Fields, field, fieldsOf, isFields, listOf, proseOf, tagsOf, textOf } from '../read/guards.ts'
import { readPaging } from '../read/paging.ts'

/** The most that the largest public facilitator gives at once. */
export const BAZAAR_PAGE = 100

export const bazaarPageUrl = (base: string, offset: number): string =>
  `${base.replace(/\/+$/, '')}/discovery/resources?type=http&limit=${BAZAAR_PAGE}&offset=${offset}`

export function bazaarPaging(document: unknown): Paging | undefined {
  const page = fieldsOf(document)
  return readPaging(page, 'items', fieldsOf(field(page, 'pagination')))
}

/** Accepts that are asked for a description; they repeat each other. */
const MOST_DESCRIBING = 8

const SAFE_TEMPLATE = /^\/(?!\/)[A-Za-z0-9_/:.~%{}-]+$/

/**
 * The Bazaar's rule for a route template: it replaces the path of the address it came with, unless it could lead
 * somewhere else, in which case the address stands alone.
 */
function withTemplate(url: string, template: string | undefined, context: ParseContext): string {
  if (template === undefined || !SAFE_TEMPLATE.test(template)) return url
  const plain = template.replace(/%2e/gi, '.').replace(/%2f/gi, '/').replace(/%3a/gi, ':')
  if (/%25|\.\.|:\/\//i.test(plain)) return url
  const reading = parseAddress(url, context.allow)
  return reading.ok ? addressOf(reading.address.scheme, reading.address.host, template) : url
}

/** Version 2 writes `extensions.bazaar.info.input`, version 1 `outputSchema.input`; both also occur inside an accept. */
const inputsOf = (fields: Fields): Fields[] => [
  fieldsOf(field(fieldsOf(field(fieldsOf(field(fieldsOf(field(fields, 'extensions')), 'bazaar')), 'info')), 'input')),
  fieldsOf(field(fieldsOf(field(fields, 'outputSchema')), 'input')),
]

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

function readItem(item: Fields, gathering: Gathering, context: ParseContext): void {
  const accepts = listOf(field(item, 'accepts')).map(fieldsOf)
  const url = addressText(item, accepts)
  const inputs = [item, ...accepts].map(inputsOf)
  const kind =
    textOf(item, 'type') ??
    inputs
      .flat()
      .map((input) => textOf(input, 'type'))
      .find((type) => type !== undefined)
  if (kind !== undefined && kind.toLowerCase() !== 'http') {
    gathering.refuse('not_http', kind, url)
    return
  }
  if (url === undefined) {
    gathering.refuse('bad_item', 'no address', textOf(item, 'description'))
    return
  }

  const methodIn = (places: readonly Fields[]) =>
    places.map((place) => textOf(place, 'method')).find((text) => text !== undefined)
  const ofItem = methodIn(inputs[0] ?? [])
  const anyMethod = ofItem ?? methodIn(inputs.flat())
  const byMethod = new Map<string | undefined, Offer[]>()
  for (const [index, accept] of listOf(field(item, 'accepts')).entries()) {
    const offer = readAccept(accept)
    if (offer === undefined) {
      gathering.refuse('bad_offer', url)
      continue
    }
    const method = ofItem ?? methodIn(inputs[index + 1] ?? []) ?? anyMethod
    byMethod.set(method, [...(byMethod.get(method) ?? []), offer])
  }
  const address = withTemplate(url, routeTemplate(item), context)
  if (byMethod.size === 0) gathering.refuse('no_offers', url)
  const description = descriptionOf(item, accepts.slice(0, MOST_DESCRIBING))
  for (const [method, offers] of byMethod) gathering.route({ url: address, method, offers, description })
}

/** One page of a facilitator's `/discovery/resources`, items of version 1 and 2 mixed. Its dates are not evidence and not read. */
export function parseBazaar(document: unknown, context: ParseContext): Found {
  const gathering = new Gathering(context)
  const items = field(fieldsOf(document), 'items')
  if (!Array.isArray(items)) gathering.refuse('bad_document', 'no list of items')
  for (const item of listOf(items)) {
    gathering.see()
    if (isFields(item)) readItem(item, gathering, context)
    else gathering.refuse('bad_item', item)
  }
  return gathering.found()
}
