import { CSP } from '../../../render/html/csp.ts'
import { probingPage } from '../../../render/html/pages/probing.tsx'
import { PATHS } from '../../../wire/paths.ts'
import { textAnswer, toResponse } from '../../answer.ts'
import { compressed } from '../../compressed.ts'
import { createEndpoint } from '../../endpoint.ts'
import { text } from '../../openapi/operation.ts'

/** Where the User-Agent of every probe leads. */
export const probingEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.probing, id: 'probingPage', tag: 'Directory', isCached: true },
  summary: 'How this directory probes, for sellers',
  answers: { 200: text('text/html', 'A page') },
  handler:
    ({ site, probing }) =>
    async (context) => {
      const page = textAnswer(200, 'text/html', probingPage(site, probing), { 'Content-Security-Policy': CSP })
      return toResponse(await compressed(context.env.call.head, page))
    },
})
