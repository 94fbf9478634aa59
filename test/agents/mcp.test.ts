import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { headersOf, statelessRequest } from '../../src/mcp/stateless-message.ts'
import type { FilledProgram } from '../support/filled-program.ts'
import { ROOT } from '../support/program.ts'
import { startFilled } from './filled.ts'
import { itSpeaksTheProtocol } from './mcp/address.ts'
import { agentForTests } from './mcp/agent.ts'
import { itPrepares } from './mcp/preparing.ts'
import { itReads } from './mcp/reading.ts'
import { itIsRefused } from './mcp/refused.ts'
import { itSearches } from './mcp/searching.ts'
import { itHoldsHeadersAgainstTheBody, itNeedsNoHandshake } from './mcp/stateless.ts'

const execFileAsync = promisify(execFile)

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

describe.each<[string, () => Transport]>([
  ['streamable HTTP', overHttp],
  ['stdio over the local store', () => onStdio()],
  ['stdio to a directory elsewhere', () => onStdio('--to', server.address)],
])('the official MCP client on %s', (_, transport) => {
  const agent = agentForTests(() => server.address, transport)
  itSearches(agent)
  itReads(agent)
  itIsRefused(agent)
  itPrepares(agent)
})

describe.each([
  ['the local store', []],
  ['a directory elsewhere', ['--to']],
])('MCP on stdio, from %s', (_, words) => {
  it('answers lines that are no message, and goes on to the last one, which no line feed ends', async () => {
    const args = [resolve(ROOT, 'bin/tollbook.js'), 'mcp', ...words.flatMap((word) => [word, server.address])]
    const env = { ...server.env, PATH: process.env.PATH ?? '', BASE_URL: server.address }
    const program = execFileAsync(process.execPath, args, { env })
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    const last = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' })
    program.child.stdin?.end(`{\n[${ping}]\n${ping}\n${last}`)
    const { stdout, stderr } = await program
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
    expect(lines).toMatchObject([
      { jsonrpc: '2.0', id: null, error: { code: -32_700 } },
      { jsonrpc: '2.0', id: null, error: { code: -32_600 } },
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 2, result: {} },
    ])
    expect(stderr).not.toContain('did not answer')
  })
})

describe.each([
  ['the local store', []],
  ['a directory elsewhere', ['--to']],
])('MCP without a handshake on stdio, from %s', (_, words) => {
  itNeedsNoHandshake(async (messages) => {
    const args = [resolve(ROOT, 'bin/tollbook.js'), 'mcp', ...words.flatMap((word) => [word, server.address])]
    const env = { ...server.env, PATH: process.env.PATH ?? '', BASE_URL: server.address }
    const program = execFileAsync(process.execPath, args, { env })
    program.child.stdin?.end(messages.map((message) => `${JSON.stringify(message)}\n`).join(''))
    const lines = (await program).stdout.trimEnd().split('\n')
    // In the order in which they are ready.
    const idOf = (line: string): unknown => JSON.parse(line).id
    return messages.map(({ id }) => lines.find((line) => idOf(line) === id) ?? '')
  })
})

describe('MCP without a handshake over HTTP', () => {
  itNeedsNoHandshake((messages) =>
    Promise.all(
      messages.map(async (message) => {
        const read = statelessRequest(message, [])
        const headers = {
          ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
          ...(read && headersOf(read)),
        }
        return (await fetch(`${server.address}/mcp`, { method: 'POST', headers, body: JSON.stringify(message) })).text()
      }),
    ),
  )
  itHoldsHeadersAgainstTheBody(() => server.address)
})

it('says on stdio what a directory elsewhere refuses, in its words', async () => {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(onStdio('--to', server.address))
  const asked = client.callTool({ name: 'get_host', arguments: { host: 'x'.repeat(20_000) } }).catch(String)
  expect(await asked.finally(() => client.close())).toMatch(/Body too large: .* Send a shorter body\./)
})

describe('the address of MCP', () => itSpeaksTheProtocol(() => server))
