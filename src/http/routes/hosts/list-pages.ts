import type { SellerHost } from '../../../domain/host.ts'
import { LEVELS } from '../../../domain/review.ts'
import { METHODS } from '../../../domain/route.ts'
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
import type { CountedPage, PageRequest } from '../../../views/directory.ts'
import { level } from '../../../wire/api/values.ts'
import { PATHS } from '../../../wire/paths.ts'
import { alternates } from '../../alternates.ts'
import { representation } from '../../cache/representation.ts'
import { negotiate } from '../../cache/send-page.ts'
import type { Handler, Services } from '../../call.ts'
import { createEndpoint } from '../../endpoint.ts'
import { hostIn, sendHostPage } from '../../hosts-named.ts'
import type { Format } from '../../negotiation.ts'
import { forms } from '../../openapi/operation.ts'
import { cursor, formatOf, host, inQuery, methodOf, pathOf, railOf, vantageOf } from '../../openapi/parameters.ts'
import { HOST_LIST_PROBLEMS } from '../../openapi/problem-sets.ts'
import { Parameters } from '../../parameters.ts'
import { filterParameters, PROBE_FILTERS, pathIn, probeFilter, routeFilter } from './host-lists.ts'

/** Programs have the same lists under /v1, as JSON. */
const OFFERS = ['html', 'md'] as const satisfies readonly Format[]
const FORMS = forms({ html: 'text', md: 'text' }, 'One page of the list')
const PROBLEMS = [...HOST_LIST_PROBLEMS, 'not-acceptable'] as const
/** People see more at once than programs ask for. */
const ROUTES_SHOWN = 100
const ENTRIES_SHOWN = 200
const WRITINGS_SHOWN = 50

interface List<T> {
  readonly name: keyof typeof listHref
  readonly limit: number
  readonly filters: readonly string[]
  read(
    services: Services,
    host: SellerHost,
    page: PageRequest,
    parameters: Parameters,
  ): Promise<CountedPage<T> | undefined>
  html(site: Site, shown: ListShown<T>, parameters: Parameters): string
  markdown(site: Site, shown: ListShown<T>): string
}

const listPageHandler =
  <T>({ name, limit, filters, read, html, markdown }: List<T>) =>
  (services: Services): Handler =>
  (context) => {
    const { site } = services
    const parameters = new Parameters(context.req.url)
    const format = negotiate(context, parameters, OFFERS)
    const host = hostIn(context, services)
    const cursor = parameters.cursor()
    const query = Object.fromEntries(parameters.kept(filters))
    return sendHostPage(services, context, {
      key: JSON.stringify(['list', name, format, host, query, cursor]),
      host,
      render: async () => {
        const page = await read(services, host, { limit, cursor }, parameters)
        if (page === undefined) return undefined
        const shown: ListShown<T> = { host, page, nowUs: services.nowUs(), query, cursor }
        const as = (other: Format): string => listHref[name](host, { ...query, cursor, format: other })
        return {
          ...representation(
            format,
            format === 'html' ? html(site, shown, parameters) : markdown(site, shown),
            alternates(site, format, as, OFFERS),
          ),
          // It says how long ago things were.
          ...(format === 'html' ? { standsForMs: 60_000 } : {}),
        }
      },
    })
  }

export const routesPageEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.hostRoutes, id: 'routesPage', tag: 'Hosts', isCached: true },
  summary: "A host's routes, as a page",
  parameters: [host, ...filterParameters, cursor, formatOf(OFFERS)],
  answers: { 200: FORMS },
  problems: PROBLEMS,
  handler: listPageHandler({
    name: 'routes',
    limit: ROUTES_SHOWN,
    filters: ['q', 'method'],
    read: ({ directory }, host, page, parameters) => directory.routes(host, { ...page, ...routeFilter(parameters) }),
    html: routeListPage,
    markdown: routeListMarkdown,
  }),
})

export const probesPageEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.hostProbes, id: 'probesPage', tag: 'Hosts', isCached: true },
  summary: "A host's probe entries, as a page",
  parameters: [host, methodOf(), pathOf(), railOf(), vantageOf, cursor, formatOf(OFFERS)],
  answers: { 200: FORMS },
  problems: PROBLEMS,
  handler: listPageHandler({
    name: 'probes',
    limit: ENTRIES_SHOWN,
    filters: PROBE_FILTERS,
    read: ({ directory }, host, page, parameters) => directory.probes(host, { ...page, ...probeFilter(parameters) }),
    html: probeListPage,
    markdown: probeListMarkdown,
  }),
})

const levelIn = (parameters: Parameters) => parameters.oneOf('level', LEVELS)

export const reviewsPageEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.hostReviews, id: 'reviewsPage', tag: 'Reviews', isCached: true },
  summary: "A host's reviews, as a page",
  parameters: [
    host,
    inQuery('level', 'Support level', { schema: level, example: 'Signed' }),
    methodOf(),
    pathOf(),
    cursor,
    formatOf(OFFERS),
  ],
  answers: { 200: FORMS },
  problems: PROBLEMS,
  handler: listPageHandler({
    name: 'reviews',
    limit: WRITINGS_SHOWN,
    filters: ['level', 'method', 'path'],
    read: ({ directory }, host, page, parameters) =>
      directory.reviews(host, {
        ...page,
        level: levelIn(parameters),
        method: parameters.oneOf('method', METHODS),
        path: pathIn(parameters),
      }),
    html: (site, shown, parameters) => reviewListPage(site, { ...shown, level: levelIn(parameters) }),
    markdown: reviewListMarkdown,
  }),
})

export const threadPageEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.hostThread, id: 'threadPage', tag: 'Threads', isCached: true },
  summary: "A host's discussion thread, as a page",
  parameters: [host, cursor, formatOf(OFFERS)],
  answers: { 200: FORMS },
  problems: PROBLEMS,
  handler: listPageHandler({
    name: 'thread',
    limit: WRITINGS_SHOWN,
    filters: [],
    read: ({ directory }, host, page) => directory.thread(host, page),
    html: threadListPage,
    markdown: threadListMarkdown,
  }),
})

export const statementsPageEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.hostStatements, id: 'statementsPage', tag: 'Sellers', isCached: true },
  summary: "What a host's seller says, as a page",
  parameters: [host, cursor, formatOf(OFFERS)],
  answers: { 200: FORMS },
  problems: PROBLEMS,
  handler: listPageHandler({
    name: 'statements',
    limit: WRITINGS_SHOWN,
    filters: [],
    read: ({ directory }, host, page) => directory.statements(host, page),
    html: statementListPage,
    markdown: statementListMarkdown,
  }),
})
