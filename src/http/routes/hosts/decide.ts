import { problem } from '../../../domain/problem-kinds.ts'
import { METHODS, parseAddress, RAILS, type RouteAddress, type RouteKey } from '../../../domain/route.ts'
import { decisionJson } from '../../../render/json/decision.ts'
import { decisionMarkdown } from '../../../render/markdown/decision.ts'
import { decideHref, type Site, withQuery } from '../../../render/site.ts'
import type { DecisionView } from '../../../views/decision/decision-view.ts'
import { PATHS } from '../../../wire/paths.ts'
import { alternates } from '../../alternates.ts'
import { jsonText } from '../../answer.ts'
import { negotiate, sendPage } from '../../cache/send-page.ts'
import type { Services } from '../../call.ts'
import { createEndpoint } from '../../endpoint.ts'
import { requireHost } from '../../hosts-named.ts'
import { type Format, MEDIA_TYPES } from '../../negotiation.ts'
import { forms } from '../../openapi/operation.ts'
import { EXAMPLES, formatOf, inQuery, methodOf, railOf } from '../../openapi/parameters.ts'
import { Parameters } from '../../parameters.ts'

const OFFERS = ['json', 'md'] as const satisfies readonly Format[]
const HOUR_US = 3_600_000_000
const GIVE = 'Give method, url and rail.'

export const decideEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.decide, id: 'decide', tag: 'Hosts', isCached: true },
  summary: 'Should I pay this? What is known of one route before paying for it',
  description:
    'Evidence, no score: listed and observed price, probe results of the last day, week and month with latency, reviews by support level, payees seen, and what is not known. The address may be concrete where the listed path is a template, and have a query of its own where the listed path has none.',
  parameters: [
    methodOf({ required: true }),
    inQuery('url', 'Full address of the route', { required: true, example: EXAMPLES.url }),
    railOf({ required: true }),
    formatOf(OFFERS),
  ],
  answers: { 200: forms({ json: 'Decision', md: 'text' }, 'What is known, and what is not') },
  problems: ['unknown-host', 'unknown-route', 'not-acceptable'],
  handler: (services) => async (context) => {
    const parameters = new Parameters(context.req.url)
    const format = negotiate(context, parameters, OFFERS)
    const given = parameters.required(GIVE)
    const method = given.oneOf('method', METHODS)
    const url = given.text('url')
    const rail = given.oneOf('rail', RAILS)
    const { host, scheme, path } = addressIn(url, services)
    const asked = { scheme, method, path, rail }
    const response = await sendPage(services, context, {
      // The windows move with the time: an answer is at most an hour behind.
      key: JSON.stringify(['decide', format, host, asked, Math.floor(services.nowUs() / HOUR_US)]),
      host,
      saysVersion: true,
      render: async (onVersion) => {
        const view = await services.directory.decision(host, asked, onVersion)
        return (
          view && {
            contentType: MEDIA_TYPES[format],
            text: bodyOf(services.site, view, format),
            headers: [
              ['Vary', 'Accept, Accept-Encoding'],
              ['Link', alternates(services.site, format, (other) => decideAs(asked, url, other), OFFERS)],
            ],
          }
        )
      },
    })
    if (response !== undefined) return response
    await requireHost(services, host)
    throw problem('unknown-route', `No listing source has named ${method} ${path || '/'} on ${rail} of ${host}.`, {
      more: { host, near_matches: await services.directory.nearRoutes(host, path) },
    })
  },
})

function addressIn(url: string, { allow }: Services): RouteAddress {
  const reading = parseAddress(url, allow)
  if (reading.ok) return reading.address
  throw problem('invalid-parameter', `The parameter url is not the address of a route: ${reading.reason}.`, {
    hint: 'Give the full address of a route, such as https://api.example.com/v1/weather.',
    more: { parameter: 'url' },
  })
}

const bodyOf = (site: Site, view: DecisionView, format: Format): string =>
  format === 'md' ? decisionMarkdown(site, view) : jsonText(decisionJson(site, view))

const decideAs = ({ method, rail }: Pick<RouteKey, 'method' | 'rail'>, url: string, format: Format): string =>
  withQuery(decideHref, { method, url, rail, format })
