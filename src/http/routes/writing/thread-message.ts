import { PATHS, type PathTemplate } from '../../../wire/paths.ts'
import { digestMessage } from '../../../wire/signed-lines.ts'
import { createEndpoint, type Endpoint } from '../../endpoint.ts'
import { hostIn, requireHost } from '../../hosts-named.ts'
import { host } from '../../openapi/parameters.ts'
import { HOST_PROBLEMS } from '../../openapi/problem-sets.ts'
import { Parameters } from '../../parameters.ts'
import { SIGNING_ANSWER, SIGNING_PARAMETERS, sendMessage, signingRequest } from './signing.ts'

/** The lines are the same on either rail; whoever posts to one address looks for them beside it. */
const messageEndpoint = <const Template extends PathTemplate>(path: Template, id: string): Endpoint =>
  createEndpoint({
    ...{ method: 'get', path, id, tag: 'Threads' },
    summary: 'The four lines that a post’s wallet signs',
    parameters: [host, ...SIGNING_PARAMETERS],
    answers: { 200: SIGNING_ANSWER },
    problems: ['invalid-text', ...HOST_PROBLEMS],
    handler: (services) => async (context) => {
      const host = hostIn(context, services)
      const asked = signingRequest(context, new Parameters(context.req.url), services.nowUs())
      await requireHost(services, host)
      return sendMessage(asked, digestMessage(host, asked.digest, asked.signedAt))
    },
  })

export const POST_MESSAGE_ENDPOINTS: readonly Endpoint[] = [
  messageEndpoint(PATHS.threadMessage, 'postMessage'),
  messageEndpoint(PATHS.mppThreadMessage, 'postMessageForMpp'),
]
