import { problem } from '../../../domain/problem-kinds.ts'
import type { TimestampUs } from '../../../domain/time/timestamp.ts'
import { CSP } from '../../../render/html/csp.ts'
import { reviewPage } from '../../../render/html/pages/review.tsx'
import { reviewPageJson } from '../../../render/json/review-page.ts'
import { fullAddress, reviewHref, type Site, withQuery } from '../../../render/site.ts'
import { type ReviewPage, reviewPageOf } from '../../../views/review-page.ts'
import { PATHS } from '../../../wire/paths.ts'
import { alternates } from '../../alternates.ts'
import { jsonAnswer, toResponse } from '../../answer.ts'
import { readJsonBody } from '../../body.ts'
import type { Rendered } from '../../cache/page.ts'
import { negotiate, sendPage } from '../../cache/send-page.ts'
import { createEndpoint } from '../../endpoint.ts'
import { type Format, MEDIA_TYPES } from '../../negotiation.ts'
import { forms, json } from '../../openapi/operation.ts'
import { EXAMPLES, formatOf, inPath } from '../../openapi/parameters.ts'
import { BODY_PROBLEMS } from '../../openapi/problem-sets.ts'
import { Parameters } from '../../parameters.ts'

export const submitReviewEndpoint = createEndpoint({
  ...{ method: 'post', path: PATHS.reviews, id: 'submitReview', tag: 'Reviews' },
  summary: 'Submit a review of a route',
  description:
    'Free. Without a signature its level is Unsigned. With wallet, signature and signed_at it is Signed; with a public payment from that wallet to a payee of the route, Verified buyer. The level is what the server finds.',
  body: {
    schema: 'ReviewRequest',
    example: { url: EXAMPLES.url, method: 'GET', rail: 'x402', rating: 4, text: EXAMPLES.text },
  },
  answers: {
    200: json('ReviewPage', 'The same wallet had sent the same review before'),
    201: { ...json('ReviewPage', 'The stored review'), headers: { Location: 'Its address' } },
  },
  problems: [...BODY_PROBLEMS, 'unknown-route'],
  handler:
    ({ site, reviews, writeLimits }) =>
    async (context) => {
      const { incoming, call } = context.env
      const gate = writeLimits.gate(incoming, call.head)
      const { review, events, isNew } = await reviews.submit(await readJsonBody(context.req.raw), gate)
      const document = reviewPageJson(site, reviewPageOf(review, events))
      return toResponse(
        jsonAnswer(isNew ? 201 : 200, document, {
          ...gate.headers(),
          'Cache-Control': 'private',
          Location: fullAddress(site, reviewHref(review.id)),
        }),
      )
    },
})

/** JSON for whoever names nothing: the address is one of the API, and people's browsers ask for pages by name. */
const OFFERS = ['json', 'html'] as const satisfies readonly Format[]

export const getReviewEndpoint = createEndpoint({
  ...{ method: 'get', path: PATHS.review, id: 'getReview', tag: 'Reviews', isCached: true },
  summary: 'One review, with everything that verifies it offline',
  parameters: [inPath('id', 'Its id', EXAMPLES.review), formatOf(OFFERS)],
  answers: { 200: forms({ json: 'ReviewPage', html: 'text' }, 'The review and what happened to it') },
  problems: ['unknown-writing', 'not-acceptable', 'rate-limited'],
  handler: (services) => async (context) => {
    const id = context.req.param('id')
    const format = negotiate(context, new Parameters(context.req.url), OFFERS)
    const response = await sendPage(services, context, {
      key: JSON.stringify(['review', id, format]),
      host: null,
      render: async () => {
        const found = await services.directory.review(id)
        return found && rendered(services.site, found, format, services.nowUs())
      },
    })
    if (response !== undefined) return response
    throw problem('unknown-writing', 'No review has this id.')
  },
})

function rendered(site: Site, page: ReviewPage, format: Format, nowUs: TimestampUs): Rendered {
  const as = (other: Format): string => withQuery(reviewHref(page.review.id), { format: other })
  return {
    contentType: MEDIA_TYPES[format],
    text: format === 'html' ? reviewPage(site, page, nowUs) : `${JSON.stringify(reviewPageJson(site, page))}\n`,
    headers: [
      ['Vary', 'Accept, Accept-Encoding'],
      ['Link', alternates(site, format, as, OFFERS)],
      ...(format === 'html' ? [['Content-Security-Policy', CSP] as const] : []),
    ],
  }
}
