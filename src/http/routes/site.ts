import { PROBLEM_KINDS, problem, problemKind } from '../../domain/problem-kinds.ts'
import { CSP } from '../../render/html/csp.ts'
import { probingPage } from '../../render/html/probing.tsx'
import { problemKindPage, problemsPage } from '../../render/html/problem.tsx'
import { problemHref } from '../../render/site.ts'
import { ICON_SVG } from '../../render/svg/icon.ts'
import { jsonAnswer, textAnswer, toResponse } from '../answer.ts'
import type { Handler, Services } from '../call.ts'
import { Parameters } from '../parameters.ts'
import { negotiate } from '../send-page.ts'

/** `/healthz`: the process is alive. Says nothing of the store. */
export const aliveRoute = (): Handler => () => toResponse(jsonAnswer(200, { status: 'ok' }))

/** `/readyz`: the store answers. */
export const readyRoute =
  ({ directory, condition }: Services, onTrouble: (error: unknown) => void): Handler =>
  async () => {
    try {
      await directory.ping()
    } catch (error) {
      onTrouble(error)
      throw problem('not-ready', 'The store does not answer.', { headers: { 'Retry-After': '5' } })
    }
    return toResponse(jsonAnswer(200, { status: 'ready', ...condition() }))
  }

export const iconRoute = (): Handler => () =>
  toResponse(textAnswer(200, 'image/svg+xml', ICON_SVG, { 'Cache-Control': 'public, max-age=86400' }))

/** `/probing`: where the User-Agent of every probe leads. */
export const probingRoute =
  ({ site, probing }: Services): Handler =>
  () =>
    toResponse(textAnswer(200, 'text/html', probingPage(site, probing), { 'Content-Security-Policy': CSP }))

/** `/problems`: every kind of problem. */
export const problemsRoute = ({ site }: Services): Handler => {
  const kinds = Object.entries(PROBLEM_KINDS)
  return (context) => {
    const headers = { Vary: 'Accept' }
    if (negotiate(context, new Parameters(context.req.url), ['html', 'json']) === 'html') {
      return toResponse(
        textAnswer(200, 'text/html', problemsPage(site, kinds), { ...headers, 'Content-Security-Policy': CSP }),
      )
    }
    const problems = kinds.map(([slug, kind]) => ({ type: `${site.baseUrl}${problemHref(slug)}`, ...kind }))
    return toResponse(textAnswer(200, 'application/json', `${JSON.stringify({ problems })}\n`, headers))
  }
}

/** `/problems/<slug>`: where the `type` of a problem document leads. */
export const problemRoute =
  ({ site }: Services): Handler =>
  (context) => {
    const slug = context.req.param('slug') ?? ''
    const kind = problemKind(slug)
    if (kind === undefined) throw problem('not-found', 'This directory answers no request with this problem type.')
    const headers = { Vary: 'Accept' }
    if (negotiate(context, new Parameters(context.req.url), ['html', 'json']) === 'html') {
      const page = problemKindPage(site, slug, kind)
      return toResponse(textAnswer(200, 'text/html', page, { ...headers, 'Content-Security-Policy': CSP }))
    }
    const { title, status, meaning, hint } = kind
    const document = { type: `${site.baseUrl}${problemHref(slug)}`, title, status, detail: meaning, hint }
    return toResponse(textAnswer(200, 'application/json', `${JSON.stringify(document)}\n`, headers))
  }
