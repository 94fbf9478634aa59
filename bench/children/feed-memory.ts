import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { atomFeed } from '../../src/render/atom/feed.ts'
import { sitemapPart } from '../../src/render/sitemap.ts'
import { openStore } from '../../src/store/open.ts'
import { createDirectory } from '../../src/views/open-directory.ts'
import { answering } from '../rigs/child.ts'
import { readAway } from '../rigs/feed-reader.ts'
import { ownPeak } from '../rigs/peak-memory.ts'

export interface Walked {
  /** All that the process ever held, in bytes. */
  readonly peakBytes: number
  readonly hosts: number
  readonly entries: number
}

const SITE = { baseUrl: 'https://tollbook.example' }

/** Sends the whole sitemap over a real connection, and pages through the whole feed. */
answering<{ dataDir: string }, Walked>(async ({ dataDir }) => {
  const store = await openStore({ dataDir, databaseUrl: undefined })
  const directory = createDirectory({ store, sources: [], nowUs: () => Date.now() * 1000 })
  const server = createServer((_request, response) => {
    Readable.from(sitemapPart(SITE, 1, directory.cataloguePart(1, 1))).pipe(response)
  })
  const hosts = await readAway(server, '<loc>https://tollbook.example/hosts/')
  let entries = 0
  let cursor: string | null = null
  do {
    const page = await directory.announcements({ host: null, limit: 200, cursor })
    if (page === undefined) break
    entries += atomFeed(SITE, null, page, { cursor, limit: null }).split('<entry>').length - 1
    cursor = page.next
  } while (cursor !== null)
  await store.close()
  return { peakBytes: ownPeak(), hosts, entries }
})
