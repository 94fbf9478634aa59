import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listingLine } from '../../domain/listing.ts'
import { probeLine } from '../../domain/probe.ts'
import type { HostView, PostView, ReviewView } from '../../views/host/host-view.ts'
import {
  challenge,
  HOST,
  hostView,
  listing,
  NOON_US,
  post,
  probe,
  review,
  route,
  SITE,
} from '../testing/sample-views.ts'
import { MOST_TOKENS } from './detail.ts'
import { hostMarkdown } from './host.ts'

const EMOJI = '🔥'.repeat(4000)

/** A host with so many routes, each with rows and entries that differ, and the same words said of all of them. */
const saidOf = (routes: number, reviews: readonly ReviewView[], posts: readonly PostView[] = []): HostView =>
  hostView(
    Array.from({ length: routes }, (_, at) =>
      route(`/v1/${at}`, {
        listings: [listing({ price: 10_000 + at }), listing({ source: 'mirror', price: 20_000 + at })],
        probes: [1, 2, 3].map((n) => probe(402, { atUs: NOON_US + at * 10 + n, challenge: challenge(10_000) })),
        reviews,
        reviewsTotal: reviews.length,
      }),
    ),
    { thread: { total: posts.length, posts, next: null } },
  )

const markdownOf = (view: HostView): string => hostMarkdown(SITE, view, { cards: false })

/** Whatever is written of facts and observations: rows, entries and route lines, without how many reviews there are. */
function evidenceIn(view: HostView): string[] {
  const rows = new Set(view.routes.flatMap((one) => [...one.listings.map(listingLine), ...one.probes.map(probeLine)]))
  return markdownOf(view)
    .split('\n')
    .filter((line) => rows.has(line) || line.startsWith('- `GET '))
    .map((line) => line.replace(/, \d+ reviews?$/, ''))
}

describe('what strangers write', () => {
  it('takes no listing row and no probe entry away, be it 4,000 emoji', () => {
    const view = saidOf(2, [review({ text: EMOJI, level: 'Unsigned', wallet: null })])
    const lines = markdownOf(view).split('\n')
    for (const one of view.routes) {
      expect(lines).toEqual(expect.arrayContaining([...one.listings.map(listingLine), ...one.probes.map(probeLine)]))
    }
  })

  it('changes nothing in the facts and observations that are shown, and the text stays short', () => {
    const text = fc.nat(4000).map((length) => '🔥'.repeat(length + 1))
    const reviews = fc.array(
      text.map((said) => review({ text: said })),
      { maxLength: 5 },
    )
    const posts = fc.array(
      text.map((said) => post({ text: said })),
      { maxLength: 20 },
    )
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), reviews, posts, (routes, said, posted) => {
        const view = saidOf(routes, said, posted)
        expect(evidenceIn(view)).toEqual(evidenceIn(saidOf(routes, [])))
        expect(markdownOf(view).length / 3.5).toBeLessThan(MOST_TOKENS)
      }),
      { numRuns: 60 },
    )
  })

  it('is shortened, and that is said, before anybody else is left out', () => {
    const text = markdownOf(saidOf(1, [review({ text: EMOJI }), review({ text: 'Answers within a second.' })]))
    expect(text).toContain('Answers within a second.')
    expect(text).toMatch(/🔥…\n```\n\nshortened to \d+ of 4000 characters\n/)
  })

  it('stays whole where there is room', () => {
    expect(markdownOf(saidOf(1, [review({ text: 'word '.repeat(400) })]))).toContain('word '.repeat(400))
  })

  it('keeps its place whoever speaks for the host, and however many they are', () => {
    const wallet = `0x${'5'.repeat(40)}`
    const span = { proof: 'ownership' as const, sinceUs: NOON_US, seenUs: NOON_US, untilUs: null }
    const claim = { wallet, walletLine: wallet, signature: '0x', signedAt: '', directory: null, claimedUs: NOON_US }
    const claimed = (view: HostView, claimsTotal: number): HostView => ({
      ...view,
      seller: { ...view.seller, claims: Array.from({ length: 5 }, () => ({ ...claim, proofs: [span] })), claimsTotal },
    })
    const texts = fc.array(
      fc.integer({ min: 1, max: 3000 }).map((length) => review({ text: 'x'.repeat(length) })),
      { maxLength: 5 },
    )
    /** All that is quoted, and all evidence. */
    const shownIn = (view: HostView) => [...(markdownOf(view).match(/^`{3,}\n[^`]*/gm) ?? []), ...evidenceIn(view)]
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), texts, fc.constantFrom(400, 999), (routes, said, claims) => {
        const view = saidOf(routes, said)
        // The line that says how many there are has the room of so much text, and no more.
        const line = { ...view, seller: { ...view.seller, claimsTotal: 400 } }
        expect(shownIn(claimed(view, claims))).toEqual(shownIn(line))
        expect(markdownOf(claimed(view, claims)).length / 3.5).toBeLessThan(MOST_TOKENS)
      }),
      { numRuns: 60 },
    )
    const text = markdownOf(claimed(saidOf(1, [review({ text: 'TOOK MY MONEY' })]), 400))
    expect(text).toContain('TOOK MY MONEY')
    expect(text.match(/speaks for this host/g)).toHaveLength(5)
    expect(text).toContain(
      `- 400 wallets proved to speak for this host, 5 shown: <https://tollbook.example/v1/hosts/${HOST}/statements>`,
    )
  })
})
