import { Problem } from '../domain/problem.ts'
import { problem } from '../domain/problem-kinds.ts'
import { isFull, isUnready } from '../domain/store-trouble.ts'
import { CSP } from '../render/html/csp.ts'
import { problemPage } from '../render/html/pages/problem.tsx'
import { problemHref, type Site } from '../render/site.ts'
import { charged, nearMatches } from '../wire/api/problem.ts'
import { type Answer, jsonText, textAnswer } from './answer.ts'
import { type Format, prefersPage } from './negotiation.ts'

export const PROBLEM_TYPE = 'application/problem+json'

/** What decides how a problem is shown. */
export interface Asked {
  readonly requestId: string
  readonly accept: string | undefined
  /** The `format` parameter, which overrides `accept`. */
  readonly format: Format | null
}

/** The RFC 9457 document. Members of a kind (`near_matches`, …) come after the common ones and never replace them. */
export const problemDocument = (
  site: Site,
  { slug, title, status, detail, hint, more }: Problem,
  requestId: string,
) => {
  const common = { type: `${site.baseUrl}${problemHref(slug)}`, title, status, detail, hint, request_id: requestId }
  return { ...common, ...more, ...common }
}

/** The one place where a problem becomes an answer: a document for programs, the same as a page for browsers. */
export function problemAnswer(site: Site, found: Problem, asked: Asked): Answer {
  const headers = { 'Cache-Control': 'no-store', Vary: 'Accept', ...found.headers }
  const asPage = asked.format === 'html' || (asked.format === null && prefersPage(asked.accept))
  if (!asPage) {
    const document = problemDocument(site, found, asked.requestId)
    return textAnswer(found.status, PROBLEM_TYPE, jsonText(document), headers)
  }
  const { slug, title, status, detail, hint } = found
  const { host } = found.more
  const near = nearMatches.safeParse(found.more.near_matches)
  const said = {
    charged: charged.safeParse(found.more.charged).data,
    near_matches: near.data,
    host: typeof host === 'string' ? host : undefined,
  }
  const view = { slug, title, status, detail, hint, request_id: asked.requestId, ...said }
  return textAnswer(status, 'text/html', problemPage(site, view), { ...headers, 'Content-Security-Policy': CSP })
}

/** What a caller is told of any failure. What is not a `Problem` says nothing of its cause. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (isFull(error))
    return problem('store-full', 'The disk of this directory is full.', { headers: { 'Retry-After': '30' } })
  return isUnready(error) ? storeAway() : problem('internal', 'The request could not be answered.')
}

/** It is looked for again with every request, so whoever comes back soon is not refused for long. */
export const storeAway = (): Problem =>
  problem('not-ready', 'The store does not answer.', { headers: { 'Retry-After': '5' } })
