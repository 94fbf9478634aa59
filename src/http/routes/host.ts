import { CSP } from '../../render/html/csp.ts'
import { hostPage } from '../../render/html/host.tsx'
import { hostJson } from '../../render/json/host.ts'
import { hostMarkdown } from '../../render/markdown/host.ts'
import { hostHref, type Site } from '../../render/site.ts'
import type { HostView } from '../../views/host-view.ts'
import type { RouteFilter } from '../../views/route-filter.ts'
import { alternates } from '../alternates.ts'
import type { AppContext, Handler, Services } from '../call.ts'
import { hostIn, sendHostPage } from '../hosts-named.ts'
import { type Format, MEDIA_TYPES } from '../negotiation.ts'
import type { Rendered } from '../page.ts'
import { DEFAULT_LIMIT, Parameters } from '../parameters.ts'
import { negotiate } from '../send-page.ts'
import { routeFilter } from './host-lists.ts'

/** How a host view is to be shown. */
interface Shown {
  readonly format: Format
  readonly cards: boolean
  readonly cursor: string | null
  readonly filter: RouteFilter
}

type Bodies = Readonly<Record<Format, (site: Site, view: HostView, shown: Shown) => string>>

const BODIES: Bodies = {
  html: hostPage,
  md: hostMarkdown,
  json: (site, view, shown) => `${JSON.stringify(hostJson(site, view, shown))}\n`,
}

/** `/hosts/<seller_host>`: the host view in the representation that was asked for. */
export const hostRoute =
  (services: Services): Handler =>
  (context) => {
    const parameters = new Parameters(context.req.url)
    const headers = [['Vary', 'Accept, Accept-Encoding']] as const
    return sendView(services, context, parameters, negotiate(context, parameters), headers)
  }

/** `/v1/hosts/<seller_host>`: the host view as JSON. */
export const apiHostRoute =
  (services: Services): Handler =>
  (context) =>
    sendView(services, context, new Parameters(context.req.url), 'json', [['Vary', 'Accept-Encoding']])

function sendView(
  services: Services,
  context: AppContext,
  parameters: Parameters,
  format: Format,
  headers: Rendered['headers'],
): Promise<Response> {
  const { site, directory } = services
  const host = hostIn(context, services)
  const shown = {
    format,
    cards: parameters.oneOf('view', ['cards']) !== null,
    cursor: parameters.cursor(),
    filter: routeFilter(parameters),
  }
  return sendHostPage(services, context, {
    key: JSON.stringify(['host', headers, host, shown, directory.today()]),
    host,
    render: async () => {
      const view = await directory.hostView(host, { limit: DEFAULT_LIMIT, cursor: shown.cursor, ...shown.filter })
      if (view === undefined) return undefined
      return {
        contentType: MEDIA_TYPES[format],
        text: BODIES[format](site, view, shown),
        headers: [
          ...headers,
          ['Link', alternates(site, format, (other) => hostHref(host, addressed(shown, other)))],
          ...(format === 'html' ? [['Content-Security-Policy', CSP] as const] : []),
        ],
      }
    },
  })
}

/** The query that shows the same part of the same view. */
const addressed = ({ cards, cursor, filter }: Shown, format: Format) => ({
  format,
  view: cards ? 'cards' : null,
  cursor,
  ...filter,
})
