import { z } from 'zod'
import { Problem } from '../../../domain/problem.ts'
import { problem } from '../../../domain/problem-kinds.ts'
import { fullAddress, mcpHref } from '../../../render/site.ts'
import { INVALID_REQUEST, notAMessage, PARSE_ERROR } from '../../../wire/bodies/json-rpc.ts'
import { PATHS } from '../../../wire/paths.ts'
import { jsonAnswer, toResponse } from '../../answer.ts'
import { jsonIn, readBody } from '../../body.ts'
import { createEndpoint } from '../../endpoint.ts'
import { json } from '../../openapi/operation.ts'

/** Hop-by-hop and length headers describe the bytes that came, not the request that is handed on. */
const DROPPED = ['connection', 'content-length', 'transfer-encoding', 'expect']

/**
 * One message. It has no session, so there is no stream to open by GET and nothing to end by DELETE: both are answered
 * 405, as the protocol has it.
 */
export const mcpEndpoint = createEndpoint({
  ...{ method: 'post', path: PATHS.mcp, id: 'mcp', tag: 'Agents' },
  summary: 'Model Context Protocol, streamable HTTP without sessions',
  description:
    'One JSON-RPC message per request, answered as JSON; what is none, or a batch of them, is answered 400 with a JSON-RPC error. Tools read the evidence and prepare reviews and posts; none spends anything. A request from a page of another origin is refused.',
  parameters: [
    {
      ...{ name: 'Accept', in: 'header', required: true, schema: z.string() },
      description: 'application/json, text/event-stream',
    },
  ],
  body: { schema: 'json', example: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
  answers: {
    200: json('json', 'The JSON-RPC answer'),
    202: { description: 'A notification was taken' },
  },
  problems: ['origin-refused', 'body-too-large', 'unsupported-media-type', 'rate-limited'],
  handler:
    ({ mcp, site }) =>
    async (context) => {
      const { raw } = context.req
      if (mcp === undefined) throw problem('not-found', 'This directory does not speak the Model Context Protocol.')
      requireOwnOrigin(raw.headers.get('origin'), site.baseUrl)
      const bytes = await readBody(raw)
      const fault = faultOf(raw.headers, bytes)
      if (fault !== undefined) return toResponse(jsonAnswer(400, fault, { 'Cache-Control': 'no-store' }))
      const headers = new Headers(raw.headers)
      for (const name of DROPPED) headers.delete(name)
      const answer = await mcp(new Request(fullAddress(site, mcpHref), { method: 'POST', headers, body: bytes }))
      const kept = new Headers(answer.headers)
      kept.set('Cache-Control', 'no-store')
      return new Response(answer.body, { status: answer.status, headers: kept })
    },
})

/** In the form of the protocol: whoever speaks it reads no other. */
function faultOf(headers: Headers, bytes: Uint8Array): object | undefined {
  try {
    // Withdrawn from the protocol, and a way to have many answers for one request of the budget.
    return Array.isArray(jsonIn(headers, bytes))
      ? notAMessage(INVALID_REQUEST, 'A batch of messages is not taken; send one.')
      : undefined
  } catch (error) {
    if (error instanceof Problem && error.slug === 'invalid-json') return notAMessage(PARSE_ERROR, error.detail)
    throw error
  }
}

/** A page that a reader has open must not talk to a directory on the reader's own machine (DNS rebinding). */
function requireOwnOrigin(origin: string | null, baseUrl: string): void {
  if (origin === null || origin === new URL(baseUrl).origin) return
  throw problem('origin-refused', 'The request comes from a page of another origin.')
}
