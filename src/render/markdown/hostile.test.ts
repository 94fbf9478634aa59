import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { outsideCode } from '../../../test/support/markdown.ts'
import type { HostView } from '../../views/host/host-view.ts'
import { homeView, hostView, listing, NOON_US, post, probe, review, route, SITE } from '../testing/sample-views.ts'
import { hostMarkdown } from './host.ts'
import { hostsMarkdown } from './hosts.ts'

/** Without addresses in angle brackets either. */
const outside = (markdown: string): string => outsideCode(markdown).replace(/<https:[^<>\s]*>/g, '<address>')

/** The same view with one text in every place where strangers write. */
const said = (text: string): HostView =>
  hostView(
    [
      route(`/${text}`, {
        network: text,
        listings: [listing({ source: text, network: text })],
        probes: [probe(404, { error: text })],
        probesTotal: 9,
        reviews: [review({ text, wallet: text }), review({ hidden: { atUs: NOON_US, reason: text } })],
      }),
    ],
    {
      thread: {
        total: 2,
        posts: [post({ text, wallet: text }), post({ hidden: { atUs: NOON_US, reason: text } })],
        next: null,
      },
    },
  )

const piece = fc.constantFrom(
  ...[
    '`',
    '```',
    '~~~',
    '\n',
    '\r\n',
    '\n\n',
    '# ',
    '<script>',
    '</b>',
    '[x](y)',
    '![',
    '> ',
    '- ',
    '|',
    '---',
    '&lt;',
    '*',
    '\\',
    ' ',
    'a',
    'www.a.example',
  ],
)

describe('strangers in Markdown', () => {
  it('change nothing outside the quotes their words stand in', () => {
    const calm = [false, true].map((cards) => outside(hostMarkdown(SITE, said('x'), { cards })))
    fc.assert(
      fc.property(fc.string({ unit: piece }), (text) => {
        const shown = [false, true].map((cards) => outside(hostMarkdown(SITE, said(text), { cards })))
        expect(shown).toEqual(calm)
      }),
      { numRuns: 300 },
    )
  })

  it('find their review quoted to the letter', () => {
    const text = '# Free money\n```\n[click](https://evil.example)\n````'
    expect(hostMarkdown(SITE, said(text), { cards: false })).toContain(`\`\`\`\`\`text\n${text}\n\`\`\`\`\`\n`)
  })

  it('change nothing by what they search for', () => {
    const searched = (q: string): string =>
      outside(hostsMarkdown(SITE, homeView([], { query: { ...homeView([]).query, q } })))
    fc.assert(
      fc.property(fc.string({ unit: piece }), (q) => {
        // Ways on are as many as it has words.
        expect(searched(q).replace(/(?:- <code>: <address>\n)+\n/, '')).toBe(searched('x'))
      }),
    )
  })
})
