import { createServer } from 'node:http'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { Mppx, Transport, tempo } from 'mppx/server'
import { portOf } from '../../sandbox/local/local-server.ts'
import { route, type SampleRoute, type SampleSeller, seller } from '../../sandbox/shop/seller.ts'
import { fetchFrom } from './fetch-from.ts'
import type { GuardWorld } from './world.ts'

/** Where these sellers sell, and the tool of each rail. */
export const MCP_PATH = '/mcp'
export const TOOLS = { x402: 'quote-by-x402', mpp: 'quote-by-mpp' } as const

const selling = (name: string, asks: string): SampleSeller =>
  seller(name, [route('POST', MCP_PATH, asks, [], { rails: ['x402', 'mpp'] })])
/** Both are remembered for a price of 0.01. */
export const MCP_SELLERS = { honest: selling('mcp-honest', '0.01'), liar: selling('mcp-liar', '0.05') } as const

const SOLD: CallToolResult = { content: [{ type: 'text', text: 'sold' }] }

/** Sellers of tools, over HTTP, each by its name. */
export async function openMcpSellers(world: GuardWorld) {
  const http = createServer(async (request, response) => {
    const found = Object.values(MCP_SELLERS).find(({ host }) => host === request.headers.host)
    const [sold] = found?.routes ?? []
    if (found === undefined || sold === undefined) return void response.writeHead(404).end()
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
    await mcpServer(world, found, sold).connect(transport)
    await transport.handleRequest(request, response)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    fetch: fetchFrom(portOf(http.address())),
    stop: () =>
      new Promise<void>((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
}

function mcpServer(world: GuardWorld, found: SampleSeller, sold: SampleRoute): Server {
  const server = new Server({ name: found.host, version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { _meta }) =>
    params.name === TOOLS.mpp ? byMpp(world, found, sold, _meta) : byX402(world, found, sold, _meta),
  )
  return server
}

type Meta = Readonly<Record<string, unknown>> | undefined

/** With the rail's own kit. */
async function byMpp({ gates }: GuardWorld, found: SampleSeller, { asks }: SampleRoute, _meta: Meta) {
  const { chain, secretKey, payeeOf } = gates.mppx
  const charge = { currency: chain.currency, recipient: payeeOf(found), getClient: () => chain.client }
  const kit = Mppx.create({
    ...{ realm: found.host, secretKey, transport: Transport.mcpSdk() },
    methods: [tempo.charge({ ...charge, supportedModes: ['pull'] })],
  })
  const answer = await kit.tempo.charge({ amount: asks })({ ...(_meta && { _meta }) })
  if (answer.status === 402) throw answer.challenge
  return answer.withReceipt(SOLD)
}

/** As the protocol's text on this transport has it: the demand is the tool's result, the payment comes as `_meta`. */
async function byX402({ gates }: GuardWorld, found: SampleSeller, sold: SampleRoute, meta: Meta) {
  const url = `http://${found.host}${MCP_PATH}`
  const payment = meta?.['x402/payment']
  const paid = payment && (await gates.x402.take(found, sold, url, encode(payment)))
  if (paid) return SOLD
  const { headers } = await gates.x402.demand(found, sold, url)
  const text = Buffer.from(headers['PAYMENT-REQUIRED'] ?? '', 'base64').toString()
  return { isError: true, structuredContent: JSON.parse(text), content: [{ type: 'text' as const, text }] }
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')
