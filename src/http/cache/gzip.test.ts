import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PAGE_START } from '../../render/html/layout.tsx'
import { gzipped } from './gzip.ts'

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.constant(PAGE_START))

it('What is compressed is the same again, whether or not it begins as pages do.', async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.array(text, { maxLength: 4 }), async (first, more) => {
      const whole = [first, ...more].join('')
      const bytes = Buffer.from(whole)
      for (const source of [whole, bytes]) expect(gunzipSync(await gzipped(source)).equals(bytes)).toBe(true)
    }),
  )
})

it('It is, too, when it ends within the start of a page, is large, or is of letters with several bytes.', async () => {
  const letters = '\u20ac\u00e9x'.repeat(80_000)
  for (const text of [PAGE_START.slice(0, -1), PAGE_START, 'ab'.repeat(500_000), letters, PAGE_START + letters]) {
    for (const source of [text, Buffer.from(text)])
      expect(gunzipSync(await gzipped(source)).toString() === text).toBe(true)
  }
})

it('Texts that are compressed at the same time are not mixed.', async () => {
  const texts = Array.from({ length: 20 }, (_, n) => String(n % 10).repeat(n % 2 === 0 ? 1000 : 300_000))
  const found = await Promise.all(texts.map((text) => gzipped(text)))
  expect(found.map((bytes) => gunzipSync(bytes).toString())).toEqual(texts)
})

it('A page with the shared start is one gzip file: readers that stop after the first have all of it.', async () => {
  const text = `${PAGE_START}<title>x</title></head><body></body></html>\n`
  const members = new Response(await gzipped(text)).body?.pipeThrough(new DecompressionStream('gzip'))
  expect(await new Response(members).text()).toBe(text)
})
