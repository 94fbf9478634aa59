import type { AppContext, Handler } from '../call.ts'
import { etagMatches, etagOf } from './etag.ts'

/** What describes bytes that are not sent. */
const OF_BYTES = ['Content-Type', 'Content-Length', 'Content-Encoding']

/**
 * Gives answers that were made whole for one request alone the tag of their bytes, and leaves the bytes out where whoever asks
 * has them. Cached pages have theirs and were sent before; a stream has none, for its end is not known when it begins.
 */
export const tagged =
  (handler: Handler): Handler =>
  async (context: AppContext): Promise<Response> => {
    const answer = await handler(context)
    const { status, headers } = answer
    if (status !== 200 || !headers.has('Content-Length') || headers.get('Cache-Control') === 'no-store') return answer
    const bytes = new Uint8Array(await answer.arrayBuffer())
    const etag = etagOf(bytes)
    const kept = new Headers(headers)
    kept.set('ETag', etag)
    const { ifNoneMatch } = context.env.call.head
    if (ifNoneMatch === undefined || !etagMatches(ifNoneMatch, etag)) return new Response(bytes, { headers: kept })
    for (const name of OF_BYTES) kept.delete(name)
    return new Response(null, { status: 304, headers: kept })
  }
