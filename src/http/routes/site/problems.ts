import { PROBLEM_KINDS, problem, problemKind } from '../../../domain/problem-kinds.ts'
import { CSP } from '../../../render/html/csp.ts'
import { problemKindPage, problemsPage } from '../../../render/html/pages/problem-kinds.tsx'
import { fullAddress, problemHref } from '../../../render/site.ts'
import { PATHS } from '../../../wire/paths.ts'
import { type Answer, jsonAnswer, textAnswer, toResponse } from '../../answer.ts'
import { negotiate } from '../../cache/send-page.ts'
import type { AppContext } from '../../call.ts'
import { compressed } from '../../compressed.ts'
import { createEndpoint } from '../../endpoint.ts'
import { forms } from '../../openapi/operation.ts'
import { formatOf, inPath } from '../../openapi/parameters.ts'
import { Parameters } from '../../parameters.ts'

const isPage = (context: AppContext): boolean =>
  negotiate(context, new Parameters(context.req.url), ['html', 'json']) === 'html'

const send = async (context: AppContext, answer: Answer): Promise<Response> =>
  toResponse(await compressed(context.env.call.head, answer))

const sendHtml = (context: AppContext, page: string): Promise<Response> =>
  send(context, textAnswer(200, 'text/html', page, { Vary: 'Accept', 'Content-Security-Policy': CSP }))

const sendJson = (context: AppContext, document: object): Promise<Response> =>
  send(context, jsonAnswer(200, document, { Vary: 'Accept' }))

export const listProblemsEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.problems, id: 'listProblems', tag: 'Directory', isCached: true },
  summary: 'Every kind of problem that a request can be answered with',
  parameters: [formatOf(['html', 'json'])],
  answers: { 200: forms({ html: 'text', json: 'ProblemKinds' }, 'The kinds') },
  problems: ['not-acceptable'],
  handler: ({ site }) => {
    const kinds = Object.entries(PROBLEM_KINDS)
    return (context) => {
      if (isPage(context)) return sendHtml(context, problemsPage(site, kinds))
      return sendJson(context, {
        problems: kinds.map(([slug, kind]) => ({ type: fullAddress(site, problemHref(slug)), ...kind })),
      })
    }
  },
})

export const getProblemEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.problem, id: 'getProblem', tag: 'Directory', isCached: true },
  summary: 'One kind of problem: where the `type` of a problem leads',
  parameters: [inPath('slug', 'Its name', 'unknown-host'), formatOf(['html', 'json'])],
  answers: { 200: forms({ html: 'text', json: 'ProblemKind' }, 'The kind') },
  problems: ['not-found', 'not-acceptable'],
  handler:
    ({ site }) =>
    (context) => {
      const slug = context.req.param('slug')
      const kind = problemKind(slug)
      if (kind === undefined) throw problem('not-found', 'This directory answers no request with this problem type.')
      if (isPage(context)) return sendHtml(context, problemKindPage(site, slug, kind))
      const { title, status, meaning, hint } = kind
      return sendJson(context, { type: fullAddress(site, problemHref(slug)), title, status, detail: meaning, hint })
    },
})
