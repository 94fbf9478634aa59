import { expect, it } from 'vitest'
import { z } from 'zod'
import type { FilledProgram } from '../../support/filled-program.ts'

/** The address as whoever writes the messages himself finds it. */
export function itSpeaksTheProtocol(server: () => FilledProgram): void {
  const send = (headers: Record<string, string>, body: string) =>
    fetch(`${server().address}/mcp`, {
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
    expect((await send({ origin: server().address }, LIST)).status).toBe(200)
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
      ['"ping"', -32_600],
      ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32_600],
      ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32_600],
      [LIST, -32_000, { accept: 'application/json' }, 406],
      [LIST, -32_000, { 'mcp-protocol-version': '1' }],
    ] as const
    for (const [body, code, headers = {}, status = 400] of faults) {
      const answer = await send(headers, body)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        status,
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
      const answer = await fetch(`${server().address}/mcp`, { method })
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'POST'])
    }
  })
}
