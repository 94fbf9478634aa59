import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { createMcpServer } from './server.ts'
import type { McpWorld } from './world.ts'

/** Answers each message by itself: no sessions, no streams, nothing kept between two requests. */
export function mcpOverHttp(world: McpWorld): (request: Request) => Promise<Response> {
  return async (request) => {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    const server = createMcpServer(world)
    await server.connect(transport)
    try {
      return await transport.handleRequest(request)
    } finally {
      await server.close()
    }
  }
}
