import { judgementJson } from '../../../render/json/judgement.ts'
import { judgementMarkdown } from '../../../render/markdown/judgement.ts'
import { judgementOf } from '../../../views/decision/open-judgement.ts'
import { parseDecideBody } from '../../../wire/bodies/decide-body.ts'
import { PATHS } from '../../../wire/paths.ts'
import { jsonAnswer, textAnswer, toResponse } from '../../answer.ts'
import { readJsonBody } from '../../body.ts'
import { negotiate } from '../../cache/send-page.ts'
import { createEndpoint } from '../../endpoint.ts'
import type { Format } from '../../negotiation.ts'
import { forms } from '../../openapi/operation.ts'
import { EXAMPLES, formatOf } from '../../openapi/parameters.ts'
import { Parameters } from '../../parameters.ts'

const OFFERS = ['json', 'md'] as const satisfies readonly Format[]

export const judgeEndpoint = createEndpoint({
  ...{ method: 'post', path: PATHS.decide, id: 'judgeOffer', tag: 'Hosts' },
  summary: 'Should I pay this? What is known of a route, held against what its seller asks for now',
  description:
    'Free, and nothing is kept of it. Takes the offer of a live 402 answer and compares it with listed and observed prices, networks, payees and probes. Findings are fixed sentences, each with the address of its evidence; allow is false exactly when one of them stops. A host that no source has named is answered too, with a warning.',
  parameters: [formatOf(OFFERS)],
  body: {
    schema: 'JudgementRequest',
    example: {
      method: 'GET',
      url: EXAMPLES.url,
      rail: 'x402',
      offer: { price: '0.020000', network: 'eip155:8453', payee: EXAMPLES.wallet },
      policy: { max_price: '0.05' },
    },
  },
  answers: { 200: forms({ json: 'Judgement', md: 'text' }, 'What speaks against paying it, and what is known') },
  problems: ['invalid-json', 'invalid-field', 'body-too-large', 'unsupported-media-type', 'not-acceptable'],
  handler:
    ({ site, directory, allow }) =>
    async (context) => {
      const format = negotiate(context, new Parameters(context.req.url), OFFERS)
      const view = await judgementOf(directory, parseDecideBody(await readJsonBody(context.req.raw), allow))
      const headers = { Vary: 'Accept', 'Cache-Control': 'no-store' }
      return toResponse(
        format === 'md'
          ? textAnswer(200, 'text/markdown', judgementMarkdown(site, view), headers)
          : jsonAnswer(200, judgementJson(site, view), headers),
      )
    },
})
