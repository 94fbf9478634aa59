import {
  type ListShown,
  probeListPage,
  reviewListPage,
  routeListPage,
  statementListPage,
  threadListPage,
} from '../../../render/html/pages/host-lists.tsx'
import { listHref } from '../../../render/list-words.ts'
import {
  probeListMarkdown,
  reviewListMarkdown,
  routeListMarkdown,
  statementListMarkdown,
  threadListMarkdown,
} from '../../../render/markdown/host-lists.ts'
import type { Site } from '../../../render/site.ts'
import type { CountedPage } from '../../../views/directory.ts'
import { PATHS } from '../../../wire/paths.ts'
import { alternates } from '../../alternates.ts'
import { representation } from '../../cache/representation.ts'
import { negotiate } from '../../cache/send-page.ts'
import type { Handler, Services } from '../../call.ts'
import { createEndpoint } from '../../endpoint.ts'
import { hostIn, sendHostPage } from '../../hosts-named.ts'
import type { Format } from '../../negotiation.ts'
import { forms } from '../../openapi/operation.ts'
import { cursor, formatOf, host } from '../../openapi/parameters.ts'
import { HOST_LIST_PROBLEMS } from '../../openapi/problem-sets.ts'
import { Parameters } from '../../parameters.ts'
import { type HostList, PROBES, REVIEWS, ROUTES, STATEMENTS, THREAD } from './lists.ts'

/** Programs have the same lists under /v1, as JSON. */
const OFFERS = ['html', 'md'] as const satisfies readonly Format[]
const FORMS = forms({ html: 'text', md: 'text' }, 'One page of the list')
const PROBLEMS = [...HOST_LIST_PROBLEMS, 'not-acceptable'] as const
/** People see more at once than programs ask for. */
const ROUTES_SHOWN = 100
const ENTRIES_SHOWN = 200
const WRITINGS_SHOWN = 50

/** How much of a list a page shows, and in which forms. */
interface ListForms<T> {
  readonly limit: number
  html(site: Site, shown: ListShown<T>): string
  markdown(site: Site, shown: ListShown<T>): string
}

const listPageHandler =
  <Filter, T>(list: HostList<Filter, CountedPage<T>>, { limit, html, markdown }: ListForms<T>) =>
  (services: Services): Handler =>
  (context) => {
    const { site, directory } = services
    const parameters = new Parameters(context.req.url)
    const format = negotiate(context, parameters, OFFERS)
    const host = hostIn(context, services)
    const cursor = parameters.cursor()
    const query = Object.fromEntries(parameters.kept(list.parameters.map(({ name }) => name)))
    return sendHostPage(services, context, {
      key: JSON.stringify(['list', list.name, format, host, query, cursor]),
      host,
      render: async () => {
        const page = await list.open(directory, host, { limit, cursor, ...list.filter(parameters) })
        if (page === undefined) return undefined
        const shown: ListShown<T> = { host, page, nowUs: services.nowUs(), query, cursor }
        const as = (other: Format): string => listHref[list.name](host, { ...query, cursor, format: other })
        return representation(
          format,
          format === 'html' ? html(site, shown) : markdown(site, shown),
          alternates(site, format, as, OFFERS),
          // It says how long ago things were.
          { standsForMs: format === 'html' ? 60_000 : undefined },
        )
      },
    })
  }

export const routesPageEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.hostRoutes, id: 'routesPage', tag: 'Hosts', isCached: true },
  summary: "A host's routes, as a page",
  parameters: [host, ...ROUTES.parameters, cursor, formatOf(OFFERS)],
  answers: { 200: FORMS },
  problems: PROBLEMS,
  handler: listPageHandler(ROUTES, { limit: ROUTES_SHOWN, html: routeListPage, markdown: routeListMarkdown }),
})

export const probesPageEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.hostProbes, id: 'probesPage', tag: 'Hosts', isCached: true },
  summary: "A host's probe entries, as a page",
  parameters: [host, ...PROBES.parameters, cursor, formatOf(OFFERS)],
  answers: { 200: FORMS },
  problems: PROBLEMS,
  handler: listPageHandler(PROBES, { limit: ENTRIES_SHOWN, html: probeListPage, markdown: probeListMarkdown }),
})

export const reviewsPageEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.hostReviews, id: 'reviewsPage', tag: 'Reviews', isCached: true },
  summary: "A host's reviews, as a page",
  parameters: [host, ...REVIEWS.parameters, cursor, formatOf(OFFERS)],
  answers: { 200: FORMS },
  problems: PROBLEMS,
  handler: listPageHandler(REVIEWS, { limit: WRITINGS_SHOWN, html: reviewListPage, markdown: reviewListMarkdown }),
})

export const threadPageEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.hostThread, id: 'threadPage', tag: 'Threads', isCached: true },
  summary: "A host's discussion thread, as a page",
  parameters: [host, cursor, formatOf(OFFERS)],
  answers: { 200: FORMS },
  problems: PROBLEMS,
  handler: listPageHandler(THREAD, { limit: WRITINGS_SHOWN, html: threadListPage, markdown: threadListMarkdown }),
})

export const statementsPageEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.hostStatements, id: 'statementsPage', tag: 'Sellers', isCached: true },
  summary: "What a host's seller says, as a page",
  parameters: [host, cursor, formatOf(OFFERS)],
  answers: { 200: FORMS },
  problems: PROBLEMS,
  handler: listPageHandler(STATEMENTS, {
    limit: WRITINGS_SHOWN,
    html: statementListPage,
    markdown: statementListMarkdown,
  }),
})
