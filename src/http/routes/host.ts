import type { SellerHost } from '../../domain/host.ts'
import { CSP } from '../../render/html/csp.ts'
import { hostPage } from '../../render/html/host.tsx'
import { hostJson } from '../../render/json/host.ts'
import { hostMarkdown } from '../../render/markdown/host.ts'
import { fullAddress, hostHref, type Site } from '../../render/site.ts'
import type { HostView } from '../../views/host-view.ts'
import type { AppContext, Handler, Services } from '../call.ts'
import { hostIn, sendHostPage } from '../hosts-named.ts'
import { FORMATS, type Format, MEDIA_TYPES } from '../negotiation.ts'
import type { Rendered } from '../page.ts'
import { DEFAULT_LIMIT, Parameters } from '../parameters.ts'
import { negotiate } from '../send-page.ts'

/** How a host view is to be shown. */
interface Shown {
  readonly format: Format
  readonly cards: boolean
  readonly cursor: string | null
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
  const shown = { format, cards: parameters.oneOf('view', ['cards']) !== null, cursor: parameters.cursor() }
  return sendHostPage(services, context, {
    key: JSON.stringify(['host', headers, host, shown.format, shown.cards, shown.cursor]),
    host,
    render: async () => {
      const view = await directory.hostView(host, { limit: DEFAULT_LIMIT, cursor: shown.cursor })
      if (view === undefined) return undefined
      return {
        contentType: MEDIA_TYPES[format],
        text: BODIES[format](site, view, shown),
        headers: [
          ...headers,
          ['Link', alternates(site, host, shown)],
          ...(format === 'html' ? [['Content-Security-Policy', CSP] as const] : []),
        ],
      }
    },
  })
}

/** The same part of the same view in the other representations. */
function alternates(site: Site, host: SellerHost, { format, cards, cursor }: Shown): string {
  const others = FORMATS.filter((other) => other !== format)
  return others
    .map((other) => {
      const href = hostHref(host, { format: other, view: cards ? 'cards' : null, cursor })
      return `<${fullAddress(site, href)}>; rel="alternate"; type="${MEDIA_TYPES[other]}"`
    })
    .join(', ')
}
