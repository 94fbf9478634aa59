import { describe, expect, it } from 'vitest'
import { formatTimestamp } from '../domain/time/timestamp.ts'
import { hostView as hostDocument } from '../wire/api/host.ts'
import { hostPage } from './html/pages/host.tsx'
import { hostJson } from './json/host.ts'
import { hostMarkdown } from './markdown/host.ts'
import { EMPTY_HOST, HOST, hostView, NOON_US, post, RECEIPT, SITE } from './testing/sample-views.ts'

const HOSTILE = '</blockquote><script>alert(1)</script>\n```\n# Buy here'
const view = hostView([], {
  thread: {
    total: 2,
    posts: [post({ text: HOSTILE }), post({ id: 'p-2', text: '', hidden: { atUs: NOON_US, reason: 'personal data' } })],
    next: null,
  },
})
const html = hostPage(SITE, view, { cards: false, cursor: null })
const markdown = hostMarkdown(SITE, view, { cards: false })

describe('the buyer discussion thread', () => {
  it('says how to post, with the price, both rails and one command, in every representation', () => {
    const json = hostJson(SITE, EMPTY_HOST, { cards: false }).thread.post_example
    expect(json).toMatchObject({
      price: '0.05',
      endpoints: {
        x402: `https://tollbook.example/v1/thread/${HOST}`,
        mpp: `https://tollbook.example/mpp/v1/thread/${HOST}`,
      },
    })
    if (json === null) throw new Error('every rail is set up')
    expect(json.command).toMatch(/^npx tollbook post \S+ .*--text '.+' .*--key-file \S+$/)
    expect(markdown).toContain(json.command)
    expect(html.replaceAll('&#39;', "'")).toContain(json.command)
    for (const text of [html, markdown]) expect(text).toContain('A post costs 0.05 dollars')
  })

  it('says how to post on the one rail that is set up, and of the other nothing', () => {
    const site = { ...SITE, rails: ['mpp'] } as const
    const json = hostJson(site, EMPTY_HOST, { cards: false })
    expect(hostDocument.parse(json)).toEqual(json)
    const example = json.thread.post_example
    expect(example?.endpoints).toEqual({ x402: null, mpp: `https://tollbook.example/mpp/v1/thread/${HOST}` })
    expect(example?.command).toContain('--rail mpp')
    const threadOf = (text: string): string => text.slice(text.lastIndexOf('Buyer discussion thread'))
    const texts = [
      threadOf(hostPage(site, EMPTY_HOST, { cards: false, cursor: null })),
      threadOf(hostMarkdown(site, EMPTY_HOST, { cards: false })),
      JSON.stringify(example),
    ]
    for (const text of texts) {
      expect(text).toContain('through mpp')
      expect(text).not.toMatch(/(through|rail|an|or) x402/)
    }
    const x402 = hostMarkdown({ ...SITE, rails: ['x402'] }, EMPTY_HOST, { cards: false })
    expect(x402).toContain('through x402, and is signed by the wallet that pays. A refused')
  })

  it('says that posts are not taken where no rail is set up, and tells nobody to post', () => {
    const site = { ...SITE, rails: [] }
    const json = hostJson(site, EMPTY_HOST, { cards: false })
    expect(hostDocument.parse(json)).toEqual(json)
    expect(json.thread).toMatchObject({ line: 'No thread posts exist.', post_example: null })
    for (const text of [
      hostPage(site, EMPTY_HOST, { cards: false, cursor: null }),
      hostMarkdown(site, EMPTY_HOST, { cards: false }),
    ]) {
      expect(text).toContain('No thread posts exist.')
      expect(text).toContain('Posts are not taken here.')
      expect(text).not.toMatch(/tollbook post|A post costs|\/message\?/)
    }
  })

  it('shows who wrote, when it was signed and posted, how it was paid and where it stands', () => {
    for (const text of [html, markdown]) {
      for (const part of [
        '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
        '2026-11-14T12:30:00Z',
        '2026-11-14T12:34:56.123456Z',
        'mpp',
        '0xtransaction on tempo:4217 by 0xpayer',
        '/v1/posts/p-1',
      ])
        expect(text).toContain(part)
    }
  })

  it.each([
    ['verified on chain', 'verified on chain'],
    ['as the facilitator says', 'as the facilitator says; not seen on chain by this directory'],
    [null, 'no data'],
  ] as const)('says of a payment whose settlement is %s: %s', (settlement, text) => {
    const paid = { network: 'eip155:8453', transaction: '0x1', payer: '0x2', settlement, ...RECEIPT }
    const shown = hostView([], { thread: { total: 1, posts: [post({ payment: paid })], next: null } })
    expect(hostPage(SITE, shown, { cards: false, cursor: null })).toContain(`settlement ${text}`)
    expect(hostMarkdown(SITE, shown, { cards: false })).toContain(`settlement \`${text}\``)
    expect(hostJson(SITE, shown, { cards: false }).thread.posts[0]?.payment).toEqual({
      ...{ network: 'eip155:8453', transaction: '0x1', payer: '0x2', settlement },
      ...{ asset: '0xasset', amount: '50000', payee: '0xpayee', log_index: 2, settled_at: formatTimestamp(NOON_US) },
    })
  })

  it('never lets a text out of its quotes', () => {
    expect(html).not.toContain('<script>')
    expect(html).toContain('&lt;/blockquote&gt;')
    expect(markdown).toContain(`\`\`\`\`text\n${HOSTILE}\n\`\`\`\``)
  })

  it('leaves a dated placeholder where a text was taken down', () => {
    expect(html).toContain('Hidden 2026-11-14T12:34:56.123456Z: personal data')
    expect(markdown).toContain('Hidden 2026-11-14T12:34:56.123456Z: `personal data`')
  })
})
