import { afterAll, beforeAll, expect, it } from 'vitest'
import type { WebServer } from '../../server/server.ts'
import { MemoryDirectory, startSample } from '../../testing/samples.ts'

const HOST = 'api.weather.example'
let web: WebServer
beforeAll(async () => {
  const directory = new MemoryDirectory()
  directory.put(HOST)
  web = await startSample({ directory })
})
afterAll(() => web.drain(1000))

const asking = (url: string, offer: object = { price: '0.01', network: 'base' }) => ({
  method: 'GET',
  url,
  rail: 'x402',
  offer,
})
const send = (body: unknown, headers: Record<string, string> = {}, query = '') =>
  fetch(`http://127.0.0.1:${web.port}/v1/decide${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

it('answers of an unknown host with a warning, to pages of any origin, and is kept by nobody', async () => {
  const answer = await send(asking('https://unknown.example/'), { origin: 'https://page.example' })
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ allow: true, findings: [{ code: 'unknown_host', severity: 'warn' }] })
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

it('answers as Markdown for whoever reads that', async () => {
  const answer = await send(asking('https://unknown.example/'), { accept: 'text/markdown' })
  expect(answer.headers.get('content-type')).toContain('text/markdown')
  expect(await answer.text()).toContain('- **warn** `unknown_host`: No listing source has named this host')
  expect((await send(asking('https://unknown.example/'), {}, '?format=html')).status).toBe(400)
})

it.each<[string, unknown, string]>([
  ['no JSON', '{', 'invalid-json'],
  ['a field that it does not know', { ...asking('https://a.example/'), tip: 1 }, 'invalid-field'],
  ['no offer', { ...asking('https://a.example/'), offer: undefined }, 'invalid-field'],
  ['an address of this machine', asking('http://127.0.0.1/'), 'invalid-field'],
])('refuses %s with a hint', async (_, body, slug) => {
  const answer = await send(body)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/problem+json; charset=utf-8'])
  expect(await answer.json()).toMatchObject({ type: expect.stringContaining(slug), hint: expect.any(String) })
})
