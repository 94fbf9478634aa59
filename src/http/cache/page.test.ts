import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { PAGE_START } from '../../render/html/layout.tsx'
import { CODINGS, type Coding } from '../negotiation.ts'
import { BytePage } from './page.ts'

/** Tiny, as most pages are, larger than a compressor's room, and so large that another thread compresses it. */
const TEXTS = ['{}', `${PAGE_START}<p>x</p>`, randomBytes(30_000).toString('base64'), 'ab'.repeat(200_000)]

describe('the tags of a page', () => {
  it('are one for each coding, and the same whichever was asked for first', async () => {
    for (const text of TEXTS) {
      const tags = async (codings: readonly Coding[]) => {
        const page = new BytePage({ contentType: 'text/html', text, headers: [] })
        const found = new Map<Coding, string>()
        for (const coding of codings) found.set(coding, (await page.encoded(coding)).etag)
        return found
      }
      const first = await tags(CODINGS)
      expect(new Set(first.values()).size).toBe(CODINGS.length)
      expect(await tags(CODINGS.toReversed())).toEqual(first)
    }
  })
})

describe('what is kept of a page', () => {
  it.each(CODINGS)('takes no more memory than it has bytes: %s', async (coding) => {
    for (const text of TEXTS) {
      const page = new BytePage({ contentType: 'text/html', text, headers: [] })
      const { bytes } = await page.encoded(coding)
      expect(bytes.buffer.byteLength).toBe(bytes.byteLength)
      expect(page.byteLength).toBe(bytes.byteLength)
    }
  })

  it('takes no more when it was unpacked for somebody who takes it plain', async () => {
    for (const text of TEXTS) {
      const page = new BytePage({ contentType: 'text/html', text, headers: [] })
      const packed = await page.encoded('gzip')
      const { bytes } = await page.encoded('identity')
      expect(bytes.toString()).toBe(text)
      expect(bytes.buffer.byteLength).toBe(bytes.byteLength)
      expect(page.byteLength).toBe(bytes.byteLength + packed.bytes.byteLength)
    }
  })
})
