import type { PostDocument, PostRequest } from '../wire/api/post.ts'
import type { ReviewPageDocument, ReviewRequest } from '../wire/api/review.ts'
import { fillPath, PAID_THREAD_PATHS, PATHS } from '../wire/paths.ts'
import { retryAfterMs } from '../wire/retry-after.ts'
import { straight } from '../wire/straight.ts'
import type { Outline } from './answers/outline.ts'
import { post as posted, reviewPage } from './answers/outlines.ts'
import { documentIn, textIn } from './answers/read.ts'
import type { Connection } from './connection.ts'
import { type Payer, type Price, type Quote, UnpaidError } from './payer.ts'
import { noAnswerOf, type RefusedError, refusalIn } from './problem.ts'

interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

async function send(
  { baseUrl, fetch }: Connection,
  path: string,
  body: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  try {
    // A signed payment goes to whoever named the price, and to nobody they point at.
    const answer = await straight(fetch, `${baseUrl}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...more },
      body,
    })
    return { status: answer.status, headers: answer.headers, text: await textIn(answer) }
  } catch (error) {
    throw noAnswerOf(baseUrl, error)
  }
}

const isDone = ({ status }: Reply): boolean => status === 200 || status === 201

/** Sends what costs nothing, and reads what was stored. Rejects with what is refused. */
export async function submit<T>(
  client: Connection,
  outline: Outline<T>,
  path: string,
  body: object,
): Promise<{ readonly document: T; readonly isNew: boolean }> {
  const reply = await send(client, path, JSON.stringify(body))
  if (!isDone(reply)) throw refusalIn(reply.status, reply.text)
  return { document: documentIn(outline, reply.status, reply.text), isNew: reply.status === 201 }
}

/** A review as it is stored. */
export interface SubmittedReview {
  readonly review: ReviewPageDocument
  /** False: the same wallet had sent the same review before. */
  readonly isNew: boolean
}

/** Submits a review, signed by `signReview` or without a signature. Free. */
export async function submitReview(client: Connection, review: ReviewRequest): Promise<ReviewPageDocument> {
  return (await sendReview(client, review)).review
}

/** As `submitReview`, and says whether it was new. */
export async function sendReview(client: Connection, review: ReviewRequest): Promise<SubmittedReview> {
  const { document, isNew } = await submit(client, reviewPage, PATHS.reviews, review)
  return { review: document, isNew }
}

export interface PostOptions {
  /** How long to go on asking while the outcome is not known; 10 minutes unless given. */
  readonly mostWaitMs?: number
  readonly sleep?: (ms: number) => Promise<void>
  readonly nowMs?: () => number
  /** Told why the same is sent again. */
  readonly onWait?: (reason: string) => void
}

/** Your own name for a post, 1 to 255 characters of one line: however often it is signed anew, it is paid for once under it. */
export interface PostName {
  readonly idempotencyKey?: string | undefined
}

/** The payment was handed over and its outcome is still not known. Sending the same again never charges twice. */
export class UndecidedError extends Error {
  override readonly name = 'UndecidedError'
  constructor(
    /** Sends the very same request again. */
    readonly again: () => Promise<PostDocument>,
  ) {
    super('the outcome of the payment is not known yet; call again() and never pay anew')
  }
}

/** Pays for a post and stays until its outcome is known. Signs at most one payment. */
export async function post(
  client: Connection,
  host: string,
  body: PostRequest,
  payer: Payer,
  options: PostOptions & PostName = {},
): Promise<PostDocument> {
  try {
    return await (await quotePost(client, host, body, payer, options)).pay(options)
  } catch (error) {
    if (error instanceof SentBeforeError) return error.again(options)
    throw error
  }
}

/** The same signed message, or one of the same name, was sent before: it is paid for, or may be, and no payment is asked for again. */
export class SentBeforeError extends Error {
  override readonly name = 'SentBeforeError'
  constructor(
    /** Stays until the outcome of the earlier payment is known. Pays nothing. */
    readonly again: (options?: PostOptions) => Promise<PostDocument>,
  ) {
    super('this message was sent before; call again() for what became of it')
  }
}

/** A post that the directory would take, and what it costs. Nothing is signed or paid yet. */
export interface QuotedPost extends Price {
  /** Pays and stays until the outcome is known. However often it is called, one payment is signed. */
  pay(options?: PostOptions): Promise<PostDocument>
}

/** Asks what a post costs, so that somebody can agree to it. Rejects with `SentBeforeError` when it has cost it before. */
export async function quotePost(
  client: Connection,
  host: string,
  body: PostRequest,
  payer: Payer,
  { idempotencyKey }: PostName = {},
): Promise<QuotedPost> {
  const path = fillPath(PAID_THREAD_PATHS[payer.rail], { host }, encodeURIComponent)
  const letter = JSON.stringify(body)
  const named = idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }
  const demand = await send(client, path, letter, named)
  if (isDone(demand) || demand.status === 202) {
    throw new SentBeforeError((options = {}) => untilKnown(() => send(client, path, letter, named), options))
  }
  if (demand.status !== 402) throw refusalIn(demand.status, demand.text)
  const quote = await payer.quote(demand.headers)
  const { price, network, asset, payee } = quote
  let signing: ReturnType<Quote['sign']> | undefined
  return {
    ...{ price, network, asset, payee },
    pay: async (options = {}) => {
      signing ??= signed(quote)
      const paying = await signing
      return untilKnown(() => send(client, path, letter, { ...named, ...paying }), options)
    },
  }
}

/** Libraries fail in their own words, which may name a node's address and its key. */
async function signed(quote: Quote): ReturnType<Quote['sign']> {
  try {
    return await quote.sign()
  } catch (error) {
    if (error instanceof UnpaidError) throw error
    const hint = 'check the balance and the node'
    throw new UnpaidError('the payment could not be made ready; nothing was charged', hint, { cause: error })
  }
}

const SHORTEST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 15_000
const MOST_WAIT_MS = 600_000

async function untilKnown(sendAgain: () => Promise<Reply>, options: PostOptions): Promise<PostDocument> {
  const { mostWaitMs = MOST_WAIT_MS, sleep = pause, nowMs = Date.now, onWait } = options
  const untilMs = nowMs() + mostWaitMs
  // Pauses count beside the clock, which somebody may set back.
  for (let pausedMs = 0; ; ) {
    // A lost answer and a pending one are the same to the payer: only the very same request may be sent again.
    const reply = await sendAgain().catch(() => undefined)
    if (reply && isDone(reply)) return documentIn(posted, reply.status, reply.text)
    const refused = reply && refusalIn(reply.status, reply.text)
    if (refused && isDecided(refused)) throw refused
    if (nowMs() >= untilMs || pausedMs >= mostWaitMs) throw new UndecidedError(() => untilKnown(sendAgain, options))
    onWait?.(reply === undefined ? 'no answer' : `HTTP ${reply.status}, the payment is not decided yet`)
    const ms = pauseMs(reply?.headers.get('retry-after'), nowMs())
    await sleep(ms)
    pausedMs += ms
  }
}

/**
 * Whether a refusal ends the matter. What a proxy answers does not say whether money moved, and whoever asks too often or
 * meets a server in trouble is refused before anybody looked for the payment: an earlier copy may have been charged.
 */
const isDecided = ({ status, charged }: RefusedError): boolean =>
  typeof charged === 'boolean' && status >= 400 && status < 500 && ![408, 425, 429].includes(status)

const pauseMs = (retryAfter: string | null | undefined, nowMs: number): number =>
  Math.min(Math.max(retryAfterMs(retryAfter, nowMs) ?? SHORTEST_PAUSE_MS, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS)

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
