import { CSP } from '../../../render/html/csp.ts'
import { policyPage } from '../../../render/html/pages/policy.tsx'
import { policyJson } from '../../../render/json/policy.ts'
import { PATHS } from '../../../wire/paths.ts'
import { jsonAnswer, textAnswer, toResponse } from '../../answer.ts'
import { negotiate } from '../../cache/send-page.ts'
import type { AppContext, Services } from '../../call.ts'
import { compressed } from '../../compressed.ts'
import { createEndpoint } from '../../endpoint.ts'
import type { Format } from '../../negotiation.ts'
import { forms, json } from '../../openapi/operation.ts'
import { formatOf } from '../../openapi/parameters.ts'
import { Parameters } from '../../parameters.ts'

export const policyPageEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.policy, id: 'policyPage', tag: 'Directory', isCached: true },
  summary: 'Price of a post, who is paid, which reviews count, rate limits; as a page',
  parameters: [formatOf(['html', 'json'])],
  answers: { 200: forms({ html: 'text', json: 'Policy' }, 'The policy') },
  problems: ['not-acceptable'],
  handler: (services) => (context) =>
    sendPolicy(services, context, negotiate(context, new Parameters(context.req.url), ['html', 'json'])),
})

export const getPolicyEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.apiPolicy, id: 'getPolicy', tag: 'Directory', isCached: true },
  summary: 'Price of a post, who is paid, which reviews count, rate limits',
  answers: { 200: json('Policy', 'The policy') },
  handler: (services) => (context) => sendPolicy(services, context, 'json'),
})

/** Never out of the cache: a rail that comes to life writes nothing that would renew it. */
async function sendPolicy(services: Services, context: AppContext, format: Format): Promise<Response> {
  const { site, directory } = services
  const policy = {
    ...services.policy(),
    excludedReviews: await directory.excludedReviews(),
    contact: services.securityContact ?? null,
    logVkey: (await services.evidenceLog())?.vkey ?? null,
  }
  const headers = { Vary: 'Accept' }
  const answer =
    format === 'html'
      ? textAnswer(200, 'text/html', policyPage(site, policy), { ...headers, 'Content-Security-Policy': CSP })
      : jsonAnswer(200, policyJson(site, policy), headers)
  return toResponse(await compressed(context.env.call.head, answer))
}
