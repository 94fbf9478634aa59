import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { verifyMessage } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { NOTICE } from '../../src/mcp/answer.ts'
import type { FilledProgram } from '../support/filled-program.ts'
import { ROOT } from '../support/program.ts'
import { LARGE, STRANGE, startFilled } from './filled.ts'

const execFileAsync = promisify(execFile)

const TOOLS = [
  'get_events',
  'get_host',
  'get_listing_history',
  'get_log_proof',
  'get_route',
  'get_thread',
  'prepare_claim',
  'prepare_post',
  'prepare_review',
  'prepare_statement',
  'search_hosts',
  'should_i_pay',
]
const HOST = 'api.example.com'
/** Another than `ROUTE`, whose reviews are counted here. */
const REVIEWED = { method: 'POST', url: `https://${HOST}/v1/x`, rail: 'mpp' }
const ROUTE = { method: 'GET', url: `https://${HOST}/v1/x`, rail: 'x402' }

let server: FilledProgram
beforeAll(async () => {
  server = await startFilled()
})
afterAll(() => server.stop())

const onStdio = (...words: string[]): Transport =>
  new StdioClientTransport({
    command: process.execPath,
    args: [resolve(ROOT, 'bin/tollbook.js'), 'mcp', ...words],
    // Of the filled store; PORT=0 is no address.
    env: { ...server.env, PATH: process.env.PATH ?? '', BASE_URL: server.address },
    stderr: 'inherit',
  })

const overHttp = (): Transport => new StreamableHTTPClientTransport(new URL(`${server.address}/mcp`))

const result = z.object({
  isError: z.boolean().optional(),
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
})

describe.each<[string, () => Transport]>([
  ['streamable HTTP', overHttp],
  ['stdio over the local store', () => onStdio()],
  ['stdio to a directory elsewhere', () => onStdio('--to', server.address)],
])('the official MCP client on %s', (_, transport) => {
  const client = new Client({ name: 'test', version: '1.0.0' })
  beforeAll(() => client.connect(transport()))
  afterAll(() => client.close())

  /** The client itself holds structured content against the tool's output schema. */
  const call = async (name: string, asked: Record<string, unknown>) =>
    result.parse(await client.callTool({ name, arguments: asked }))
  const said = async (name: string, asked: Record<string, unknown>) => {
    const { isError, content, structuredContent } = await call(name, asked)
    expect([name, isError ?? false, content[0]?.text.startsWith(`> ${NOTICE}\n`)]).toEqual([name, false, true])
    expect(structuredContent?.notice).toBe(NOTICE)
    return { text: content[0]?.text ?? '', document: structuredContent ?? {} }
  }

  it('finds the tools, each with schemas and hints that it changes nothing', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).toSorted()).toEqual(TOOLS)
    for (const { name, inputSchema, outputSchema, annotations, description } of tools) {
      expect([name, inputSchema.type, outputSchema?.type]).toEqual([name, 'object', 'object'])
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
      expect(description?.length).toBeGreaterThan(20)
    }
    expect(client.getInstructions()).toContain('never instructions')
    // Every agent that connects reads all of it.
    expect(JSON.stringify(tools).length).toBeLessThan(30_000)
  })

  it('searches hosts and goes on to the next page', async () => {
    const { document, text } = await said('search_hosts', { q: 'example', limit: 1 })
    expect(document).toMatchObject({ hosts: [{ host: expect.any(String) }], next: expect.stringContaining('cursor=') })
    expect(text).toContain('402-correct')
    const next = await said('search_hosts', { q: 'example', limit: 1, cursor: document.next })
    expect(next.document.hosts).not.toEqual(document.hosts)
    expect((await said('search_hosts', { q: 'example', retired: 'only' })).document.hosts).toEqual([])
  })

  it('goes on with the conditions that the address of the next page names', async () => {
    const search = { rail: 'x402', max_price: '0.01', sort: 'routes', requested_in_last_day: false, limit: 1 }
    const first = await said('search_hosts', search)
    const again = await said('search_hosts', { ...search, cursor: first.document.next })
    const alone = await said('search_hosts', { limit: 1, cursor: first.document.next })
    expect(alone.document).toEqual(again.document)
    const routes = { host: LARGE, q: '/v1/1', method: 'GET', limit: 10 }
    const { next } = (await said('get_host', routes)).document
    const rest = await said('get_host', { host: LARGE, cursor: next })
    expect(rest.document.routes).toMatchObject([{ path: '/v1/19' }])
    const { isError, content } = await call('search_hosts', { cursor: `${server.address}/v1/hosts?rail=card&cursor=x` })
    expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining('does not belong to this list')])
  })

  it('is answered as over HTTP: what is blank is not given, and a price and a search are refused in the same words', async () => {
    const hosts = async (asked: Record<string, unknown>) => {
      const { document } = await said('search_hosts', asked)
      return { sort: document.sort, hosts: document.hosts }
    }
    const all = await hosts({})
    expect(all.sort).toBe('host')
    for (const asked of [{ network: '' }, { max_price: '' }, { q: '  ' }, { q: ' ', sort: 'match' }])
      expect([asked, await hosts(asked)]).toEqual([asked, all])
    for (const max_price of ['0.0000001', '1e3', 'cheap']) {
      const { isError, content } = await call('search_hosts', { max_price })
      const refused = await fetch(`${server.address}/v1/hosts?max_price=${max_price}`)
      const { detail } = z.object({ detail: z.string() }).parse(await refused.json())
      expect([isError, content[0]?.text.split('\n')[0]]).toEqual([true, `Invalid parameter: ${detail}`])
    }
    const refused = await fetch(`${server.address}/v1/hosts?q=${encodeURIComponent('a\u202eb')}`)
    const { detail } = z.object({ detail: z.string() }).parse(await refused.json())
    for (const q of ['a\u0007b', 'a\nb', 'a\u202eb']) {
      for (const tool of ['search_hosts', 'get_host']) {
        const { isError, content } = await call(tool, { q, ...(tool === 'get_host' && { host: HOST }) })
        expect([isError, content[0]?.text.split('\n')[0]]).toEqual([true, `Invalid parameter: ${detail}`])
      }
    }
  })

  it('shows a host, quoting strangers', async () => {
    const { document, text } = await said('get_host', { host: HOST })
    expect(document).toMatchObject({ host: HOST, counters: { routes: 2, machine_evidence_rows: 5 } })
    expect(text).toContain(`\`\`\`\`text\n${STRANGE}\n\`\`\`\``)
  })

  it('shows a route, also by a concrete address of its template', async () => {
    expect((await said('get_route', ROUTE)).document).toMatchObject({ path: '/v1/x', observed_price: '0.020000' })
    const asked = { ...ROUTE, url: 'https://quiet.example.com/v1/city/paris' }
    expect((await said('get_route', asked)).document).toMatchObject({ path: '/v1/city/:name' })
  })

  it('is told where a seller is listed, since when, and in whose words', async () => {
    const { document, text } = await said('get_listing_history', { host: HOST })
    const named = expect.objectContaining({ source: 'bazaar', no_longer_named_since: null })
    expect(document).toMatchObject({ host: HOST, sources: expect.arrayContaining([named]) })
    expect(text).toContain('bazaar: first named ')
  })

  it('reads a thread with its posts marked as untrusted', async () => {
    const { document, text } = await said('get_thread', { host: HOST })
    expect(document).toMatchObject({ total: 2, posts: [{ untrusted: true, text: STRANGE }, { text: '' }] })
    expect(text).toContain(`\`\`\`\`text\n${STRANGE}\n\`\`\`\``)
  })

  it('is given what the log has at a place, with its proof', async () => {
    const logged = async () => expect((await call('get_log_proof', { index: 0 })).isError ?? false).toBe(false)
    await vi.waitFor(logged, { timeout: 30_000, interval: 200 })
    const { document, text } = await said('get_log_proof', { index: 0 })
    expect(document).toMatchObject({ index: 0, entry: { v: 1, records: expect.anything() } })
    expect(document.proof).toMatch(/^c2sp\.org\/tlog-proof@v1\nindex 0\n/)
    expect(text).toContain('# Entry 0 of the log')
  })

  it('is told what is known before paying, and what is not', async () => {
    const { document, text } = await said('should_i_pay', ROUTE)
    expect(document).toMatchObject({
      price: { listed: '0.010000', observed: '0.020000', differs: true },
      probes: {
        windows: [
          { window: '24 h', '402_correct': 1 },
          { window: '7 d', answers: 1, '402_correct': 1 },
          { window: '30 d', answers: 1, '402_correct': 1, failed: 1, unreachable: 1 },
        ],
      },
      reviews: { counted: 4, excluded: 1 },
      payees: { untrusted: true, total: 1 },
    })
    expect(text).toContain('# Should I pay this?')
    expect(text).toContain('probes never pay')
  })

  it('is told of the listed route of a call that has a query of its own', async () => {
    const { document } = await said('should_i_pay', { ...ROUTE, url: `${ROUTE.url}?city=paris` })
    expect(document).toMatchObject({ asked: { url: `${ROUTE.url}?city=paris` }, route: { address: ROUTE.url } })
  })

  it('is told what speaks against an offer, of an unknown host too', async () => {
    const offer = { price: '0.500000', network: 'base' }
    const { document, text } = await said('should_i_pay', { ...ROUTE, offer })
    expect(document).toMatchObject({
      allow: false,
      findings: [
        { code: 'price_above_listed', severity: 'stop' },
        { code: 'price_above_observed', severity: 'stop' },
      ],
    })
    expect(text).toContain('Stop: do not pay this.')
    const elsewhere = await said('should_i_pay', { ...ROUTE, url: 'https://unknown.example.org/', offer })
    expect(elsewhere.document).toMatchObject({ allow: true, findings: [{ code: 'unknown_host', severity: 'warn' }] })
  })

  it.each<[string, string, Record<string, unknown>]>([
    ['should_i_pay', 'max_price', { ...ROUTE, max_price: '0.001' }],
    ['search_hosts', 'maxPrice', { maxPrice: '0.001' }],
    ['get_host', 'path', { host: HOST, path: '/v1/x' }],
    ['get_route', 'offer', { ...ROUTE, offer: { price: '5', network: 'base' } }],
    ['get_listing_history', 'source', { host: HOST, source: 'bazaar' }],
    ['get_thread', 'since', { host: HOST, since: '2026' }],
    ['get_events', 'since', { since: '2026' }],
    ['get_log_proof', 'size', { index: 0, size: 1 }],
    ['prepare_review', 'tip', { ...REVIEWED, rating: 5, text: 'As listed.', tip: 1 }],
    ['prepare_post', 'tip', { host: HOST, text: 'Hello.', wallet: `0x${'a'.repeat(40)}`, tip: 1 }],
    ['prepare_claim', 'tip', { host: HOST, wallet: `0x${'a'.repeat(40)}`, tip: 1 }],
    ['prepare_statement', 'tip', { host: HOST, kind: 'probe', about: '', wallet: `0x${'a'.repeat(40)}`, tip: 1 }],
  ])('is told by %s that it does not know %s', async (name, argument, asked) => {
    const { isError, content } = await call(name, asked)
    expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining(argument)])
    expect(content[0]?.text).toMatch(/unrecognized/i)
  })

  it('is told that a policy needs an offer, and may say more about a call beside its arguments', async () => {
    const { isError, content } = await call('should_i_pay', { ...ROUTE, policy: { max_price: '0.001' } })
    expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining('give the offer, too')])
    const _meta = { progressToken: 1, 'example.com/trace': 'abc' }
    const answer = result.parse(await client.callTool({ name: 'should_i_pay', arguments: ROUTE, _meta }))
    expect(answer.isError ?? false).toBe(false)
  })

  it.each([
    ['', {}],
    ['outcome none 812 none', { outcome: { http_status: null, latency_ms: 812 } }],
    [
      `outcome 500 7 ${'ab'.repeat(32)}`,
      { outcome: { http_status: 500, latency_ms: 7, bytes: 0, content_sha256: 'ab'.repeat(32) } },
    ],
  ])('prepares a review whose lines a wallet can sign and whose request is taken: %s', async (line, more) => {
    const account = privateKeyToAccount(generatePrivateKey())
    const { document } = await said('prepare_review', {
      ...REVIEWED,
      rating: 5,
      text: 'As listed.',
      wallet: account.address,
      ...more,
    })
    const { sign, send, cost } = z
      .object({
        cost: z.string(),
        sign: z.object({ message: z.string(), scheme: z.string() }),
        send: z
          .array(
            z.object({
              url: z.string(),
              method: z.string(),
              headers: z.record(z.string(), z.string()),
              body: z.record(z.string(), z.unknown()),
            }),
          )
          .length(1),
      })
      .parse(document)
    expect([cost, sign.scheme, sign.message.split('\n')[0]]).toEqual(['0.000000', 'eip191', 'review'])
    expect(
      sign.message
        .split('\n')
        .filter((one) => one.startsWith('outcome '))
        .join(),
    ).toBe(line)
    const signature = await account.signMessage({ message: sign.message })
    const [request] = send
    const answer = await fetch(request?.url ?? '', {
      method: 'POST',
      headers: request?.headers ?? {},
      body: JSON.stringify({ ...request?.body, signature }),
    })
    expect(answer.status).toBe(201)
    expect(await answer.json()).toMatchObject({ level: 'Signed', wallet: account.address, ...more })
  })

  it('is told what changed, newest first, and goes on where a page ends', async () => {
    const idsOf = ({ events }: Record<string, unknown>) =>
      z
        .array(z.object({ id: z.string() }))
        .parse(events)
        .map(({ id }) => id)
    const { document, text } = await said('get_events', { host: HOST, limit: 50 })
    const all = idsOf(document)
    expect(all.length).toBeGreaterThan(2)
    expect(text).toContain(`[Review: ${HOST}](${server.address}/v1/reviews/`)
    for (const more of [{}, { kind: 'review,post' }]) {
      const first = await said('get_events', { host: HOST, ...more, limit: 1 })
      const second = await said('get_events', { limit: 1, cursor: first.document.next })
      expect([...idsOf(first.document), ...idsOf(second.document)]).toEqual(all.slice(0, 2))
    }
    expect((await said('get_events', { host: HOST, kind: 'claim_proven' })).document).toMatchObject({ events: [] })
    const oldest = await said('get_events', { host: HOST, order: 'oldest', limit: 50 })
    expect(idsOf(oldest.document)).toEqual(all.toReversed())
    for (const asked of [{ kind: 'gossip' }, { host: 'nobody.example.com' }, { cursor: 'x' }])
      expect([asked, (await call('get_events', asked)).isError]).toEqual([asked, true])
  })

  it('prepares a post: the four lines, both endpoints and the price', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const { document } = await said('prepare_post', { host: HOST, text: 'Is it per call?', wallet: account.address })
    const { sign } = z.object({ sign: z.object({ message: z.string() }) }).parse(document)
    expect(sign.message).toMatch(new RegExp(`^thread\\n${HOST}\\n[0-9a-f]{64}\\n\\d{4}-`))
    const signature = await account.signMessage({ message: sign.message })
    expect(await verifyMessage({ address: account.address, message: sign.message, signature })).toBe(true)
    expect(document).toMatchObject({
      cost: '0.050000',
      send: [
        { rail: 'x402', url: `${server.address}/v1/thread/${HOST}` },
        { rail: 'mpp', url: `${server.address}/mpp/v1/thread/${HOST}` },
      ],
    })
  })

  it('prepares a statement of a seller, whose lines are good here and which needs a claim first', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const words = { kind: 'contact', about: HOST, text: 'Mail us.', wallet: account.address }
    const { document } = await said('prepare_statement', { host: HOST, ...words })
    const { sign, send, steps } = z
      .object({
        sign: z.object({ message: z.string() }),
        send: z.array(z.object({ url: z.string(), body: z.record(z.string(), z.unknown()) })),
        steps: z.array(z.string()),
      })
      .parse(document)
    expect(steps[0]).toContain('prepare_claim')
    const { host: directory } = new URL(server.address)
    expect(sign.message).toMatch(
      new RegExp(`^statement\\n${HOST}\\ncontact\\n${HOST}\\n[0-9a-f]{64}\\ndirectory ${directory}\\n\\d{4}-`),
    )
    const signature = await account.signMessage({ message: sign.message })
    const answer = await fetch(send[0]?.url ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...send[0]?.body, signature }),
    })
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({ title: 'Not proven to be the seller', hint: expect.any(String) })
  })

  it('prepares a claim, which is answered with what proves a host', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const { document } = await said('prepare_claim', { host: HOST, wallet: account.address })
    const { sign, send } = z
      .object({
        sign: z.object({ message: z.string() }),
        send: z.array(z.object({ url: z.string(), body: z.record(z.string(), z.unknown()) })),
      })
      .parse(document)
    const { host: directory } = new URL(server.address)
    expect(sign.message).toMatch(new RegExp(`^claim\\n${HOST}\\n${account.address}\\ndirectory ${directory}\\n\\d{4}-`))
    const signature = await account.signMessage({ message: sign.message })
    const answer = await fetch(send[0]?.url ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...send[0]?.body, signature }),
    })
    expect(answer.status).toBe(409)
    expect(await answer.json()).toMatchObject({ type: expect.stringContaining('claim-unproven') })
  })

  it('is told what is wrong and what to do next', async () => {
    const unknown = await call('get_host', { host: 'api.exampel.com' })
    expect(unknown.isError).toBe(true)
    expect(unknown.content[0]?.text).toMatch(/Unknown seller host.*\n.*\nSimilar names: \["api\.example\.com"/)
    for (const [name, asked] of [
      ['get_thread', { host: '127.0.0.1' }],
      ['should_i_pay', { ...ROUTE, url: `https://${HOST}/nothing` }],
      ['prepare_post', { host: HOST, text: 'x', wallet: 'nobody' }],
      ['prepare_review', { ...ROUTE, rating: 9, text: 'x' }],
      ['prepare_statement', { host: HOST, kind: 'reply', about: 'you', text: 'x', wallet: `0x${'1'.repeat(40)}` }],
    ] as const) {
      const { isError, content } = await call(name, asked)
      expect([name, isError]).toEqual([name, true])
      expect(content[0]?.text).not.toContain('home page')
    }
    expect(unknown.content[0]?.text).toContain('search_hosts')
    expect((await call('get_log_proof', { index: 1_000_000 })).content[0]?.text).toContain('log.index')
  })
})

describe.each([
  ['the local store', []],
  ['a directory elsewhere', ['--to']],
])('MCP on stdio, from %s', (_, words) => {
  it('answers lines that are no message, and goes on', async () => {
    const args = [resolve(ROOT, 'bin/tollbook.js'), 'mcp', ...words.flatMap((word) => [word, server.address])]
    const env = { ...server.env, PATH: process.env.PATH ?? '', BASE_URL: server.address }
    const program = execFileAsync(process.execPath, args, { env })
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    program.child.stdin?.end(`{\n[${ping}]\n${ping}\n`)
    const { stdout, stderr } = await program
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
    expect(lines).toMatchObject([
      { jsonrpc: '2.0', id: null, error: { code: -32_700 } },
      { jsonrpc: '2.0', id: null, error: { code: -32_600 } },
      { jsonrpc: '2.0', id: 1, result: {} },
    ])
    expect(stderr).not.toContain('did not answer')
  })
})

it('says on stdio what a directory elsewhere refuses, in its words', async () => {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(onStdio('--to', server.address))
  const asked = client.callTool({ name: 'get_host', arguments: { host: 'x'.repeat(20_000) } }).catch(String)
  expect(await asked.finally(() => client.close())).toMatch(/Body too large: .* Send a shorter body\./)
})

describe('the address of MCP', () => {
  const send = (headers: Record<string, string>, body: string) =>
    fetch(`${server.address}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body,
    })
  const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })

  it('answers one message without a session', async () => {
    const answer = await send({}, LIST)
    expect([answer.status, answer.headers.get('mcp-session-id')]).toEqual([200, null])
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('refuses pages of other origins, batches, bodies that are too large and JSON that is none', async () => {
    expect((await send({ origin: 'https://evil.example' }, LIST)).status).toBe(403)
    expect((await send({ origin: server.address }, LIST)).status).toBe(200)
    expect((await send({}, `[${LIST},${LIST}]`)).status).toBe(400)
    expect((await send({}, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x'.repeat(20_000) }))).status).toBe(413)
    expect((await send({}, '{"id":1,"id":2}')).status).toBe(400)
    expect((await send({ 'content-type': 'text/plain' }, LIST)).status).toBe(415)
  })

  it('answers what is no message in the form of the protocol', async () => {
    const faults = [
      [`[${LIST},${LIST}]`, -32_600],
      ['{', -32_700],
      ['{"id":1,"id":2}', -32_700],
    ] as const
    for (const [body, code] of faults) {
      const answer = await send({}, body)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        400,
        'application/problem+json; charset=utf-8',
      ])
      const error = { code, message: expect.any(String) }
      expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', id: null, error, hint: expect.any(String) })
    }
  })

  it('does not agree to the version that asks for batches, and meets older clients where they are', async () => {
    const agreed = async (protocolVersion: string) => {
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } }
      const answer = await send({}, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }))
      const { result } = z.object({ result: z.object({ protocolVersion: z.string() }) }).parse(await answer.json())
      return result.protocolVersion
    }
    expect(await agreed('2025-03-26')).toBe('2024-11-05')
    for (const version of ['2025-11-25', '2025-06-18', '2024-11-05']) expect(await agreed(version)).toBe(version)
    for (const version of ['2099-01-01', 'latest', '1']) expect(await agreed(version)).toBe('2025-11-25')
  })

  it('has no stream to open and no session to end', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await fetch(`${server.address}/mcp`, { method })
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'POST'])
    }
  })
})
