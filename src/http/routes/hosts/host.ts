import { z } from 'zod'
import { agoStandsForMs } from '../../../domain/time/relative.ts'
import { hostPage } from '../../../render/html/pages/host.tsx'
import { hostJson } from '../../../render/json/host.ts'
import { hostMarkdown } from '../../../render/markdown/host.ts'
import { hostHref, type Site } from '../../../render/site.ts'
import type { HostView } from '../../../views/host/host-view.ts'
import type { RouteFilter } from '../../../views/route/route-filter.ts'
import { PATHS } from '../../../wire/paths.ts'
import { alternates } from '../../alternates.ts'
import { jsonText } from '../../answer.ts'
import { representation } from '../../cache/representation.ts'
import { negotiate } from '../../cache/send-page.ts'
import type { AppContext, Services } from '../../call.ts'
import { createEndpoint } from '../../endpoint.ts'
import { hostIn, sendHostPage } from '../../hosts-named.ts'
import type { Format } from '../../negotiation.ts'
import { forms, json, LINK } from '../../openapi/operation.ts'
import { cursor, formatOf, host, inQuery } from '../../openapi/parameters.ts'
import { HOST_LIST_PROBLEMS } from '../../openapi/problem-sets.ts'
import { DEFAULT_LIMIT, Parameters } from '../../parameters.ts'
import { ROUTES } from './lists.ts'

const viewParameters = [
  ...ROUTES.parameters,
  inQuery('view', 'Adds the exact texts of the card style', { schema: z.enum(['cards']), example: 'cards' }),
  cursor,
]

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
  json: (site, view, shown) => jsonText(hostJson(site, view, shown)),
}

export const hostPageEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.host, id: 'hostPage', tag: 'Hosts', isCached: true },
  summary: 'The host view, as a page, Markdown or JSON',
  parameters: [host, ...viewParameters, formatOf(['html', 'md', 'json'])],
  answers: { 200: forms({ html: 'text', md: 'text', json: 'HostView' }, 'Everything about one host') },
  problems: [...HOST_LIST_PROBLEMS, 'not-acceptable'],
  handler: (services) => (context) => {
    const parameters = new Parameters(context.req.url)
    return sendView(services, context, parameters, negotiate(context, parameters))
  },
})

export const getHostEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.apiHost, id: 'getHost', tag: 'Hosts', isCached: true },
  summary: 'The host view',
  description:
    'At most 50 routes and, of each, the 5 newest probe entries and 5 reviews: those that count first, by level, then the newest; totals and `next` say what is left.',
  parameters: [host, ...viewParameters],
  answers: { 200: { ...json('HostView', 'Everything about one host'), headers: LINK } },
  problems: HOST_LIST_PROBLEMS,
  handler: (services) => (context) =>
    sendView(services, context, new Parameters(context.req.url), 'json', 'Accept-Encoding'),
})

function sendView(
  services: Services,
  context: AppContext,
  parameters: Parameters,
  format: Format,
  vary?: string,
): Promise<Response> {
  const { site, directory } = services
  const host = hostIn(context, services)
  const shown = {
    format,
    cards: parameters.oneOf('view', ['cards']) !== null,
    cursor: parameters.cursor(),
    filter: ROUTES.filter(parameters),
  }
  return sendHostPage(services, context, {
    key: JSON.stringify(['host', vary, host, shown, directory.today()]),
    host,
    saysVersion: true,
    render: async (onVersion) => {
      const page = { limit: DEFAULT_LIMIT, cursor: shown.cursor, ...shown.filter }
      const view = await directory.hostView(host, page, onVersion)
      if (view === undefined) return undefined
      return representation(
        format,
        BODIES[format](site, view, shown),
        alternates(site, format, (other) => hostHref(host, addressed(shown, other))),
        {
          vary,
          standsForMs: format === 'html' ? agoStandsForMs([view.counters.newestEvidenceUs], view.nowUs) : undefined,
        },
      )
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
