import { listingHistoryPage } from '../../../render/html/pages/listing-history.tsx'
import { listingHistoryJson } from '../../../render/json/listing-history.ts'
import { listingHistoryMarkdown } from '../../../render/markdown/listing-history.ts'
import { listingHistoryHref, type Site } from '../../../render/site.ts'
import type { ListingHistoryView } from '../../../views/host/listing-history-view.ts'
import { PATHS } from '../../../wire/paths.ts'
import { alternates } from '../../alternates.ts'
import { jsonText } from '../../answer.ts'
import { representation } from '../../cache/representation.ts'
import { negotiate, sendPage } from '../../cache/send-page.ts'
import type { AppContext, Services } from '../../call.ts'
import { createEndpoint } from '../../endpoint.ts'
import { hostIn, unknownHost } from '../../hosts-named.ts'
import type { Format } from '../../negotiation.ts'
import { forms, json, LINK } from '../../openapi/operation.ts'
import { formatOf, host, page } from '../../openapi/parameters.ts'
import { HOST_LIST_PROBLEMS } from '../../openapi/problem-sets.ts'
import { Parameters } from '../../parameters.ts'

const BODIES: Readonly<Record<Format, (site: Site, view: ListingHistoryView, query: URLSearchParams) => string>> = {
  html: (site, view) => listingHistoryPage(site, view),
  md: (site, view) => listingHistoryMarkdown(site, view),
  json: (site, view, query) => jsonText(listingHistoryJson(site, view, query)),
}

/** It stands only as long as nothing at all was written: a document may be read of a host that no source has named. */
async function sendHistory(services: Services, context: AppContext, format: Format): Promise<Response> {
  const { site, directory } = services
  const host = hostIn(context, services)
  const parameters = new Parameters(context.req.url)
  const page = { limit: parameters.limit(), cursor: parameters.cursor() }
  const query = parameters.kept(['limit'])
  const response = await sendPage(services, context, {
    key: JSON.stringify(['listing-history', host, format, page]),
    host: null,
    render: async () => {
      const view = await directory.listingHistory(host, page)
      return (
        view &&
        representation(
          format,
          BODIES[format](site, view, query),
          alternates(site, format, (other) => listingHistoryHref(host, { format: other })),
        )
      )
    },
  })
  if (response !== undefined) return response
  throw await unknownHost(services, host)
}

export const listingHistoryPageEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.listingHistory, id: 'listingHistoryPage', tag: 'Hosts', isCached: true },
  summary: 'Where a seller is listed, since when, and why not, as a page, Markdown or JSON',
  parameters: [host, ...page, formatOf(['html', 'md', 'json'])],
  answers: { 200: forms({ html: 'text', md: 'text', json: 'ListingHistory' }, 'The history, one page of routes') },
  problems: [...HOST_LIST_PROBLEMS, 'not-acceptable'],
  handler: (services) => (context) =>
    sendHistory(services, context, negotiate(context, new Parameters(context.req.url))),
})

export const listingHistoryEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.apiListingHistory, id: 'getListingHistory', tag: 'Hosts', isCached: true },
  summary: 'Where a seller is listed, since when, and why not',
  parameters: [host, ...page],
  answers: { 200: { ...json('ListingHistory', 'The history, one page of routes'), headers: LINK } },
  problems: HOST_LIST_PROBLEMS,
  handler: (services) => (context) => sendHistory(services, context, 'json'),
})
