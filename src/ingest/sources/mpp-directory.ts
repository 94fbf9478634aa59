import type { Offer } from '../../domain/challenge.ts'
import { joinDescriptions } from '../../domain/words/description.ts'
import type { Found } from '../found.ts'
import { ListingCollector } from '../listing-collector.ts'
import type { Paging, ParseContext } from '../read/context.ts'
import {
  type Fields,
  field,
  fieldsOf,
  isFields,
  isOff,
  listOf,
  methodText,
  proseOf,
  tagsOf,
  textOf,
} from '../read/guards.ts'
import { readMppTerms } from '../read/mpp-terms.ts'
import { isAbsolute, joined } from '../read/own-address.ts'
import { itself, readPaging } from '../read/paging.ts'
import type { PagedDefinition } from '../source-definition.ts'

/** The whole directory is one document and announces no total. */
function mppPaging(document: unknown): Paging | undefined {
  return readPaging(
    fieldsOf(document),
    'services',
    {},
    (service) => textOf(fieldsOf(service), 'id', 'serviceUrl') ?? itself(service),
  )
}

/** A way to pay that is offered no more, or a list of such. */
const isWithdrawn = (payment: unknown): boolean =>
  Array.isArray(payment) ? payment.length > 0 && payment.every(isWithdrawn) : isFields(payment) && isOff(payment)

const FREE: Offer = { rail: 'mpp', price: 0, network: null, asset: null, payee: null }

/** `payment: null` says free; a list gives one offer each, `undefined` for a bad one; a missing field says nothing about the price. */
function offersOf(endpoint: Fields): (Offer | undefined)[] {
  const payment = field(endpoint, 'payment')
  if (payment === null) return [FREE]
  const terms = Array.isArray(payment) ? payment : [payment ?? {}]
  return terms.filter((each) => !isWithdrawn(each)).map((each) => (isFields(each) ? readMppTerms(each) : undefined))
}

/** The service's words, said once for all its endpoints. */
const aboutService = (service: Fields): string | undefined =>
  joinDescriptions([
    proseOf(service, 'name'),
    proseOf(service, 'description'),
    tagsOf(service, 'categories'),
    tagsOf(service, 'tags'),
  ])

function readEndpoint(prefix: string, about: string | undefined, value: unknown, collector: ListingCollector): void {
  const endpoint = fieldsOf(value)
  const path = textOf(endpoint, 'path')
  if (path === undefined) {
    collector.refuse('bad_item', prefix, textOf(endpoint, 'description'))
    return
  }
  const url = isAbsolute(path) ? path : joined(prefix, path)
  if (isOff(endpoint) || isWithdrawn(field(endpoint, 'payment'))) {
    collector.refuse('deprecated', url)
    return
  }
  const written = offersOf(endpoint)
  const offers = written.filter((offer) => offer !== undefined)
  for (const offer of written) if (offer === undefined) collector.refuse('bad_offer', url)
  if (offers.length === 0 && written.length > 0) return
  const description = joinDescriptions([proseOf(endpoint, 'description'), about])
  collector.route({ url, method: methodText(endpoint, 'method'), offers, description })
}

/**
 * The services of an MPP directory. The callable address is `serviceUrl` and the endpoint's path; `url` is the
 * upstream's home page and never called. Services in maintenance are listed like active ones, deprecated ones are not,
 * so that their rows age.
 */
export function parseMppDirectory(document: unknown, context: ParseContext): Found {
  const collector = new ListingCollector(context)
  const services = field(fieldsOf(document), 'services')
  if (!Array.isArray(services)) collector.refuse('bad_document', 'no list of services')
  for (const value of listOf(services)) {
    const service = fieldsOf(value)
    const endpoints = listOf(field(service, 'endpoints'))
    const prefix = textOf(service, 'serviceUrl')
    const deprecated = isOff(service)
    if (prefix === undefined || endpoints.length === 0) {
      collector.see()
      collector.refuse(prefix === undefined ? 'bad_item' : 'no_route', textOf(service, 'id', 'name'))
      continue
    }
    const about = aboutService(service)
    for (const endpoint of endpoints) {
      collector.see()
      if (deprecated) collector.refuse('deprecated', prefix, textOf(fieldsOf(endpoint), 'path'))
      else readEndpoint(prefix, about, endpoint, collector)
    }
  }
  return collector.found()
}

export const mppDirectory = {
  kind: 'mpp-directory',
  shape: 'pages',
  about: 'the services of an MPP directory, in one document',
  address: 'the document',
  words: '`description` of the endpoint; `name`, `description`, `categories` and `tags` of the service',
  defaults: [{ name: 'mpp-directory', address: 'https://mpp.dev/api/services' }],
  pageSize: null,
  pageUrl: (address) => address,
  paging: mppPaging,
  parse: parseMppDirectory,
} as const satisfies PagedDefinition
