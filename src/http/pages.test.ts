import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMcpHandler } from '../mcp/over-http.ts'
import { CSP } from '../render/html/csp.ts'
import type { Site } from '../render/site.ts'
import { HOST } from '../render/testing/sample-views.ts'
import { ask, MemoryDirectory, startSample } from './testing/samples.ts'

const directory = new MemoryDirectory()
let web: Awaited<ReturnType<typeof startSample>>
beforeAll(async () => {
  directory.put(HOST)
  web = await startSample({ directory })
})
afterAll(() => web.drain(100))

const A_ROUTE = `/hosts/${HOST}/route?method=GET&path=%2Fv1%2Fforecast&rail=x402`
const json = async (path: string) => JSON.parse((await ask(web.port, path, { Accept: 'application/json' })).text)

describe('the page of a route', () => {
  it('comes as HTML under the policy, as Markdown or as JSON, and names the others', async () => {
    const html = await ask(web.port, A_ROUTE)
    expect([html.status, html.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(html.headers['content-security-policy']).toBe(CSP)
    expect(html.headers.vary).toBe('Accept, Accept-Encoding')
    expect(html.headers.link).toContain(
      `<https://tollbook.example${A_ROUTE}&format=md>; rel="alternate"; type="text/markdown"`,
    )
    const md = await ask(web.port, A_ROUTE, { Accept: 'text/markdown' })
    expect(md.headers['content-type']).toBe('text/markdown; charset=utf-8')
    expect(md.headers['content-security-policy']).toBeUndefined()
    expect(await json(A_ROUTE)).toMatchObject({ host: HOST, path: '/v1/forecast', observed_price: '0.020000' })
  })

  it.each([
    ['', 400, 'invalid-parameter'],
    ['?method=GET&path=%2Fv1%2Fforecast', 400, 'invalid-parameter'],
    ['?method=FETCH&path=%2F&rail=x402', 400, 'invalid-parameter'],
    ['?method=GET&path=%2Fother&rail=x402', 404, 'unknown-route'],
  ])('asked with %s is a problem %i, %s', async (query, status, slug) => {
    const document = await json(`/hosts/${HOST}/route${query}`)
    expect(document).toMatchObject({ status, type: `https://tollbook.example/problems/${slug}` })
  })

  it('that its host does not have is a problem that names those around it', async () => {
    const near = { method: 'GET', url: `https://${HOST}/v1/forecast`, rail: 'x402' }
    const asked = `/hosts/${HOST}/route?method=GET&path=%2Fother&rail=x402`
    expect(await json(asked)).toMatchObject({ host: HOST, near_matches: [near] })
    const { text: page } = await ask(web.port, `${asked}&format=html`)
    expect(page).toContain(`<a href="${A_ROUTE.replaceAll('&', '&amp;')}">`)
    expect(page).toContain(`<a href="/hosts/${HOST}">`)
  })

  it('of an unknown host is the unknown host', async () => {
    const document = await json('/hosts/apl.weather.example/route?method=GET&path=%2F&rail=x402')
    expect(document).toMatchObject({ type: 'https://tollbook.example/problems/unknown-host', near_matches: [HOST] })
  })
})

describe('a parameter that must be given', () => {
  it.each([
    ['/v1/decide?url=https://api.weather.example/', 'method', 'Give method, url and rail.'],
    ['/v1/decide?url=https://api.weather.example/&method=GET', 'rail', 'Give method, url and rail.'],
    ['/v1/decide?method=GET&rail=x402', 'url', 'Give method, url and rail.'],
    ['/v1/reviews/message?url=https://api.weather.example/&text=a', 'method', 'Give method, url, rail and rating.'],
    ['/v1/claims/message?host=api.weather.example', 'wallet', 'Give host and wallet.'],
    [`/v1/hosts/${HOST}/statements/message?kind=contact`, 'about', 'Give kind and about.'],
    [`/v1/thread/${HOST}/message`, 'text', 'Give the text, or its SHA-256 as text_sha256.'],
  ])('is asked for by the hint of %s', async (path, parameter, hint) => {
    expect(await json(path)).toMatchObject({ status: 400, parameter, hint })
  })

  it.each([
    ['/v1/decide?url=https://api.weather.example/&method=FETCH&rail=x402', 'method', 'Give method, url and rail.'],
    ['/v1/decide?url=https://api.weather.example/&method=GET&rail=l402', 'rail', 'Give method, url and rail.'],
    ['/v1/decide?url=https://a.example/&url=https://b.example/&method=GET', 'url', 'Give method, url and rail.'],
    [
      '/v1/reviews/message?url=https://api.weather.example/&text=a&method=GET&rail=x402&rating=6',
      'rating',
      'Give method, url, rail and rating.',
    ],
    [`/v1/hosts/${HOST}/statements/message?kind=praise&about=x`, 'kind', 'Give kind and about.'],
  ])('and is wrong is not to be left out, by the hint of %s', async (path, parameter, hint) => {
    expect(await json(path)).toMatchObject({ status: 400, parameter, hint })
  })

  it('is answered with routes around it, of a path that the host does not have', async () => {
    const url = encodeURIComponent(`https://${HOST}/v1/forecas`)
    expect(await json(`/v1/decide?method=GET&rail=x402&url=${url}`)).toMatchObject({
      type: 'https://tollbook.example/problems/unknown-route',
      near_matches: [{ method: 'GET', url: `https://${HOST}/v1/forecast`, rail: 'x402' }],
    })
  })

  it('is asked for by the hint of a page of a route', async () => {
    for (const query of ['method=GET', 'method=FETCH&path=%2F&rail=x402', 'method=GET&path=%2F&rail=l402'])
      expect(await json(`/hosts/${HOST}/route?${query}`)).toMatchObject({ hint: 'Give method, path and rail.' })
  })
})

describe('the home page', () => {
  it('hands the facet of the last day on, and refuses another', async () => {
    await json('/v1/hosts?requested=day')
    expect(directory.queries.at(-1)).toMatchObject({ requested: 'day' })
    expect((await ask(web.port, '/?requested=day')).text).toContain('Hosts with a request for payment in the last day')
    expect((await json('/v1/hosts?requested=week')).parameter).toBe('requested')
  })
})

describe('the page for sellers', () => {
  it('takes the host out of an address that somebody pastes', async () => {
    for (const host of [HOST, `https://${HOST}/v1`, ` ${HOST.toUpperCase()}/ `, `GET https://${HOST}:443/v1?x=1`]) {
      const { status, text } = await ask(web.port, `/sellers?host=${encodeURIComponent(host)}`)
      expect([status, text.includes(`<h2>${HOST}</h2>`)], host).toEqual([200, true])
    }
    expect((await ask(web.port, `/sellers?host=${encodeURIComponent('https://10.0.0.1/v1')}`)).status).toBe(400)
  })

  it('gives sellers what to paste for their host, as a page and as Markdown', async () => {
    for (const format of ['html', 'md']) {
      const { text } = await ask(web.port, `/sellers?host=${HOST}&format=${format}`)
      for (const paste of [`tollbook claim ${HOST} --to http`, `tollbook say ${HOST} reply `, 'User-agent: tollbook\n'])
        expect(text).toContain(paste)
    }
  })
})

describe('the filter of routes', () => {
  it('takes part of a path and a method, on the page and in the API', async () => {
    expect((await ask(web.port, `/hosts/${HOST}?q=fore&method=GET`)).status).toBe(200)
    expect((await json(`/v1/hosts/${HOST}/routes?q=fore&method=GET`)).host).toBe(HOST)
    expect(await json(`/v1/hosts/${HOST}/routes?method=FETCH`)).toMatchObject({ status: 400, parameter: 'method' })
    expect(await json(`/hosts/${HOST}?method=FETCH`)).toMatchObject({ status: 400, parameter: 'method' })
  })
})

describe('the problems', () => {
  it('are listed as a page and as JSON', async () => {
    const page = await ask(web.port, '/problems')
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers['content-security-policy']).toBe(CSP)
    const { problems } = await json('/problems')
    expect(problems).toContainEqual(
      expect.objectContaining({ type: 'https://tollbook.example/problems/unknown-host', status: 404 }),
    )
  })

  it('say on their page of which kind they are', async () => {
    const page = await ask(web.port, '/nowhere', { Accept: 'text/html' })
    expect([page.status, page.text.includes('href="/problems/not-found"')]).toEqual([404, true])
  })

  it('say of an address with a slash too many what to leave out', async () => {
    const hintAt = async (path: string): Promise<unknown> => (await json(path)).hint
    for (const path of [`/hosts/${HOST}/`, '/docs/', '/v1/hosts//']) {
      expect(await hintAt(path)).toBe('Leave out the slash at its end.')
    }
    for (const path of ['/nowhere/', '//', '/nowhere']) expect(await hintAt(path)).toContain('Start at the home page')
  })

  it("lead from a seller's path behind its host to the host and the routes that may be meant", async () => {
    const near = { method: 'GET', url: `https://${HOST}/v1/forecast`, rail: 'x402' }
    for (const path of [`/hosts/${HOST}/v1/other`, `/v1/hosts/${HOST}/v1/other`]) {
      const document = await json(path)
      expect(document).toMatchObject({ status: 404, host: HOST, near_matches: [near] })
      expect(document.type).toBe('https://tollbook.example/problems/not-found')
      expect(document.hint).toContain(`all its routes are at /hosts/${HOST}/routes`)
    }
    const { text: page } = await ask(web.port, `/hosts/${HOST}/v1/other`, { Accept: 'text/html' })
    expect(page).toContain(`<a href="/hosts/${HOST}">All that is known of ${HOST}</a>`)
    expect(page).toContain(`<a href="${A_ROUTE.replaceAll('&', '&amp;')}">`)
    const unknown = await json('/hosts/api.nobody.example/v1/other')
    expect(unknown).toMatchObject({ status: 404, type: 'https://tollbook.example/problems/unknown-host' })
    expect((await json('/hosts/1.2.3.4/v1')).hint).toContain('Start at the home page')
  })
})

describe('a directory with one rail', () => {
  it('names that one to agents, in its documents and its tools', async () => {
    const rails = [
      { rail: 'x402', terms: [], missing: ['X402_PAY_TO'] },
      { rail: 'mpp', terms: [], missing: [] },
    ] as const
    const policy = () => ({ postPrice: 50_000, rails, founderWallets: [], limits: null })
    const tools = {
      directory,
      policy,
      allow: [],
      log: async () => null,
      nowUs: () => 0,
      version: '1',
      onTrouble: () => {},
    }
    const mcp = (site: Site) => createMcpHandler({ ...tools, site })
    const one = await startSample({ directory, policy, mcp })
    const prepared = async (asked: object) => {
      const call = {
        name: 'prepare_post',
        arguments: { host: HOST, text: 'Hi', wallet: `0x${'1'.repeat(40)}`, ...asked },
      }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })
      const accept = 'application/json, text/event-stream'
      const sent = { Accept: accept, 'Content-Type': 'application/json' }
      const { result } = JSON.parse((await ask(one.port, '/mcp', sent, 'POST', body)).text)
      const { send, steps } = result.structuredContent
      return [send.map(({ rail }: { rail: string }) => rail), steps.join(' ')]
    }
    try {
      expect((await ask(one.port, '/llms.txt')).text).not.toContain('(x402)')
      expect((await ask(one.port, '/docs')).text).toContain('dollars through mpp.')
      expect(await prepared({})).toEqual([['mpp'], expect.stringContaining('pay with an mpp client')])
      expect(await prepared({ rail: 'x402' })).toEqual([['x402'], expect.stringContaining('Rail x402 is not set up')])
    } finally {
      await one.drain(100)
    }
  })
})
