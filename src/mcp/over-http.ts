import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { createMcpServer } from './server.ts'
import type { ToolDeps } from './tool-deps.ts'

/** Answers each message by itself: no sessions, no streams, nothing kept between two requests. */
export function createMcpHandler(deps: ToolDeps): (request: Request) => Promise<Response> {
  return async (request) => {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    const server = createMcpServer(deps)
    await server.connect(transport)
    try {
      return await transport.handleRequest(request)
    } finally {
      await server.close()
    }
  }
}
