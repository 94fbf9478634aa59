import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { BLOCKS } from '../docs/blocks.ts'
import { temporaryFolder } from '../support/engines.ts'
import { ROOT } from '../support/program.ts'
import { MCP_PATH, MCP_SELLERS, openMcpSellers, TOOLS } from './mcp-sellers.ts'
import { type GuardWorld, guardWorld } from './world.ts'

const PROGRAMS = BLOCKS.filter(({ text }) => text.includes('createGuard('))
const SDK = 'node_modules/@modelcontextprotocol/sdk/dist/esm/client'
const PLACES: Readonly<Record<string, string>> = {
  '@modelcontextprotocol/sdk/client/index.js': `${SDK}/index.js`,
  '@modelcontextprotocol/sdk/client/streamableHttp.js': `${SDK}/streamableHttp.js`,
  'mppx/mcp/client': 'node_modules/mppx/dist/mcp/client/index.js',
  'tollbook/guard': 'src/client/guard/index.ts',
  '@x402/fetch': 'node_modules/@x402/fetch/dist/esm/index.mjs',
  '@x402/evm/exact/client': 'node_modules/@x402/evm/dist/esm/exact/client/index.mjs',
  'mppx/client': 'node_modules/mppx/dist/client/index.js',
  'viem/accounts': 'node_modules/viem/_esm/accounts/index.js',
}
const MCP_HOST = MCP_SELLERS.honest.host
/** What stands for the seller of each program. */
const SOLD: Readonly<Record<string, string>> = {
  'https://mcp.example.com/mcp': `http://${MCP_HOST}${MCP_PATH}`,
  "fetchPaid('https://api.example.com/v1/x'": "fetchPaid('http://weather.seller.test/v1/now'",
  "mppx.fetch('https://api.example.com/v1/x'": "mppx.fetch('http://translate.seller.test/translate'",
  "name: 'quote'": `name: '${TOOLS.mpp}'`,
}

let world: GuardWorld
let tools: Awaited<ReturnType<typeof openMcpSellers>>
const folder = temporaryFolder()
beforeAll(async () => {
  world = await guardWorld([
    { host: 'weather.seller.test', method: 'GET', path: '/v1/now', rail: 'x402', price: 10_000 },
    { host: 'translate.seller.test', method: 'POST', path: '/translate', rail: 'mpp', price: 5_000 },
    { host: MCP_HOST, method: 'POST', path: MCP_PATH, rail: 'mpp', price: 10_000 },
  ])
  tools = await openMcpSellers(world)
}, 120_000)
afterAll(async () => {
  vi.unstubAllGlobals()
  rmSync(folder, { recursive: true, force: true })
  await tools?.stop()
  await world?.stop()
})

it('begins with ten lines, and has a program for each rail, for MCP and for reports', () => {
  expect(PROGRAMS.map(({ file }) => file)).toEqual(Array(4).fill('docs/guard.md'))
  expect(PROGRAMS[0]?.text.split('\n').length).toBe(10)
})

/** Requests to sellers go to those of this machine. */
const toSellers =
  (real: typeof fetch): typeof fetch =>
  (input, init) => {
    const { hostname } = new URL(input instanceof Request ? input.url : input)
    if (hostname === MCP_HOST) return tools.fetch(input, init)
    return hostname.endsWith('.seller.test') ? world.fetch(input, init) : real(input, init)
  }

it.each(PROGRAMS.map(({ text }, at) => ({ text, at })))('works when pasted: $text', async ({ text, at }) => {
  const key = generatePrivateKey()
  await world.fund(key)
  const program = Object.entries(SOLD)
    .reduce((changed, [printed, local]) => changed.replace(printed, local), text)
    .replace('https://tollbook.example', world.directory)
    .replace("'0x…'", JSON.stringify(key))
    // The chain of this machine in place of the public one.
    .replace('tempo.charge({ account })', 'tempo.charge({ account, getClient: () => globalThis.tempoClient })')
    .replaceAll(/from '([^']+)'/g, (_, name: string) => `from '${join(ROOT, PLACES[name] ?? name)}'`)
  const file = join(folder, `program-${at}.ts`)
  writeFileSync(file, `${program}\nexport { answer }\n`)
  vi.stubGlobal('fetch', toSellers(globalThis.fetch))
  vi.stubGlobal('tempoClient', world.tempo.client)
  try {
    const { answer } = await import(file)
    expect(answer instanceof Response ? answer.status : answer.content).toEqual(
      text.includes('callTool') ? [{ type: 'text', text: 'sold' }] : 200,
    )
  } finally {
    vi.unstubAllGlobals()
  }
})
