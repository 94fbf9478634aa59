import { describe, expect, it } from 'vitest'
import { outsideCode } from '../../test/support/markdown.ts'
import { textFault } from '../domain/words/text.ts'
import { parseReviewBody } from '../wire/bodies/review-body.ts'
import { atomFeed } from './atom/feed.ts'
import { event } from './atom/testing/samples.ts'
import { hostPage } from './html/pages/host.tsx'
import { reviewPage } from './html/pages/review.tsx'
import { hostJson } from './json/host.ts'
import { reviewPageJson } from './json/review-page.ts'
import { hostMarkdown } from './markdown/host.ts'
import { HOSTILE_TEXTS } from './testing/hostile-texts.ts'
import { holders, quotes, skeleton } from './testing/quoted.ts'
import { HOST, hostView, NOON_US, post, review, route, SITE } from './testing/sample-views.ts'

const FOUND = {
  asset: '0xdollar',
  amount: '10000',
  payer: '0xpayer',
  payee: '0xpayee',
  logIndex: 0,
  atUs: NOON_US,
  isFinal: true,
  otherHosts: 2,
  hasReceipt: false,
}

/** A host with the text as reviews of every standing and as a post. */
const viewOf = (text: string) =>
  hostView(
    [
      route('/v1/forecast', {
        reviews: [
          review({ id: 'r-1', text, paymentFound: FOUND }),
          review({ id: 'r-2', text, excluded: 'founder' }),
          review({ id: 'r-3', text, wallet: null, level: 'Unsigned', superseded: true }),
        ],
      }),
    ],
    { thread: { total: 1, posts: [post({ text })], next: null } },
  )
const pageOf = (text: string) => ({
  host: HOST,
  review: { ...review({ text, paymentFound: FOUND }), receipt: null },
  events: [{ kind: 'review', atUs: NOON_US, data: { review: 'r-1', level: 'Signed' } }],
  textSha256: 'ab'.repeat(32),
  message: 'review\nGET …',
})

const htmlOf = (text: string): string[] => [
  hostPage(SITE, viewOf(text), { cards: false, cursor: null }),
  hostPage(SITE, viewOf(text), { cards: true, cursor: null }),
  reviewPage(SITE, pageOf(text), NOON_US),
]

const taken = HOSTILE_TEXTS.filter((text) => textFault(text) === undefined)
const refused = HOSTILE_TEXTS.filter((text) => textFault(text) !== undefined)

describe('hostile texts', () => {
  it('are at least 200, and those that could mislead by invisible characters do not come in at all', () => {
    expect(HOSTILE_TEXTS.length).toBeGreaterThanOrEqual(200)
    expect(refused.length).toBeGreaterThanOrEqual(30)
    const body = { url: `https://${HOST}/v1`, method: 'GET', rail: 'x402', rating: 1 }
    for (const text of refused) expect(() => parseReviewBody({ ...body, text }, [])).toThrow(/text/i)
    for (const text of taken) expect(parseReviewBody({ ...body, text }, []).text).toBe(text)
  })

  it('build nothing in HTML and stand in their quotation to the letter', () => {
    const calm = htmlOf('x').map(skeleton)
    for (const text of HOSTILE_TEXTS) {
      const shown = htmlOf(text)
      expect(shown.map(skeleton), text).toEqual(calm)
      expect(quotes(shown[0] ?? ''), text).toEqual([text, text, text, text])
      expect(quotes(shown[2] ?? ''), text).toEqual([text])
    }
  })

  it('are one string of an object marked as untrusted in JSON', () => {
    for (const text of HOSTILE_TEXTS.map((one) => one.toWellFormed())) {
      const documents = [hostJson(SITE, viewOf(text), { cards: true }), reviewPageJson(SITE, pageOf(text))]
      for (const document of documents) {
        const read: unknown = JSON.parse(JSON.stringify(document))
        const found = holders(read, text)
        expect(found.length, text).toBeGreaterThanOrEqual(1)
        expect(
          found.filter(({ untrusted }) => untrusted !== true),
          text,
        ).toEqual([])
      }
    }
  })

  it('build nothing in a feed, where texts of reviews and posts do not stand at all', () => {
    const feedOf = (text: string): string => {
      const items = [
        event(1, { kind: 'route_unlisted', data: { source: text } }),
        event(2, { kind: 'post_hidden', data: { post: 'p-1', reason: text } }),
        event(3, { kind: 'review', data: { review: 'r-1', text } }),
        event(4, { kind: 'review_hidden', data: { review: 'r-1', reason: text } }),
      ]
      return atomFeed(SITE, HOST, { items, next: null }, { cursor: null, limit: null })
    }
    const calm = skeleton(feedOf('x'))
    for (const text of HOSTILE_TEXTS) expect(skeleton(feedOf(text)), text).toBe(calm)
  })

  it('change nothing in Markdown outside of the fence that they stand in', () => {
    const markdownOf = (text: string): string => hostMarkdown(SITE, viewOf(text), { cards: false })
    const calm = outsideCode(markdownOf('x'))
    for (const text of HOSTILE_TEXTS) {
      const shown = markdownOf(text)
      expect(outsideCode(shown), text).toBe(calm)
      expect(shown, text).toContain(`text\n${text}\n`)
    }
  })
})
