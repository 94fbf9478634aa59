import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PAGE_START } from '../../render/html/layout.tsx'
import { bytesOf, gzipped } from './gzip.ts'

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.constant(PAGE_START))

it('What is compressed is the same again, whether or not it begins as pages do.', async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.array(text, { maxLength: 4 }), async (first, more) => {
      const whole = [first, ...more].join('')
      const bytes = bytesOf(whole)
      expect(bytes.equals(Buffer.from(whole))).toBe(true)
      expect(gunzipSync(await gzipped(bytes)).equals(bytes)).toBe(true)
    }),
  )
})

it('Neither is anything else than a page when it ends within the start of one, or is large.', async () => {
  for (const bytes of [Buffer.from(PAGE_START.slice(0, -1)), Buffer.from(PAGE_START), Buffer.alloc(1_000_000, 'ab')]) {
    expect(gunzipSync(await gzipped(bytes)).equals(bytes)).toBe(true)
  }
})

it('A page with the shared start is one gzip file: readers that stop after the first have all of it.', async () => {
  const bytes = Buffer.from(`${PAGE_START}<title>x</title></head><body></body></html>\n`)
  const members = new Response(await gzipped(bytes)).body?.pipeThrough(new DecompressionStream('gzip'))
  expect(await new Response(members).text()).toBe(bytes.toString())
})
