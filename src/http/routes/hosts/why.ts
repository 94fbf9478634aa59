import { whyPage } from '../../../render/html/pages/why.tsx'
import { whyJson } from '../../../render/json/why.ts'
import { whyMarkdown } from '../../../render/markdown/why.ts'
import { type Site, whyHref } from '../../../render/site.ts'
import type { WhyView } from '../../../views/why/why-view.ts'
import { PATHS } from '../../../wire/paths.ts'
import { alternates } from '../../alternates.ts'
import { jsonText } from '../../answer.ts'
import { representation } from '../../cache/representation.ts'
import { negotiate, sendList } from '../../cache/send-page.ts'
import type { AppContext, Services } from '../../call.ts'
import { createEndpoint } from '../../endpoint.ts'
import { hostIn } from '../../hosts-named.ts'
import type { Format } from '../../negotiation.ts'
import { forms, json, LINK } from '../../openapi/operation.ts'
import { formatOf, host, pathOf } from '../../openapi/parameters.ts'
import { Parameters } from '../../parameters.ts'

const BODIES: Readonly<Record<Format, (site: Site, view: WhyView) => string>> = {
  html: whyPage,
  md: whyMarkdown,
  json: (_site, view) => jsonText(whyJson(view)),
}

const MINUTE_US = 60_000_000

async function sendWhy(services: Services, context: AppContext, format: Format): Promise<Response> {
  const { site, directory, nowUs } = services
  const asked = { host: hostIn(context, services), path: new Parameters(context.req.url).exact('path') }
  // What is due, and what rests, changes with the time alone.
  const minute = Math.floor(nowUs() / MINUTE_US)
  return sendList(services, context, ['why', asked, format, minute], async () =>
    representation(
      format,
      BODIES[format](site, await directory.why(asked)),
      alternates(site, format, (other) => whyHref(asked.host, { path: asked.path, format: other })),
    ),
  )
}

export const whyPageEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.why, id: 'whyPage', tag: 'Hosts', isCached: true },
  summary: 'Why a host or a route is listed and probed as it is, as a page, Markdown or JSON',
  parameters: [host, pathOf(), formatOf(['html', 'md', 'json'])],
  answers: { 200: forms({ html: 'text', md: 'text', json: 'Why' }, 'Why, also of a host that nobody has named') },
  problems: ['invalid-host', 'not-acceptable'],
  handler: (services) => (context) => sendWhy(services, context, negotiate(context, new Parameters(context.req.url))),
})

export const whyEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.apiWhy, id: 'getWhy', tag: 'Hosts', isCached: true },
  summary: 'Why a host or a route is listed and probed as it is',
  parameters: [host, pathOf()],
  answers: { 200: { ...json('Why', 'Why, also of a host that nobody has named'), headers: LINK } },
  problems: ['invalid-host'],
  handler: (services) => (context) => sendWhy(services, context, 'json'),
})
