import { describe, expect, it } from 'vitest'
import { outsideCode } from '../../test/support/markdown.ts'
import { textFault } from '../domain/words/text.ts'
import type { StatementView } from '../views/seller/seller-view.ts'
import { parseStatementBody } from '../wire/sellers/body.ts'
import { atomFeed } from './atom/feed.ts'
import { event } from './atom/testing/samples.ts'
import { hostPage } from './html/pages/host.tsx'
import { reviewListPage, statementListPage, threadListPage } from './html/pages/host-lists.tsx'
import { postPage } from './html/pages/post.tsx'
import { reviewPage } from './html/pages/review.tsx'
import { routePage } from './html/pages/route-page.tsx'
import { statementPage } from './html/pages/statement.tsx'
import { eventMessage } from './json/events.ts'
import { hostJson } from './json/host.ts'
import { postPageJson } from './json/post-page.ts'
import { reviewPageJson } from './json/review-page.ts'
import { routePageJson } from './json/route-page.ts'
import { statementPageJson, statementsJson } from './json/statement.ts'
import { hostMarkdown } from './markdown/host.ts'
import { reviewListMarkdown, statementListMarkdown, threadListMarkdown } from './markdown/host-lists.ts'
import { routePageMarkdown } from './markdown/route-page.ts'
import { HOSTILE_TEXTS } from './testing/hostile-texts.ts'
import { holders, quotes, skeleton } from './testing/quoted.ts'
import { HOST, hostView, NOON_US, post, review, route, routePageView, SITE, statement } from './testing/sample-views.ts'

const said = (text: string, more: Partial<StatementView> = {}): StatementView => statement({ text, ...more })

const CLAIM = {
  wallet: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
  walletLine: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
  ...{ signature: '0xsignature', signedAt: '2026-11-14T12:30:00Z', directory: null, claimedUs: NOON_US },
  proofs: [{ proof: 'file', sinceUs: NOON_US, seenUs: NOON_US, untilUs: null }],
} as const
const RETIRED = { sinceUs: NOON_US, statementId: 's-1', movedTo: null }

/** Everything that shows a statement, with one text in all of them. */
function placesOf(text: string) {
  const retired = said(text, { kind: 'retire', hidden: null })
  const reply = said(text, { kind: 'reply', about: 'review r-1' })
  const correct = said(text, { kind: 'correct', about: `GET https://${HOST}/v1/forecast x402 bazaar` })
  const answered = review({ text: 'calm', reply })
  const asked = post({ text: 'calm', reply })
  const shown = route('/v1/forecast', { reviews: [answered], said: [correct, retired], retired: RETIRED })
  const view = hostView([shown], {
    thread: { total: 1, posts: [asked], next: null },
    seller: { claims: [CLAIM], claimsTotal: 9, retired: RETIRED, said: [said(text), retired] },
  })
  const signed = { textSha256: 'ab'.repeat(32), message: 'statement\n…' }
  const listed = <T>(item: T) => ({
    ...{ host: HOST, page: { items: [item], total: 1, next: null }, nowUs: NOON_US, query: {}, cursor: null },
  })
  const reviewed = { host: HOST, review: { ...answered, receipt: null }, events: [], ...signed }
  const posted = { host: HOST, post: asked, ...signed }
  const page = routePageView(shown)
  const alone = { statement: said(text), ...signed }
  return {
    html: [
      hostPage(SITE, view, { cards: false, cursor: null }),
      hostPage(SITE, view, { cards: true, cursor: null }),
      routePage(SITE, page, { cursor: null }),
      reviewPage(SITE, reviewed, NOON_US),
      postPage(SITE, posted),
      statementPage(SITE, alone),
      statementListPage(SITE, listed(said(text))),
      reviewListPage(SITE, listed(answered)),
      threadListPage(SITE, listed(asked)),
    ],
    json: [
      hostJson(SITE, view, { cards: true }),
      routePageJson(SITE, page),
      reviewPageJson(SITE, reviewed),
      postPageJson(SITE, posted),
      statementPageJson(SITE, alone),
      statementsJson(
        SITE,
        HOST,
        { items: [said(text)], total: 1, next: null, claims: [CLAIM], claimsTotal: 9, nextOfBoth: null },
        new URLSearchParams(),
      ),
    ],
    markdown: [
      hostMarkdown(SITE, view, { cards: false }),
      hostMarkdown(SITE, view, { cards: true }),
      routePageMarkdown(SITE, page),
      statementListMarkdown(SITE, listed(said(text))),
      reviewListMarkdown(SITE, listed(answered)),
      threadListMarkdown(SITE, listed(asked)),
    ],
  }
}

/** How often each page of `placesOf` quotes the seller. */
const QUOTED = [6, 6, 3, 1, 1, 1, 1, 1, 1]

describe('hostile texts of sellers', () => {
  it('are at least 200, and those with invisible characters do not come in at all', () => {
    expect(HOSTILE_TEXTS.length).toBeGreaterThanOrEqual(200)
    const signed = { wallet: CLAIM.wallet, signature: '0x', signed_at: '2026-11-14T12:30:00Z' }
    for (const text of HOSTILE_TEXTS) {
      const read = () => parseStatementBody({ kind: 'contact', about: HOST, text, ...signed }, HOST, [])
      if (textFault(text) === undefined) expect(read().text).toBe(text)
      else expect(read).toThrow(/text/i)
    }
  })

  it('build nothing in any page, and stand in their quotation to the letter', () => {
    const calm = placesOf('x').html.map(skeleton)
    for (const text of HOSTILE_TEXTS) {
      const { html } = placesOf(text)
      expect(html.map(skeleton), text).toEqual(calm)
      expect(
        html.map((page) => quotes(page).filter((quoted) => quoted === text).length),
        text,
      ).toEqual(QUOTED)
      // Never where a title or a heading is.
      for (const page of html) expect(/<title>[^<]*<\/title>/.exec(page)?.[0]).not.toContain(text.slice(0, 40) || '\0')
    }
  })

  it('are one string of an object marked as untrusted in every JSON', () => {
    for (const text of HOSTILE_TEXTS.map((one) => one.toWellFormed())) {
      for (const document of placesOf(text).json) {
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

  it('change nothing in Markdown outside of the fence that they stand in', () => {
    const calm = placesOf('x').markdown.map(outsideCode)
    for (const text of HOSTILE_TEXTS) {
      const { markdown } = placesOf(text)
      expect(markdown.map(outsideCode), text).toEqual(calm)
      for (const shown of markdown) expect(shown, text).toContain(`text\n${text}\n`)
    }
  })

  it('do not stand in feeds and events at all; a reason of the operator builds nothing', () => {
    const told = (text: string) => [
      event(1, { kind: 'statement', data: { statement: 's-1', says: 'reply', text } }),
      event(2, { kind: 'statement_hidden', data: { statement: 's-1', reason: text } }),
      event(3, { kind: 'claim_proven', data: { claim: text, proof: 'file' } }),
    ]
    const feedOf = (text: string) =>
      atomFeed(SITE, HOST, { items: told(text), next: null }, { cursor: null, limit: null })
    const calm = skeleton(feedOf('x'))
    for (const text of HOSTILE_TEXTS) {
      expect(skeleton(feedOf(text)), text).toBe(calm)
      for (const one of told(text)) expect(eventMessage(SITE, one).split('\n')).toHaveLength(5)
    }
  })
})
