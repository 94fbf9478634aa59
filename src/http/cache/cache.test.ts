import { setImmediate as turn } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Coding } from '../negotiation.ts'
import { type Found, PageCache, type PageSource } from './cache.ts'
import { BytePage } from './page.ts'

/** A world of one number per host; a page is that number as text. */
class Numbers {
  epoch = 1
  readonly versions = new Map<string, number>()
  rendered = 0
  looked = 0
  copies = 0

  switches(): number {
    return this.copies
  }

  write(host: string): void {
    this.versions.set(host, (this.versions.get(host) ?? 0) + 1)
    this.epoch += 1
  }

  async hostVersion(host: string): Promise<number | undefined> {
    this.looked += 1
    return this.versions.get(host)
  }

  page(host: string, size = 0): PageSource {
    return {
      key: `page of ${host}`,
      host,
      render: async () => {
        this.rendered += 1
        const version = this.versions.get(host)
        await turn()
        return { contentType: 'text/plain', text: `${host} ${version}${' '.repeat(size)}`, headers: [] }
      },
    }
  }

  /** One that says of which version it is. */
  versionedPage(host: string, size = 0): PageSource {
    const page = this.page(host, size)
    const render: PageSource['render'] = async (onVersion) => {
      const version = this.versions.get(host)
      if (version === undefined) return undefined
      onVersion(version)
      return page.render(onVersion)
    }
    return { ...page, key: `versioned ${page.key}`, saysVersion: true, render }
  }

  cache(mostBytes?: number): PageCache {
    return new PageCache(this, () => this.epoch, mostBytes)
  }
}

const textOf = async (found: Found | undefined): Promise<string | undefined> =>
  (await found?.page.encoded('identity'))?.bytes.toString().trim()

describe('the cache of pages', () => {
  it('makes a page once and looks at nothing while the epoch stands', async () => {
    const world = new Numbers()
    world.write('a')
    const cache = world.cache()
    await cache.open(world.page('a'))
    world.looked = 0
    expect(await textOf(await cache.open(world.page('a')))).toBe('a 1')
    expect([world.rendered, world.looked]).toEqual([1, 0])
  })

  it('makes a page anew at the next look when another copy of the store was gone over to meanwhile', async () => {
    const world = new Numbers()
    world.write('a')
    const cache = world.cache()
    const page = world.page('a')
    const late = async () => {
      world.copies += 1
      return { contentType: 'text/plain', text: 'a 0', headers: [] }
    }
    expect(await textOf(await cache.open({ ...page, render: late }))).toBe('a 0')
    world.epoch += 1
    expect(await textOf(await cache.open(page))).toBe('a 1')
    world.epoch += 1
    await cache.open(page)
    expect(world.rendered).toBe(1)
  })

  it('looks at the version once when the epoch moved, and keeps the page when only others changed', async () => {
    const world = new Numbers()
    world.write('a')
    const cache = world.cache()
    const before = await cache.open(world.page('a'))
    world.write('b')
    world.looked = 0
    const after = await cache.open(world.page('a'))
    await cache.open(world.page('a'))
    expect([world.rendered, world.looked]).toEqual([1, 1])
    expect(after?.page).toBe(before?.page)
    world.write('a')
    expect(await textOf(await cache.open(world.page('a')))).toBe('a 2')
  })

  it('asks for no version of a page that says it, until there is one that may stand', async () => {
    const world = new Numbers()
    world.write('a')
    const cache = world.cache()
    const page = world.versionedPage('a')
    const before = await cache.open(page)
    expect([world.rendered, world.looked]).toEqual([1, 0])
    world.write('b')
    expect((await cache.open(page))?.page).toBe(before?.page)
    expect([world.rendered, world.looked]).toEqual([1, 1])
    world.write('a')
    expect(await textOf(await cache.open(page))).toBe('a 2')
    expect(await cache.open(world.versionedPage('c'))).toBeUndefined()
  })

  it('makes a page that says its version anew where the host changed while it was made', async () => {
    const world = new Numbers()
    world.write('a')
    const cache = world.cache()
    const page = world.versionedPage('a')
    const opening = cache.open(page)
    world.write('a')
    expect(await textOf(await opening)).toBe('a 1')
    expect(await textOf(await cache.open(page))).toBe('a 2')
    expect(await textOf(await cache.open(page))).toBe('a 2')
    expect(world.rendered).toBe(2)
  })

  it('makes a page anew that says how long ago something was, when its time is over', async () => {
    const world = new Numbers()
    world.write('a')
    let nowMs = 0
    const cache = new PageCache(
      world,
      () => world.epoch,
      undefined,
      () => nowMs,
    )
    const page = world.page('a')
    const source: PageSource = {
      ...page,
      render: async (onVersion) => {
        const made = await page.render(onVersion)
        return made && { ...made, standsForMs: 60_000 }
      },
    }
    await cache.open(source)
    nowMs = 59_000
    world.epoch += 1
    await cache.open(source)
    expect(world.rendered).toBe(1)
    nowMs = 60_000
    world.epoch += 1
    await cache.open(source)
    expect(world.rendered).toBe(2)
  })

  it('makes a page once for everybody who asks at the same time', async () => {
    const world = new Numbers()
    world.write('a')
    const cache = world.cache()
    const found = await Promise.all(Array.from({ length: 20 }, () => cache.open(world.page('a'))))
    expect(world.rendered).toBe(1)
    expect(new Set(await Promise.all(found.map(textOf)))).toEqual(new Set(['a 1']))
  })

  it('does not hand a page that was begun before a write to somebody who asks after it', async () => {
    const world = new Numbers()
    world.write('a')
    const cache = world.cache()
    const early = cache.open(world.page('a'))
    await Promise.resolve()
    world.write('a')
    const late = cache.open(world.page('a'))
    expect(await textOf(await late)).toBe('a 2')
    await early
    expect(await textOf(await cache.open(world.page('a')))).toBe('a 2')
  })

  it('has no page of a host that nobody knows, or knows no longer', async () => {
    const world = new Numbers()
    const cache = world.cache()
    expect(await cache.open(world.page('a'))).toBeUndefined()
    world.write('a')
    const found = await cache.open(world.page('a'))
    world.versions.delete('a')
    world.epoch += 1
    expect(await cache.open(world.page('a'))).toBeUndefined()
    expect(found?.slot.page).toBeUndefined()
    expect(cache.bytes).toBe(0)
  })

  it('passes a failure on to everybody and tries again afterwards', async () => {
    const world = new Numbers()
    world.write('a')
    const cache = world.cache()
    const failing: PageSource = { ...world.page('a'), render: () => Promise.reject(new Error('store is down')) }
    const both = await Promise.allSettled([cache.open(failing), cache.open(failing)])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await textOf(await cache.open(world.page('a')))).toBe('a 1')
  })

  it('stays within its bytes, compressed copies included, and lets go of pages nobody used', async () => {
    const world = new Numbers()
    const cache = world.cache(100_000)
    for (const host of 'abcdefghij') world.write(host)
    const found: Found[] = []
    for (const host of 'abcdefghij') {
      const page = await cache.open(world.page(host, 20_000))
      if (page) found.push(page)
      await page?.page.encoded('gzip')
      await page?.page.encoded('identity')
      expect(cache.bytes).toBeLessThanOrEqual(100_000)
    }
    expect(found.filter(({ slot }) => slot.page !== undefined).length).toBeLessThan(5)
    expect(found.at(-1)?.slot.page).toBeDefined()
  })

  it('keeps several times as many pages where all take them compressed', async () => {
    const world = new Numbers()
    const cache = world.cache(100_000)
    for (const host of 'abcdefghij') {
      world.write(host)
      const found = await cache.open(world.page(host, 20_000))
      await found?.page.encoded('gzip')
    }
    world.rendered = 0
    for (const host of 'abcdefghij') await cache.open(world.page(host, 20_000))
    expect(world.rendered).toBe(0)
  })

  it('gives a page that was looked at a second chance', async () => {
    const world = new Numbers()
    for (const host of 'abcd') world.write(host)
    const cache = world.cache(75_000)
    const open = (host: string) => cache.open(world.page(host, 20_000))
    const [a, b, c] = [await open('a'), await open('b'), await open('c')]
    for (const found of [a, b, c]) if (found) found.slot.used = false
    await open('a')
    await open('d')
    expect([a, b, c].map((found) => found?.slot.page !== undefined)).toEqual([true, false, true])
  })

  it('serves a page that is larger than the whole cache, and keeps nothing of it', async () => {
    const world = new Numbers()
    world.write('a')
    const cache = world.cache(1000)
    expect(await textOf(await cache.open(world.page('a', 5000)))).toBe('a 1')
    expect(cache.bytes).toBe(0)
  })

  it('never shows less than what was written before the question, in any order of writes and questions', async () => {
    const step = fc.record({
      host: fc.constantFrom('a', 'b'),
      act: fc.constantFrom('write', 'ask', 'ask a versioned one', 'wait'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.constantFrom(6000, 1_000_000), async (steps, room) => {
        const world = new Numbers()
        world.write('a')
        world.write('b')
        const cache = world.cache(room)
        const asked: Promise<void>[] = []
        for (const { host, act } of steps) {
          if (act === 'write') world.write(host)
          else if (act === 'wait') await turn()
          else {
            const least = world.versions.get(host) ?? 0
            asked.push(
              cache
                .open(act === 'ask' ? world.page(host, 1000) : world.versionedPage(host, 1000))
                .then(async (found) => {
                  expect(Number((await textOf(found))?.split(' ')[1])).toBeGreaterThanOrEqual(least)
                }),
            )
          }
        }
        await Promise.all(asked)
        expect(cache.bytes).toBeLessThanOrEqual(room)
      }),
    )
  })
})

describe('a page', () => {
  it('is compressed once per coding, with a tag of its own for each', async () => {
    const world = new Numbers()
    world.write('a')
    const found = await world.cache().open(world.page('a', 500))
    expect(found?.page.ready('br')).toBeUndefined()
    const [br, again, gzip] = await Promise.all([
      found?.page.encoded('br'),
      found?.page.encoded('br'),
      found?.page.encoded('gzip'),
    ])
    expect(br).toBe(again)
    const plain = await found?.page.encoded('identity')
    expect(brotliDecompressSync(br?.bytes ?? '').toString()).toBe(plain?.bytes.toString())
    expect(gunzipSync(gzip?.bytes ?? '').toString()).toBe(plain?.bytes.toString())
    expect(new Set([br?.etag, gzip?.etag, plain?.etag]).size).toBe(3)
    expect(found?.page.ready('br')).toBe(br)
  })

  it('holds what was asked for and nothing else, and has the rest again when somebody asks', async () => {
    const text = 'Requested payment. '.repeat(500)
    const fresh = (held: number[]): BytePage =>
      new BytePage({ contentType: 'text/plain', text, headers: [] }, (bytes) => held.push(bytes))
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom<Coding>('br', 'gzip', 'identity'), { minLength: 1, maxLength: 5 }),
        async (asked) => {
          const changes: number[] = []
          const page = fresh(changes)
          expect(page.byteLength).toBe(text.length)
          for (const coding of asked) {
            const { bytes, etag } = await page.encoded(coding)
            const one = await fresh([]).encoded(coding)
            expect([bytes.equals(one.bytes), etag]).toEqual([true, one.etag])
          }
          const each = await Promise.all([...new Set(asked)].map((coding) => page.encoded(coding)))
          expect(page.byteLength).toBe(each.reduce((sum, { bytes }) => sum + bytes.byteLength, 0))
          expect(text.length + changes.reduce((sum, change) => sum + change, 0)).toBe(page.byteLength)
        },
      ),
    )
  })
})
