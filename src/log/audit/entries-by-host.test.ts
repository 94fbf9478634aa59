import { existsSync, readdirSync, rmSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/engines.ts'
import { canonical } from '../../wire/log/canonical.ts'
import { entryText } from '../../wire/log/entry.ts'
import { EntriesByHost } from './entries-by-host.ts'

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const AT = '2026-11-14T12:00:00.000000Z'
const post = fc.record({
  host: fc.integer({ min: 0, max: 40 }),
  id: fc.string(),
  wallet: fc.string({ unit: 'grapheme' }),
})

/** What came of each host, in the order of their names. */
async function replayed(entries: EntriesByHost) {
  const found: [host: string, posts: unknown[]][] = []
  for await (const [host, replay] of entries.replays(new Set(['stranger.example'])))
    found.push([host, [...replay.posts.values()]])
  return found.toSorted(([a], [b]) => (a < b ? -1 : 1))
}

it('gives every host its own entries in their order, whether they fit into memory or not', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(post, { maxLength: 60 }), fc.integer({ min: 1, max: 2000 }), async (posts, most) => {
      const [inMemory, onDisk] = [new EntriesByHost(folder, 10), new EntriesByHost(folder, 100_000, most)]
      try {
        posts.forEach(({ host, id, wallet }, index) => {
          const record = canonical({ kind: 'post', id, wallet, hidden: null })
          const text = entryText({ at: AT, host: `h${host}.example`, isImported: false }, [record])
          inMemory.take(text, index)
          onDisk.take(text, index)
        })
        const all = await replayed(onDisk)
        expect(all).toEqual(await replayed(inMemory))
        expect(all.map(([host]) => host)).toContain('stranger.example')
        expect(onDisk.hosts).toBe(new Set(posts.map(({ host }) => host)).size)
        for (const [host, of] of all) expect([...(await onDisk.replayOf(host)).posts.values()]).toEqual(of)
      } finally {
        inMemory.close()
        onDisk.close()
      }
    }),
    { numRuns: 40 },
  )
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
})

it('counts what it cannot read, and takes nothing of it', async () => {
  const entries = new EntriesByHost(folder, 10)
  for (const text of [
    '',
    'x',
    '{}',
    `{"at":"${AT}","host":"h.example","records":[],"v":2}`,
    `{"at":"${AT}","host":"h.example",\n"records":[],"v":1}`,
  ])
    entries.take(text, 0)
  expect((await replayed(entries)).map(([host]) => host)).toEqual(['h.example', 'stranger.example'])
  expect(entries.unread).toBe(5)
})
