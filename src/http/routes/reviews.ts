import { problem } from '../../domain/problem-kinds.ts'
import { CSP } from '../../render/html/csp.ts'
import { reviewPage } from '../../render/html/review.tsx'
import { reviewPageJson } from '../../render/json/review-page.ts'
import { fullAddress, reviewHref, withQuery } from '../../render/site.ts'
import { alternates } from '../alternates.ts'
import { textAnswer, toResponse } from '../answer.ts'
import { readJsonBody } from '../body.ts'
import type { Handler, Services } from '../call.ts'
import type { Format } from '../negotiation.ts'
import { Parameters } from '../parameters.ts'
import { negotiate } from '../send-page.ts'

/** `POST /v1/reviews`: 201 with the stored review, 200 when the same wallet had sent the same before. */
export const submitReviewRoute =
  ({ site, reviews, writeLimits }: Services): Handler =>
  async (context) => {
    const { incoming, call } = context.env
    const gate = writeLimits.gate(incoming, call.head)
    const { isNew, ...found } = await reviews.submit(await readJsonBody(context.req.raw), gate)
    const document = reviewPageJson(site, { host: found.review.host, ...found })
    return toResponse(
      textAnswer(isNew ? 201 : 200, 'application/json', `${JSON.stringify(document)}\n`, {
        ...gate.headers(),
        'Cache-Control': 'private',
        Location: fullAddress(site, reviewHref(found.review.id)),
      }),
    )
  }

/** JSON for whoever names nothing: the address is one of the API, and people's browsers ask for pages by name. */
const OFFERS = ['json', 'html'] as const satisfies readonly Format[]

/** `/v1/reviews/<id>`: one review with its events and everything that verifies it offline; a page for people. */
export const reviewRoute =
  ({ site, reviews }: Services): Handler =>
  async (context) => {
    const format = negotiate(context, new Parameters(context.req.url), OFFERS)
    const found = await reviews.find(context.req.param('id') ?? '')
    if (found === undefined) throw problem('unknown-writing', 'No review has this id.')
    const view = { host: found.review.host, ...found }
    const as = (other: Format): string => withQuery(reviewHref(found.review.id), { format: other })
    const headers = { Vary: 'Accept', Link: alternates(site, format, as, OFFERS) }
    if (format === 'json') {
      const text = `${JSON.stringify(reviewPageJson(site, view))}\n`
      return toResponse(textAnswer(200, 'application/json', text, headers))
    }
    const page = reviewPage(site, view)
    return toResponse(textAnswer(200, 'text/html', page, { ...headers, 'Content-Security-Policy': CSP }))
  }
