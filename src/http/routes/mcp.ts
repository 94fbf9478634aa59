import { problem } from '../../domain/problem-kinds.ts'
import { jsonIn, readBody } from '../body.ts'
import type { Handler, Services } from '../call.ts'

/** Hop-by-hop and length headers describe the bytes that came, not the request that is handed on. */
const DROPPED = ['connection', 'content-length', 'transfer-encoding', 'expect']

/**
 * `POST /mcp`: one message of the Model Context Protocol. It has no session, so there is no stream to open by GET and
 * nothing to end by DELETE: both are answered 405, as the protocol has it.
 */
export const mcpRoute =
  ({ mcp, site }: Services): Handler =>
  async (context) => {
    const { raw } = context.req
    if (mcp === undefined) throw problem('not-found', 'This directory does not speak the Model Context Protocol.')
    requireOwnOrigin(raw.headers.get('origin'), site.baseUrl)
    const bytes = await readBody(raw)
    const message = jsonIn(raw.headers, bytes)
    // Withdrawn from the protocol, and a way to have many answers for one request of the budget.
    if (Array.isArray(message)) throw problem('invalid-json', 'A batch of messages is not taken; send one.')
    const headers = new Headers(raw.headers)
    for (const name of DROPPED) headers.delete(name)
    const answer = await mcp(new Request(`${site.baseUrl}/mcp`, { method: 'POST', headers, body: bytes }))
    const kept = new Headers(answer.headers)
    kept.set('Cache-Control', 'no-store')
    return new Response(answer.body, { status: answer.status, headers: kept })
  }

/** A page that a reader has open must not talk to a directory on the reader's own machine (DNS rebinding). */
function requireOwnOrigin(origin: string | null, baseUrl: string): void {
  if (origin === null || origin === new URL(baseUrl).origin) return
  throw problem('origin-refused', 'The request comes from a page of another origin.')
}
