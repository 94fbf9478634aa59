import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { Problem } from '../../domain/problem.ts'
import { problem } from '../../domain/problem-kinds.ts'
import { allowedAt } from '../allowed.ts'
import { EVERY_ANSWER, toResponse, writeAnswer } from '../answer.ts'
import { createApp } from '../app.ts'
import { KEEP_ALIVE } from '../cache/send-known.ts'
import type { Call } from '../call.ts'
import { hasCredential, type Paying, withCharged } from '../charged.ts'
import { compressedAtOnce } from '../compressed.ts'
import { Budgets } from '../limits/budgets.ts'
import { asProblem, problemAnswer } from '../problems.ts'
import { loggedClient } from './client-address.ts'
import { targetFault } from './edges.ts'
import { isGone } from './gone.ts'
import type { Head } from './head.ts'
import { KnownHeads } from './known-heads.ts'
import type { ListenerOptions } from './options.ts'
import { requestIds } from './request-id.ts'
import { createServices } from './services.ts'

export type Expectation = 'none' | 'continue' | 'unknown'

export interface Unread {
  readonly id: string
  readonly told: Problem
}

export interface Listener {
  handle(incoming: IncomingMessage, outgoing: ServerResponse, expects: Expectation): void
  nextId(given?: string): string
  /** Whether an answer on this connection is still being made. */
  isAnswering(socket: object): boolean
  /** Whether the last answer of this connection is a refusal that was made already: nothing after it is read. */
  isRefused(socket: object): boolean
  /**
   * The id of the request whose body is still on its way, and `found` as it is told to it. `undefined` when a part of its
   * answer is sent, or an earlier request is still to be answered: then nobody could tell the answers apart.
   */
  unread(socket: object, found: Problem): Unread | undefined
  /** From now on every answer closes its connection. */
  retire(): void
  /** What the cache holds. */
  cacheBytes(): number
}

/** How long a refused request may go on sending its body while it reads the answer. */
const LINGER_MS = 500
const LONGEST_LOGGED_PATH = 512
/** Longer than event streams are silent. */
const STALLED_MS = 20_000
/** What logs and metrics call an answer whose client was gone before its end; never sent. */
const CLIENT_LEFT = 499

/** What happens to a request, in this order: edges, budget, cached bytes, application. */
export function createListener(options: ListenerOptions): Listener {
  const { site, log, nowMs, shared, stalledMs = STALLED_MS } = options
  const budgets =
    options.limits === null ? null : new Budgets(options.limits.reads, nowMs, options.trusted, shared?.limits)
  const nextId = requestIds(options.random)
  const services = createServices(options, nextId)
  const { cache, front, streams, clientOf, onTrouble } = services
  const app = createApp(services)
  const answering = new WeakMap<object, number>()
  const newest = new WeakMap<object, { incoming: IncomingMessage; outgoing: ServerResponse; id: string }>()
  const closing = new WeakSet<object>()
  const heads = new KnownHeads()
  // Looked at once: a log line that is not written must not cost a cached answer an object.
  const debugging = log.isLevelEnabled('debug')
  let retired = false

  const track = (incoming: IncomingMessage, outgoing: ServerResponse, { id, head }: Call): void => {
    const { socket, method } = incoming
    const startedMs = nowMs()
    socket.setTimeout(stalledMs)
    const client = loggedClient(options.logClients ?? 'none', clientOf(incoming, head))
    answering.set(socket, (answering.get(socket) ?? 0) + 1)
    newest.set(socket, { incoming, outgoing, id })
    outgoing.once('close', () => {
      answering.set(socket, (answering.get(socket) ?? 1) - 1)
      const ms = Math.round((nowMs() - startedMs) * 10) / 10
      const status = outgoing.writableFinished ? outgoing.statusCode : CLIENT_LEFT
      options.onAnswer?.(method ?? '', status, ms)
      const path = loggedPath(incoming)
      const aborted = outgoing.writableFinished ? {} : { aborted: true }
      log.info({ request_id: id, method, path, status, ms, ...client, ...aborted }, 'request')
    })
  }

  const refuse = (incoming: IncomingMessage, outgoing: ServerResponse, call: Call, found: Problem): void => {
    const asked = { requestId: call.id, accept: call.head.accept, format: null }
    closing.add(incoming.socket)
    outgoing.removeHeader('Keep-Alive')
    outgoing.setHeader('Connection', 'close')
    // A budget is spent by when a request comes: nobody has looked yet whether an earlier copy of it was charged.
    const told = withCharged(payingOf(incoming), found, found.status === 429)
    const answer = problemAnswer(site, told, asked)
    writeAnswer(outgoing, compressedAtOnce(call.head, answer), incoming.method)
    endAfterBody(incoming, outgoing, call.head)
  }

  const run = (incoming: IncomingMessage, outgoing: ServerResponse, call: Call): void => {
    const fail = (error: unknown): Response => {
      const known = withCharged(
        payingOf(incoming),
        error instanceof RequestError ? problem('bad-request', 'The address is not readable.') : asProblem(error),
        !(error instanceof RequestError),
      )
      if (known.status >= 500 && !isGone(incoming)) onTrouble(error, call.id)
      const answer = problemAnswer(site, known, { requestId: call.id, accept: call.head.accept, format: null })
      return toResponse(compressedAtOnce(call.head, answer))
    }
    const serve = getRequestListener((request) => app.fetch(request, { incoming, outgoing, call }), {
      // HTTP/1.0 may come without a Host; ours is never taken from the request.
      hostname: 'localhost',
      overrideGlobalObjects: false,
      errorHandler: fail,
    })
    serve(incoming, outgoing).catch((error: unknown) => {
      if (!isGone(incoming)) onTrouble(error, call.id)
      outgoing.destroy()
    })
  }

  return {
    nextId,
    isAnswering: (socket) => (answering.get(socket) ?? 0) > 0,
    isRefused: (socket) => closing.has(socket),
    unread: (socket, found) => {
      const one = answering.get(socket) === 1 ? newest.get(socket) : undefined
      if (one === undefined || one.incoming.complete || one.outgoing.headersSent) return undefined
      // Nothing was done about it. What came too slowly may have come in full before: nobody has looked whether that was charged.
      return { id: one.id, told: withCharged(payingOf(one.incoming), found, found.status === 408) }
    },
    retire: () => {
      retired = true
      streams.close()
    },
    cacheBytes: () => cache.bytes,
    handle: (incoming, outgoing, expects) => {
      const { head, fault } = heads.read(incoming)
      const target = incoming.url ?? ''
      const budget = fault === undefined ? budgets?.take(incoming, head) : undefined
      const broke = budget && budgets?.overspent(budget, incoming)
      if (fault === undefined && broke === undefined && !retired && expects !== 'unknown') {
        if (front.answer(incoming, outgoing, head)) {
          const { method, socket } = incoming
          // Taken whole, as nearly always, it cannot stall: a timer on every connection would cost a twentieth (measured).
          if (outgoing.socket === null || socket.writableLength > 0) socket.setTimeout(stalledMs)
          options.onAnswer?.(method ?? '', outgoing.statusCode, null)
          if (debugging) log.debug({ method, path: loggedPath(incoming), status: outgoing.statusCode }, 'cached')
          return
        }
      }
      // Whatever follows a refused request on its connection is not acted on: nobody would hear the answer.
      if (closing.has(incoming.socket)) return
      const call = { id: nextId(head.requestId), head }
      if (retired) outgoing.shouldKeepAlive = false
      if (outgoing.shouldKeepAlive) outgoing.setHeader('Keep-Alive', KEEP_ALIVE)
      outgoing.setHeader('X-Request-Id', call.id)
      for (const [name, value] of Object.entries(EVERY_ANSWER)) outgoing.setHeader(name, value)
      if (budget !== undefined) budgets?.announce(outgoing, budget)
      track(incoming, outgoing, call)
      const refused = fault ?? broke ?? traceFault(incoming) ?? targetFault(target, head) ?? expectationFault(expects)
      if (refused !== undefined) return refuse(incoming, outgoing, call, refused)
      // A scheme may be in capitals; the application knows it in small letters alone.
      if (!target.startsWith('/')) incoming.url = target.replace(/^https?/i, (scheme) => scheme.toLowerCase())
      if (expects === 'continue') outgoing.writeContinue()
      run(incoming, outgoing, call)
    },
  }
}

const payingOf = ({ method, url, headers }: IncomingMessage): Paying => ({
  method,
  target: url,
  hasCredential: hasCredential(Object.keys(headers)),
})

/** Without the query, which may hold what is nobody else's business. */
const loggedPath = (incoming: IncomingMessage): string | undefined =>
  incoming.url?.split('?', 1)[0]?.slice(0, LONGEST_LOGGED_PATH)

/** The application cannot be asked: the form in which it takes requests knows no TRACE. */
const traceFault = ({ method, url = '' }: IncomingMessage): Problem | undefined =>
  method === 'TRACE'
    ? problem('method-not-allowed', 'TRACE is not answered.', { headers: { Allow: allowedAt(url) } })
    : undefined

const expectationFault = (expects: Expectation): Problem | undefined =>
  expects === 'unknown' ? problem('expectation-failed', 'The Expect header asks for something unknown.') : undefined

/** Ends an answer that was written in full once the client has stopped sending, or has had time to. */
function endAfterBody(incoming: IncomingMessage, outgoing: ServerResponse, head: Head): void {
  if (!head.chunked && Number(head.contentLength ?? 0) === 0) {
    outgoing.end()
    return
  }
  const timer = setTimeout(() => outgoing.end(), LINGER_MS)
  incoming.once('end', () => {
    clearTimeout(timer)
    outgoing.end()
  })
  incoming.once('error', () => clearTimeout(timer))
  incoming.resume()
}
