import { joinDescriptions } from '../../domain/description.ts'
import type { Rail } from '../../domain/route.ts'
import type { Found } from '../found.ts'
import { Gathering } from '../gathering.ts'
import type { Paging, ParseContext } from '../read/context.ts'
import {
  accountOf,
  type Fields,
  field,
  fieldsOf,
  isFields,
  listOf,
  networkOf,
  proseOf,
  tagsOf,
  textOf,
} from '../read/guards.ts'
import { dollars } from '../read/money.ts'
import { readPaging } from '../read/paging.ts'

export const INDEX402_PAGE = 200

export const index402PageUrl = (base: string, offset: number): string =>
  `${base.replace(/\/+$/, '')}?limit=${INDEX402_PAGE}&offset=${offset}`

export function index402Paging(document: unknown): Paging | undefined {
  return readPaging(fieldsOf(document), 'services', fieldsOf(document))
}

const RAIL_OF: ReadonlyMap<string, Rail> = new Map([
  ['x402', 'x402'],
  ['mpp', 'mpp'],
])

function readService(service: Fields, gathering: Gathering): void {
  const url = textOf(service, 'url')
  const protocol = textOf(service, 'protocol')
  if (url === undefined) {
    gathering.refuse('bad_item', 'no address', textOf(service, 'name', 'id'))
    return
  }
  const rail = protocol === undefined ? undefined : RAIL_OF.get(protocol.toLowerCase())
  if (rail === undefined) {
    gathering.refuse(protocol === undefined ? 'unknown_rail' : 'other_protocol', protocol, url)
    return
  }
  const network = networkOf(field(service, 'payment_network'))
  const price = dollars(field(service, 'price_usd')) ?? null
  const asset = accountOf(field(service, 'payment_asset'))
  gathering.route({
    url,
    method: textOf(service, 'http_method'),
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
  const gathering = new Gathering(context)
  const services = field(fieldsOf(document), 'services')
  if (!Array.isArray(services)) gathering.refuse('bad_document', 'no list of services')
  for (const service of listOf(services)) {
    gathering.see()
    if (isFields(service)) readService(service, gathering)
    else gathering.refuse('bad_item', service)
  }
  return gathering.found()
}
