import { type PostDocument, type PostRequest, post as postSchema } from '../wire/api/post.ts'
import { type ReviewPageDocument, type ReviewRequest, reviewPage } from '../wire/api/review.ts'
import { retryAfterMs } from '../wire/retry-after.ts'
import type { Doors } from './doors.ts'
import type { Payer } from './payer.ts'
import { refusalIn } from './problem.ts'

interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

async function send(
  { baseUrl, fetch }: Doors,
  path: string,
  body: string,
  paying: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const answer = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...paying },
    body,
    // A signed payment goes to whoever named the price, and to nobody they point at.
    redirect: 'error',
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** Submits a review, signed by `signReview` or without a signature. Free. */
export async function submitReview(client: Doors, review: ReviewRequest): Promise<ReviewPageDocument> {
  const { status, text } = await send(client, '/v1/reviews', JSON.stringify(review))
  if (status !== 200 && status !== 201) throw refusalIn(status, text)
  return reviewPage.parse(JSON.parse(text))
}

export interface PostOptions {
  /** How long to go on asking while the outcome is not known; 10 minutes unless given. */
  readonly mostWaitMs?: number
  readonly sleep?: (ms: number) => Promise<void>
  readonly nowMs?: () => number
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
  client: Doors,
  host: string,
  body: PostRequest,
  payer: Payer,
  options: PostOptions = {},
): Promise<PostDocument> {
  const path = `${payer.rail === 'mpp' ? '/mpp' : ''}/v1/thread/${encodeURIComponent(host)}`
  const letter = JSON.stringify(body)
  const demand = await send(client, path, letter)
  if (demand.status !== 402) throw refusalIn(demand.status, demand.text)
  const paying = await payer.pay(demand.headers)
  return untilKnown(() => send(client, path, letter, paying), options)
}

const SHORTEST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 15_000
const MOST_WAIT_MS = 600_000

async function untilKnown(sendAgain: () => Promise<Reply>, options: PostOptions): Promise<PostDocument> {
  const { mostWaitMs = MOST_WAIT_MS, sleep = pause, nowMs = Date.now } = options
  const untilMs = nowMs() + mostWaitMs
  for (;;) {
    // A lost answer and a pending one are the same to the payer: only the very same request may be sent again.
    const reply = await sendAgain().catch(() => undefined)
    if (reply?.status === 200 || reply?.status === 201) return postSchema.parse(JSON.parse(reply.text))
    if (reply !== undefined && reply.status !== 202) {
      const refused = refusalIn(reply.status, reply.text)
      if (refused.charged !== 'pending') throw refused
    }
    if (nowMs() >= untilMs) throw new UndecidedError(() => untilKnown(sendAgain, options))
    await sleep(pauseMs(reply?.headers.get('retry-after'), nowMs()))
  }
}

const pauseMs = (retryAfter: string | null | undefined, nowMs: number): number =>
  Math.min(Math.max(retryAfterMs(retryAfter, nowMs) ?? SHORTEST_PAUSE_MS, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS)

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
