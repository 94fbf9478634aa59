import { networkOf } from '../../domain/network.ts'
import { RAILS, type Rail } from '../../domain/route.ts'
import { joinDescriptions } from '../../domain/words/description.ts'
import type { Found } from '../found.ts'
import { ListingCollector } from '../listing-collector.ts'
import type { Paging, ParseContext } from '../read/context.ts'
import {
  accountOf,
  type Fields,
  field,
  fieldsOf,
  isFields,
  listOf,
  methodText,
  proseOf,
  tagsOf,
  textOf,
} from '../read/guards.ts'
import { dollars } from '../read/money.ts'
import { itself, readPaging } from '../read/paging.ts'
import type { PagedDefinition } from '../source-definition.ts'

const INDEX402_PAGE = 200

export const index402PageUrl = (base: string, offset: number, limit = INDEX402_PAGE): string =>
  `${base.replace(/\/+$/, '')}?limit=${limit}&offset=${offset}`

export function index402Paging(document: unknown): Paging | undefined {
  return readPaging(fieldsOf(document), 'services', fieldsOf(document), nameOf)
}

function nameOf(value: unknown): string {
  const service = fieldsOf(value)
  const parts = [methodText(service, 'http_method'), textOf(service, 'url'), textOf(service, 'protocol')]
  const id = textOf(service, 'id') ?? (parts[1] === undefined ? undefined : parts.join(' '))
  return id ?? itself(value)
}

/** How its field `protocol` names each rail, whatever the case. */
const PROTOCOL_OF: Readonly<Record<Rail, string>> = { x402: 'x402', mpp: 'mpp' }

function readService(service: Fields, collector: ListingCollector): void {
  const url = textOf(service, 'url')
  const protocol = textOf(service, 'protocol')
  if (url === undefined) {
    collector.refuse('bad_item', 'no address', textOf(service, 'name', 'id'))
    return
  }
  const rail = RAILS.find((each) => PROTOCOL_OF[each] === protocol?.toLowerCase())
  if (rail === undefined) {
    collector.refuse(protocol === undefined ? 'unknown_rail' : 'other_protocol', protocol, url)
    return
  }
  const network = networkOf(field(service, 'payment_network'))
  const price = dollars(field(service, 'price_usd')) ?? null
  const asset = accountOf(field(service, 'payment_asset'))
  collector.route({
    url,
    method: methodText(service, 'http_method'),
    offers: [{ rail, network, price, asset, payee: null }],
    description: joinDescriptions([
      proseOf(service, 'description'),
      proseOf(service, 'name'),
      tagsOf(service, 'category', 'categories', 'tags'),
    ]),
  })
}

/** One page of 402index: its x402 and MPP rows. L402 is another protocol and left out. */
export function parseIndex402(document: unknown, context: ParseContext): Found {
  const collector = new ListingCollector(context)
  const services = field(fieldsOf(document), 'services')
  if (!Array.isArray(services)) collector.refuse('bad_document', 'no list of services')
  for (const service of listOf(services)) {
    collector.see()
    if (isFields(service)) readService(service, collector)
    else collector.refuse('bad_item', service)
  }
  return collector.found()
}

export const index402 = {
  kind: '402index',
  shape: 'pages',
  about: 'the x402 and MPP rows of 402index',
  address: 'the list of services',
  words: '`description`, `name`, `category`, `tags`',
  defaults: [{ name: '402index', address: 'https://402index.io/api/v1/services' }],
  pageSize: INDEX402_PAGE,
  pageUrl: index402PageUrl,
  paging: index402Paging,
  parse: parseIndex402,
} as const satisfies PagedDefinition
