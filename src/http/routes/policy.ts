import { CSP } from '../../render/html/csp.ts'
import { policyPage } from '../../render/html/policy.tsx'
import { policyJson } from '../../render/json/policy.ts'
import { textAnswer, toResponse } from '../answer.ts'
import type { Handler, Services } from '../call.ts'
import type { Format } from '../negotiation.ts'
import { Parameters } from '../parameters.ts'
import { negotiate } from '../send-page.ts'

/** `/policy`: as a page, or as JSON when asked. */
export const policyRoute =
  (services: Services): Handler =>
  (context) =>
    sendPolicy(services, negotiate(context, new Parameters(context.req.url), ['html', 'json']))

/** `/v1/policy` */
export const apiPolicyRoute =
  (services: Services): Handler =>
  () =>
    sendPolicy(services, 'json')

/** Never out of the cache: a rail that comes to life writes nothing that would renew it. */
async function sendPolicy(services: Services, format: Format): Promise<Response> {
  const { site, directory } = services
  const policy = { ...services.policy(), excludedReviews: await directory.excludedReviews() }
  const headers = { Vary: 'Accept' }
  if (format === 'html') {
    const page = policyPage(site, policy)
    return toResponse(textAnswer(200, 'text/html', page, { ...headers, 'Content-Security-Policy': CSP }))
  }
  return toResponse(textAnswer(200, 'application/json', `${JSON.stringify(policyJson(site, policy))}\n`, headers))
}
