import { afterAll, beforeAll, expect, it } from 'vitest'
import { ENDPOINTS } from './endpoints.ts'
import type { WebServer } from './server/server.ts'
import { ask, MemoryDirectory, startSample } from './testing/samples.ts'

const HOST = 'api.weather.example'
let web: WebServer
beforeAll(async () => {
  const directory = new MemoryDirectory()
  directory.put(HOST)
  web = await startSample({ directory })
})
afterAll(() => web.drain(1000))

const asking = (method: string) => ({ Origin: 'https://page.example', 'Access-Control-Request-Method': method })

it.each(ENDPOINTS.map(({ method, path }) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, HOST)] as const))(
  'a page of another origin may ask whether it may send %s %s',
  async (method, path) => {
    const { status, headers, text } = await ask(web.port, path, asking(method), 'OPTIONS')
    expect([status, text]).toEqual([204, ''])
    expect(headers['access-control-allow-methods']?.split(', ')).toContain(method)
    expect(headers['access-control-allow-headers']).toBe('Authorization, *')
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers['access-control-allow-credentials']).toBeUndefined()
  },
)

it('every header that a payment needs can be read, on answers from the cache too', async () => {
  const replies = [
    await ask(web.port, `/v1/thread/${HOST}`, {}, 'POST'),
    await ask(web.port, '/v1/hosts'),
    await ask(web.port, '/v1/hosts'),
    await ask(web.port, '/nothing'),
  ]
  for (const { headers } of replies) {
    const shown = headers['access-control-expose-headers']?.toLowerCase().split(', ') ?? []
    for (const name of ['payment-required', 'payment-response', 'x-payment-response', 'www-authenticate']) {
      expect(shown).toContain(name)
    }
    for (const name of ['payment-receipt', 'retry-after', 'ratelimit', 'ratelimit-policy', 'location']) {
      expect(shown).toContain(name)
    }
    expect(headers['access-control-allow-credentials']).toBeUndefined()
  }
})

it.each(ENDPOINTS.filter(({ method }) => method === 'get').map(({ path }) => path.replaceAll(/\{\w+\}/g, HOST)))(
  'no answer of %s repeats a header, from the cache or to whoever has it already',
  async (path) => {
    const named = { Accept: 'application/json, */*;q=0.5' }
    const first = await ask(web.port, path, named)
    const replies = [
      first,
      await ask(web.port, path, named),
      await ask(web.port, path, named, 'HEAD'),
      await ask(web.port, path, { ...named, 'If-None-Match': first.headers.etag ?? '' }),
    ]
    for (const { headers } of replies) {
      expect(Object.entries(headers).filter(([, value]) => /^(.+), \1$/.test(String(value)))).toEqual([])
    }
  },
)
