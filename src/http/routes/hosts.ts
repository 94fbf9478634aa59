import { isNetwork } from '../../domain/network.ts'
import { priceFromDecimal } from '../../domain/price.ts'
import { RESULTS } from '../../domain/probe.ts'
import { RAILS } from '../../domain/route.ts'
import { homeHref } from '../../render/hosts-query.ts'
import { CSP } from '../../render/html/csp.ts'
import { homePage } from '../../render/html/home.tsx'
import { hostsJson } from '../../render/json/pages.ts'
import { hostsMarkdown } from '../../render/markdown/hosts.ts'
import type { Site } from '../../render/site.ts'
import { HOST_SORTS, type HomeView, type HostQuery, type HostSort, REQUESTED_WITHIN } from '../../views/hosts-view.ts'
import { alternates } from '../alternates.ts'
import type { Handler, Services } from '../call.ts'
import { type Format, MEDIA_TYPES } from '../negotiation.ts'
import { Parameters } from '../parameters.ts'
import { negotiate, sendList } from '../send-page.ts'

const SIX_DIGITS = /^\d+(?:\.\d{1,6})?$/

export const hostQuery = (parameters: Parameters): HostQuery => ({
  q: parameters.line('q'),
  rail: parameters.oneOf('rail', RAILS),
  network: parameters.parsed('network', 'a network such as base or eip155:8453', (text) =>
    isNetwork(text) ? text : undefined,
  ),
  maxPrice: parameters.parsed('max_price', 'dollars with at most 6 fractional digits, such as 0.05', (text) =>
    SIX_DIGITS.test(text) ? priceFromDecimal(text) : undefined,
  ),
  result: parameters.oneOf('result', RESULTS),
  requested: parameters.oneOf('requested', REQUESTED_WITHIN),
  sort: sortAsked(parameters),
  limit: parameters.limit(),
  cursor: parameters.cursor(),
})

/** With words to look for the best match comes first, unless asked otherwise; without them nothing matches better. */
function sortAsked(parameters: Parameters): HostSort {
  const asked = parameters.oneOf('sort', HOST_SORTS)
  const searches = parameters.line('q') !== null
  return asked === null || asked === 'match' ? (searches ? 'match' : 'host') : asked
}

const BODIES: Readonly<Record<Format, (site: Site, home: HomeView) => string>> = {
  html: homePage,
  md: hostsMarkdown,
  json: (site, home) => `${JSON.stringify(hostsJson(site, home.query, { items: home.rows, next: home.next }))}\n`,
}

/** `/`: search and browse. */
export const homeRoute =
  (services: Services): Handler =>
  (context) => {
    const parameters = new Parameters(context.req.url)
    const format = negotiate(context, parameters)
    const query = hostQuery(parameters)
    return sendList(services, context, ['home', format, query], async () => {
      const home = await services.directory.home(query)
      return {
        contentType: MEDIA_TYPES[format],
        text: BODIES[format](services.site, home),
        headers: [
          ['Vary', 'Accept, Accept-Encoding'],
          ['Link', alternates(services.site, format, (other) => homeAs(query, other))],
          ...(format === 'html' ? [['Content-Security-Policy', CSP] as const] : []),
        ],
      }
    })
  }

/** The same part of the same list. */
function homeAs(query: HostQuery, format: Format): string {
  const cursor = query.cursor === null ? '' : `&cursor=${encodeURIComponent(query.cursor)}`
  return `${homeHref(query)}${cursor}&format=${format}`
}

/** `/v1/hosts`: the same list as JSON. */
export const apiHostsRoute =
  (services: Services): Handler =>
  (context) => {
    const query = hostQuery(new Parameters(context.req.url))
    return sendList(services, context, ['hosts', query], async () => {
      const document = hostsJson(services.site, query, await services.directory.hosts(query))
      return {
        contentType: 'application/json',
        text: `${JSON.stringify(document)}\n`,
        headers: [['Vary', 'Accept-Encoding']],
      }
    })
  }
