import { z } from 'zod'
import { PROBE_STATUSES, RESULTS } from '../../../domain/probe.ts'
import { RAILS } from '../../../domain/route.ts'
import { homeHref } from '../../../render/hosts-query.ts'
import { homePage } from '../../../render/html/pages/home.tsx'
import { hostsJson } from '../../../render/json/pages.ts'
import { hostsMarkdown } from '../../../render/markdown/hosts.ts'
import type { Site } from '../../../render/site.ts'
import { SORT_OF_REVIEWS } from '../../../render/words.ts'
import { MAX_PRICE, NETWORK, readTyped, sortAsked } from '../../../views/host/hosts-asked.ts'
import { HOST_SORTS, type HostQuery, REQUESTED_WITHIN, RETIRED } from '../../../views/host/hosts-view.ts'
import type { ListedHome } from '../../../views/seller/listed-hosts.ts'
import { probeStatus, result } from '../../../wire/api/values.ts'
import { PATHS } from '../../../wire/paths.ts'
import { alternates } from '../../alternates.ts'
import { jsonText } from '../../answer.ts'
import { jsonPage, representation } from '../../cache/representation.ts'
import { negotiate, sendList } from '../../cache/send-page.ts'
import { createEndpoint } from '../../endpoint.ts'
import type { Format } from '../../negotiation.ts'
import { forms, json } from '../../openapi/operation.ts'
import { formatOf, inQuery, page, railOf } from '../../openapi/parameters.ts'
import { LIST_PROBLEMS } from '../../openapi/problem-sets.ts'
import { Parameters } from '../../parameters.ts'

const search = [
  inQuery(
    'q',
    'Words of host names, paths, descriptions and sources, typing errors are forgiven; or the address of a route',
    {
      example: 'example',
    },
  ),
  railOf(),
  inQuery('network', 'A network such as base or eip155:8453', { example: 'base' }),
  inQuery('max_price', 'The highest price of one call, in dollars', { example: '0.05' }),
  inQuery('check', 'Hosts with a route whose newest live challenge compares so with what is listed', {
    schema: probeStatus,
    example: 'verified',
  }),
  inQuery(
    'result',
    'Hosts with at least one probe entry of this class; beside other conditions, of the route that they lead to',
    { schema: result, example: '402-correct' },
  ),
  inQuery('requested', 'Hosts that requested payment in the last day', { schema: z.enum(REQUESTED_WITHIN) }),
  inQuery('retired', 'Hosts that their seller retired or moved: with the others or alone; left out unless given', {
    schema: z.enum(RETIRED),
    example: 'with',
  }),
  inQuery('sort', `The order; best match first when q is given, else by name. ${SORT_OF_REVIEWS}`, {
    schema: z.enum(HOST_SORTS),
    example: 'newest',
  }),
  ...page,
]

export const hostQuery = (parameters: Parameters): HostQuery => ({
  q: parameters.search(),
  rail: parameters.oneOf('rail', RAILS),
  network: readTyped(NETWORK, parameters.text('network')),
  maxPrice: readTyped(MAX_PRICE, parameters.text('max_price')),
  check: parameters.oneOf('check', PROBE_STATUSES),
  result: parameters.oneOf('result', RESULTS),
  requested: parameters.oneOf('requested', REQUESTED_WITHIN),
  retired: parameters.oneOf('retired', RETIRED),
  sort: sortAsked(parameters.oneOf('sort', HOST_SORTS), parameters.search()),
  limit: parameters.limit(),
  cursor: parameters.cursor(),
})

const BODIES: Readonly<Record<Format, (site: Site, home: ListedHome) => string>> = {
  html: homePage,
  md: hostsMarkdown,
  json: (site, home) => jsonText(hostsJson(site, home.query, { ...home, items: home.rows })),
}

export const homeEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.home, id: 'home', tag: 'Hosts', isCached: true },
  summary: 'Search and browse hosts, as a page, Markdown or JSON',
  parameters: [...search, formatOf(['html', 'md', 'json'])],
  answers: { 200: forms({ html: 'text', md: 'text', json: 'Hosts' }, 'One page of hosts') },
  problems: [...LIST_PROBLEMS, 'not-acceptable'],
  handler: (services) => (context) => {
    const parameters = new Parameters(context.req.url)
    const format = negotiate(context, parameters)
    const query = hostQuery(parameters)
    return sendList(services, context, ['home', format, query], async () => {
      const home = await services.directory.home(query)
      return representation(
        format,
        BODIES[format](services.site, home),
        alternates(services.site, format, (other) => homeAs(query, other)),
      )
    })
  },
})

/** The same part of the same list. */
function homeAs(query: HostQuery, format: Format): string {
  const cursor = query.cursor === null ? '' : `&cursor=${encodeURIComponent(query.cursor)}`
  return `${homeHref(query)}${cursor}&format=${format}`
}

export const listHostsEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.apiHosts, id: 'listHosts', tag: 'Hosts', isCached: true },
  summary: 'Search and list hosts',
  description:
    'The rail, network, price and price check that are given hold for one and the same route of a host, and so do result and requested beside each other, beside them or beside words; one of these alone is of any of its routes.',
  parameters: search,
  answers: { 200: json('Hosts', 'One page of hosts') },
  problems: LIST_PROBLEMS,
  handler: (services) => (context) => {
    const query = hostQuery(new Parameters(context.req.url))
    return sendList(services, context, ['hosts', query], async () => {
      return jsonPage(hostsJson(services.site, query, await services.directory.hosts(query)))
    })
  },
})
