import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { event } from '../../render/atom/testing/samples.ts'
import { HOST } from '../../render/testing/sample-views.ts'
import type { WebServer } from '../server/server.ts'
import { ask, MemoryDirectory, startSample } from '../testing/samples.ts'
import { etagOf } from './etag.ts'

let web: WebServer
beforeAll(async () => {
  const directory = new MemoryDirectory()
  directory.put(HOST)
  for (let n = 1; n <= 20; n += 1) directory.announce(event(n))
  web = await startSample({ directory })
})
afterAll(() => web.drain(1000))

const WHOLE = [
  '/policy',
  '/v1/policy',
  '/probing',
  '/problems',
  '/problems/not-found',
  '/v1/events?format=json',
  '/log/verify.mjs',
  '/robots.txt',
]
const CODINGS = [
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
] as const
const page = { accept: 'text/html', 'accept-encoding': 'gzip' }

describe('an answer that is made for one request alone', () => {
  it.each(WHOLE)('has the tag of its bytes, and none for whoever has them: %s', async (path) => {
    for (const headers of [{}, page]) {
      const first = await ask(web.port, path, headers)
      const { etag, vary } = first.headers
      expect([first.status, etag]).toEqual([200, etagOf(first.bytes)])
      const names = vary?.split(', ') ?? []
      expect(names).toEqual([...new Set(names)])
      const again = await ask(web.port, path, { ...headers, 'if-none-match': `"other", ${etag}` })
      expect([again.status, again.bytes.length, again.headers.etag, again.headers.vary]).toEqual([304, 0, etag, vary])
      expect([again.headers['content-type'], again.headers['content-encoding']]).toEqual([undefined, undefined])
    }
  })

  it.each(['/v1/policy', '/problems?format=json', '/v1/events?format=json', '/log/verify.mjs'])(
    'is compressed for whoever takes that, and the same: %s',
    async (path) => {
      const plain = await ask(web.port, path)
      expect(plain.bytes.length).toBeGreaterThan(1000)
      for (const [coding, read] of CODINGS) {
        const { headers, bytes } = await ask(web.port, path, { 'accept-encoding': coding })
        expect([headers['content-encoding'], read(bytes).equals(plain.bytes)]).toEqual([coding, true])
        expect(bytes.length).toBeLessThan(plain.bytes.length / 2)
        for (const { vary } of [headers, plain.headers]) expect(vary?.split(', ')).toContain('Accept-Encoding')
      }
    },
  )

  it('has none where it is refused, or sent while it is made', async () => {
    for (const path of ['/problems/none', '/sitemaps/1-of-1.xml'])
      expect([path, (await ask(web.port, path, { 'if-none-match': '*' })).headers.etag]).toEqual([path, undefined])
  })
})
