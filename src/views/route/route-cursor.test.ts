import { expect, it } from 'vitest'
import { directoryOf } from '../../../test/support/directory.ts'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing } from '../../../test/support/samples.ts'
import { hostMarkdown } from '../../render/markdown/host.ts'
import { saveListings } from '../../store/facts/save-listings.ts'
import { encodeCursor } from '../../wire/cursor.ts'

const HOST = 'api.seller.example'
const SITE = { baseUrl: 'https://tollbook.example' }

onEachEngine('the routes of a host in Markdown', (engine) => {
  it.each([
    ['all', null],
    ['those that fit', 'long'],
  ])('page by page are %s of them once, in the order of JSON, as many as each page says', async (_, q) => {
    const store = await engine.open()
    const path = (at: number) =>
      `/catalogue/${String(at).padStart(3, '0')}${at % 3 === 0 ? `/${'long'.repeat(40)}` : ''}`
    const listings = Array.from({ length: 300 }, (_, at) =>
      aListing({ path: path(at), method: at % 2 ? 'GET' : 'POST' }),
    )
    await saveListings(store, { listings })
    const directory = directoryOf(store)
    const seen: string[] = []
    for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
      const view = await directory.hostView(HOST, { limit: 50, cursor, q })
      const text = view === undefined ? '' : hostMarkdown(SITE, view, { cards: false })
      const written = Array.from(text.matchAll(/`(?:GET|POST) https:\/\/api\.seller\.example(\S+)`/g), ([, one]) => one)
      expect(text).toContain(q === null ? `Showing ${written.length} of 300 routes` : `showing ${written.length}`)
      seen.push(...written.map(String))
      cursor = /^Next routes: <\S+[?&]cursor=([^&>]+)/m.exec(text)?.[1] ?? null
      expect(written.length).toBeGreaterThan(0)
    }
    const listed: string[] = []
    for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
      const page = await directory.routes(HOST, { limit: 200, cursor, q })
      listed.push(...(page?.items ?? []).map((route) => route.path))
      cursor = page?.next ?? null
    }
    expect(seen).toEqual(listed)
    expect(seen).toHaveLength(q === null ? 300 : 100)
  })

  it('refuse a forged cursor that no engine could look for', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: [aListing()] })
    const cursor = encodeCursor('routes', ['/a\0b', 'GET', 'x402', 'https'])
    await expect(directoryOf(store).routes(HOST, { limit: 50, cursor })).rejects.toMatchObject({
      slug: 'invalid-cursor',
    })
  })
})
