import { z } from 'zod'
import { Problem } from '../../../domain/problem.ts'
import { problem } from '../../../domain/problem-kinds.ts'
import { fullAddress, mcpHref } from '../../../render/site.ts'
import { INVALID_REQUEST, notAMessage, PARSE_ERROR, type RpcFault } from '../../../wire/bodies/json-rpc.ts'
import { PATHS } from '../../../wire/paths.ts'
import { jsonIn, readBody } from '../../body.ts'
import { createEndpoint } from '../../endpoint.ts'
import { type AnswerForm, json, type Parameter } from '../../openapi/operation.ts'
import { PROBLEM_TYPE } from '../../problems.ts'

/** Hop-by-hop and length headers describe the bytes that came, not the request that is handed on. */
const DROPPED = ['connection', 'content-length', 'transfer-encoding', 'expect']

const said = (name: string, description: string): Parameter => ({
  ...{ name, in: 'header', required: false, schema: z.string() },
  description,
})

const refused = (description: string): AnswerForm => ({
  description,
  content: { 'application/json': 'json', [PROBLEM_TYPE]: 'Problem', 'text/html': 'text' },
})

/**
 * One message. It has no session, so there is no stream to open by GET and nothing to end by DELETE: both are answered
 * 405, as the protocol has it.
 */
export const mcpEndpoint = createEndpoint({
  ...{ method: 'post', path: PATHS.mcp, id: 'mcp', tag: 'Agents' },
  summary: 'Model Context Protocol, streamable HTTP without sessions',
  description:
    'One JSON-RPC message per request, answered as JSON; what is none, or a batch of them, is refused with a problem that is a JSON-RPC error, too. Tools read the evidence and prepare reviews and posts; none spends anything. A request from a page of another origin is refused.',
  parameters: [
    {
      ...{ name: 'Accept', in: 'header', required: true, schema: z.string() },
      description: 'application/json, text/event-stream',
    },
    said('MCP-Protocol-Version', 'The revision of the protocol, once it is agreed on or where there is no handshake'),
    said('Mcp-Method', 'Without a handshake: the method of the message'),
    said('Mcp-Name', 'Without a handshake: the tool that is called'),
  ],
  body: { schema: 'json', example: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
  answers: {
    200: json('json', 'The JSON-RPC answer'),
    202: { description: 'A notification was taken' },
    // Of the revision without a handshake, which has statuses of its own.
    400: refused('No message, or one that its own headers and _meta do not fit'),
    404: refused('Without a handshake: the method is not known. Or this directory does not speak the protocol.'),
  },
  problems: ['origin-refused', 'not-acceptable', 'body-too-large', 'unsupported-media-type'],
  handler:
    ({ mcp, site }) =>
    async (context) => {
      const { raw } = context.req
      if (mcp === undefined) throw problem('not-found', 'This directory does not speak the Model Context Protocol.')
      requireOwnOrigin(raw.headers.get('origin'), site.baseUrl)
      const bytes = await readBody(raw)
      requireMessage(raw.headers, bytes)
      const headers = new Headers(raw.headers)
      for (const name of DROPPED) headers.delete(name)
      const answer = await mcp(new Request(fullAddress(site, mcpHref), { method: 'POST', headers, body: bytes }))
      const kept = new Headers(answer.headers)
      kept.set('Cache-Control', 'no-store')
      return new Response(answer.body, { status: answer.status, headers: kept })
    },
})

/** Refusals are in the form of the protocol as well: whoever speaks it looks for no other. */
function requireMessage(headers: Headers, bytes: Uint8Array): void {
  const refused = (code: RpcFault, detail: string): Problem =>
    problem('invalid-json', detail, { more: notAMessage(code, detail) })
  let message: unknown
  try {
    message = jsonIn(headers, bytes)
  } catch (error) {
    if (error instanceof Problem && error.slug === 'invalid-json') throw refused(PARSE_ERROR, error.detail)
    throw error
  }
  // Withdrawn from the protocol, and a way to have many answers for one request of the budget.
  if (Array.isArray(message)) throw refused(INVALID_REQUEST, 'A batch of messages is not taken; send one.')
}

/** A page that a reader has open must not talk to a directory on the reader's own machine (DNS rebinding). */
function requireOwnOrigin(origin: string | null, baseUrl: string): void {
  if (origin === null || origin === new URL(baseUrl).origin) return
  throw problem('origin-refused', 'The request comes from a page of another origin.')
}
