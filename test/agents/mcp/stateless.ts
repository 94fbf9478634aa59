import { expect, it } from 'vitest'

const VERSION = '2026-07-28'
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

type Message = Readonly<Record<string, unknown>>

export const stateless = (
  id: number | string,
  method: string,
  params: Message = {},
  meta: Message = META,
): Message => ({
  ...{ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } },
})

const SUPPORTED = '["2026-07-28","2025-11-25","2025-06-18","2024-11-05","2024-10-07"]'

/** The revision of the protocol without a handshake, byte by byte. */
export function itNeedsNoHandshake(ask: (messages: readonly Message[]) => Promise<readonly string[]>): void {
  it('is discovered, lists its tools for an hour and calls one, each message by itself', async () => {
    const called = { name: 'get_host', arguments: { host: 'api.example.com' } }
    const asked = [stateless('d', 'server/discover'), stateless(2, 'tools/list'), stateless(3, 'tools/call', called)]
    const answers = await ask(asked)
    const [discovered = '', listed = '', host = ''] = answers
    const complete = (id: number | string): string =>
      `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"resultType":"complete",`
    const versions = `"supportedVersions":${SUPPORTED},"capabilities":{"tools":{}},"instructions":"`
    expect(discovered.startsWith(`${complete('d')}${versions}`)).toBe(true)
    expect(listed.startsWith(`${complete(2)}"tools":[{"name":"search_hosts",`)).toBe(true)
    for (const cached of [discovered, listed])
      expect(cached).toContain(
        ',"ttlMs":3600000,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"tollbook","title":"',
      )
    expect(host.startsWith(complete(3))).toBe(true)
    expect(JSON.parse(host)).toMatchObject({ result: { structuredContent: { host: 'api.example.com' } } })
  })

  it('says which versions it speaks, what a request lacks, and that it has no such method', async () => {
    const of = (changed: Message): Message => ({ ...META, ...changed })
    const answers = await ask([
      stateless(1, 'tools/list', {}, of({ 'io.modelcontextprotocol/protocolVersion': '1900-01-01' })),
      stateless(2, 'tools/list', {}, of({ 'io.modelcontextprotocol/clientCapabilities': undefined })),
      stateless(3, 'ping'),
      stateless(4, 'resources/list'),
    ])
    expect(answers).toEqual([
      `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":${SUPPORTED},"requested":"1900-01-01"}}}`,
      '{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"The _meta names no clientCapabilities."}}',
      '{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"Method not found"}}',
      '{"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"Method not found"}}',
    ])
  })
}

/** What the headers say has to be what the body says. */
export function itHoldsHeadersAgainstTheBody(address: () => string): void {
  const send = async (headers: Readonly<Record<string, string>>, message: Message) => {
    const answer = await fetch(`${address()}/mcp`, {
      ...{ method: 'POST', body: JSON.stringify(message) },
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    })
    return [answer.status, answer.headers.get('content-type'), await answer.text()]
  }
  const call = stateless(1, 'tools/call', { name: 'get_events', arguments: { limit: 1 } })
  const right = { 'mcp-protocol-version': VERSION, 'mcp-method': 'tools/call', 'mcp-name': 'get_events' }

  it('takes a name that is encoded, and answers each status as the protocol has it', async () => {
    expect((await send(right, call))[0]).toBe(200)
    const encoded = `=?base64?${Buffer.from('get_events').toString('base64')}?=`
    expect((await send({ ...right, 'mcp-name': encoded }, call))[0]).toBe(200)
    const statusOf = async (message: Message, version = VERSION) =>
      (await send({ 'mcp-protocol-version': version, 'mcp-method': String(message.method) }, message))[0]
    expect(await statusOf(stateless(1, 'ping'))).toBe(404)
    expect(await statusOf(stateless(1, 'tools/list', {}, {}))).toBe(400)
    const old = stateless(1, 'tools/list', {}, { ...META, 'io.modelcontextprotocol/protocolVersion': '1900-01-01' })
    expect(await statusOf(old, '1900-01-01')).toBe(400)
    const notice = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
    expect(await send({ 'mcp-protocol-version': VERSION }, notice)).toEqual([202, null, ''])
  })

  it.each([
    ['mcp-protocol-version', '2025-11-25', 'the header MCP-Protocol-Version is not what the body says'],
    ['mcp-method', 'tools/list', 'the header Mcp-Method is not what the body says'],
    ['mcp-name', 'get_host', 'the header Mcp-Name is not what the body says'],
    ['mcp-protocol-version', undefined, 'the header MCP-Protocol-Version is missing'],
    ['mcp-method', undefined, 'the header Mcp-Method is missing'],
    ['mcp-name', undefined, 'the header Mcp-Name is missing'],
  ])('refuses %s: %s', async (name, value, fault) => {
    const { [name as keyof typeof right]: _, ...others } = right
    const answer = await send(value === undefined ? others : { ...others, [name]: value }, call)
    const error = `{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"Header mismatch: ${fault}"}}`
    expect(answer).toEqual([400, 'application/json', error])
  })
}
