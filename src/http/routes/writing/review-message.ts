import { isNetwork } from '../../../domain/network.ts'
import { METHODS, RAILS } from '../../../domain/route.ts'
import { rating } from '../../../wire/api/values.ts'
import { PATHS } from '../../../wire/paths.ts'
import { directoryOf, isTransactionId, reviewAddress } from '../../../wire/review-body.ts'
import { reviewDigestMessage } from '../../../wire/signed-lines.ts'
import { createEndpoint } from '../../endpoint.ts'
import { EXAMPLES, inQuery, methodOf, railOf } from '../../openapi/parameters.ts'
import { Parameters, required } from '../../parameters.ts'
import { SIGNING_ANSWER, SIGNING_PARAMETERS, sendMessage, signingRequest } from './signing.ts'

export const reviewMessageEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.reviewMessage, id: 'reviewMessage', tag: 'Reviews' },
  summary: 'The seven lines that a review’s wallet signs',
  parameters: [
    methodOf({ required: true }),
    inQuery('url', 'Full address of the reviewed route', { required: true, example: EXAMPLES.url }),
    railOf({ required: true }),
    inQuery('rating', '1 to 5', { required: true, schema: rating, example: '4' }),
    ...SIGNING_PARAMETERS,
    inQuery('network', 'Of the payment that supports the review'),
    inQuery('transaction', 'Of the payment that supports the review'),
    inQuery('directory', 'Host of this directory: adds the line that makes the signature good for it alone'),
  ],
  answers: { 200: SIGNING_ANSWER },
  problems: ['invalid-parameter', 'invalid-field', 'invalid-text', 'rate-limited'],
  handler:
    ({ allow, nowUs, site }) =>
    (context) => {
      const parameters = new Parameters(context.req.url)
      const url = required(parameters.text('url'), 'url')
      reviewAddress(url, allow)
      const asked = signingRequest(context, parameters, nowUs())
      const lines = {
        method: required(parameters.oneOf('method', METHODS), 'method'),
        url,
        rail: required(parameters.oneOf('rail', RAILS), 'rail'),
        rating: Number(required(parameters.oneOf('rating', ['1', '2', '3', '4', '5']), 'rating')),
        payment: paymentIn(parameters),
        directory: directoryIn(parameters, directoryOf(site.baseUrl)),
        signedAt: asked.signedAt,
      }
      return sendMessage(asked, reviewDigestMessage(lines, asked.digest))
    },
})

const directoryIn = (parameters: Parameters, here: string): string | null =>
  parameters.parsed('directory', here, (text) => (text === here ? text : undefined))

function paymentIn(parameters: Parameters) {
  const network = parameters.parsed('network', 'a network such as base or eip155:8453', (text) =>
    isNetwork(text) ? text : undefined,
  )
  const transaction = parameters.parsed('transaction', 'the id of a transaction', (text) =>
    isTransactionId(text) ? text : undefined,
  )
  if (network === null && transaction === null) return null
  return { network: required(network, 'network'), transaction: required(transaction, 'transaction') }
}
