import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { isJSONRPCNotification } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { Problem } from '../domain/problem.ts'
import { type ProblemSlug, problem } from '../domain/problem-kinds.ts'
import { INVALID_REQUEST, notAMessage, type RpcFault, SERVER_ERROR } from '../wire/bodies/json-rpc.ts'
import { createMcpServer, INITIALIZED_VERSIONS } from './server.ts'
import { answerStateless, refusal } from './stateless.ts'
import { HEADER_MISMATCH, headerFault, STATELESS_VERSION, statelessRequest } from './stateless-message.ts'
import type { ToolDeps } from './tool-deps.ts'

/** Answers each message by itself: no sessions, no streams, nothing kept between two requests. */
export function createMcpHandler(deps: ToolDeps): (request: Request) => Promise<Response> {
  return async (request) => {
    const stateless = await withoutHandshake(deps, request)
    if (stateless !== undefined) return stateless
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    const server = createMcpServer(deps)
    await server.connect(transport)
    try {
      const answer = await transport.handleRequest(request)
      if (answer.status >= 400) throw refused(answer.status, await answer.json())
      return answer
    } finally {
      await server.close()
    }
  }
}

/** The answer to a message of the revision without a handshake; `undefined` for one of the others. */
async function withoutHandshake(deps: ToolDeps, request: Request): Promise<Response | undefined> {
  const version = request.headers.get('mcp-protocol-version')
  const document: unknown = await request.clone().json()
  const message = statelessRequest(document, INITIALIZED_VERSIONS, version)
  if (message === undefined) {
    const isNotice = version === STATELESS_VERSION && isJSONRPCNotification(document)
    return isNotice ? new Response(null, { status: 202 }) : undefined
  }
  const fault = headerFault(message, request.headers)
  const { status, document: answer } =
    fault === undefined
      ? await answerStateless(deps, message)
      : refusal(message, HEADER_MISMATCH, `Header mismatch: ${fault}`)
  return Response.json(answer, { status })
}

const told = z.object({ error: z.object({ message: z.string() }) })

/** What the transport refuses before any tool hears of it, in the form of every other refusal here. */
function refused(status: number, document: unknown): Problem {
  const as = (slug: ProblemSlug, code: RpcFault, detail: string, hint?: string): Problem =>
    problem(slug, detail, { more: notAMessage(code, detail), ...(hint !== undefined && { hint }) })
  if (status === 406) {
    const detail = 'Answers exist as application/json and text/event-stream, and the request does not accept both.'
    return as('not-acceptable', SERVER_ERROR, detail, 'Send Accept: application/json, text/event-stream.')
  }
  const { message } = told.parse(document).error
  if (/protocol version/i.test(message)) {
    const hint = 'Send as MCP-Protocol-Version what the answer to initialize named, or leave it out.'
    return as(
      'bad-request',
      SERVER_ERROR,
      'The header MCP-Protocol-Version names a version that is not spoken here.',
      hint,
    )
  }
  return as(
    'invalid-json',
    INVALID_REQUEST,
    'The body is not one message of JSON-RPC.',
    'Send one JSON-RPC 2.0 message.',
  )
}
