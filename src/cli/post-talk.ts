import { z } from 'zod'
import { Problem } from '../domain/problem.ts'
import { retryAfterMs } from '../wire/retry-after.ts'

/** One request, sent again unchanged as often as needed. */
export interface Letter {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** How an endpoint of a thread has answered; the body is read. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Ways out of this program. */
export interface TalkDoors {
  fetch: typeof globalThis.fetch
  nowMs(): number
  sleep(ms: number): Promise<void>
}

const DEADLINE_MS = 60_000

export async function send({ fetch }: TalkDoors, { url, headers, body }: Letter): Promise<Reply> {
  const signal = AbortSignal.timeout(DEADLINE_MS)
  const answer = await fetch(url, { method: 'POST', headers: { ...headers }, body, signal, redirect: 'error' })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

const MOST_REPEATS = 60
const SHORTEST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 15_000

/**
 * Sends a paid request until its outcome is known. A lost answer and a pending one are the same to the payer: only the
 * very same credential may be sent again, since that never pays twice. `undefined`: it is still not known.
 */
export async function sendUntilKnown(
  doors: TalkDoors,
  letter: Letter,
  onWait: (reason: string) => void,
): Promise<Reply | undefined> {
  for (let repeats = 0; repeats <= MOST_REPEATS; repeats += 1) {
    const reply = await send(doors, letter).catch((error: unknown) => error)
    if (isReply(reply) && !isOpen(reply)) return reply
    onWait(isReply(reply) ? `HTTP ${reply.status}, the payment is not decided yet` : 'no answer')
    await doors.sleep(isReply(reply) ? pauseMs(reply.headers, doors.nowMs()) : SHORTEST_PAUSE_MS)
  }
  return undefined
}

const isReply = (value: unknown): value is Reply => typeof value === 'object' && value !== null && 'status' in value

const isOpen = ({ status, text }: Reply): boolean => status === 202 || problemIn(text)?.charged === 'pending'

function pauseMs(headers: Headers, nowMs: number): number {
  const asked = retryAfterMs(headers.get('retry-after'), nowMs)
  return Math.min(Math.max(asked ?? SHORTEST_PAUSE_MS, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS)
}

const problemDocument = z.object({
  title: z.string(),
  detail: z.string(),
  hint: z.string(),
  charged: z.union([z.boolean(), z.literal('pending')]).optional(),
})

function problemIn(text: string): z.infer<typeof problemDocument> | undefined {
  try {
    return problemDocument.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

const CHARGED = { true: 'the payment was made', false: 'nothing was charged', pending: 'the payment may be under way' }

/** What a refusal says, for one line. */
export function refusal({ status, text }: Reply): Problem {
  const found = problemIn(text)
  if (found === undefined) return new Problem('refused', status, 'Refused', `the directory answered HTTP ${status}`, '')
  const charged = found.charged === undefined ? '' : `; ${CHARGED[`${found.charged}`]}`
  return new Problem('refused', status, found.title, `${found.detail.replace(/\.$/, '')}${charged}`, found.hint)
}

const postDocument = z.object({
  id: z.string(),
  href: z.string(),
  payment: z.object({
    network: z.string(),
    transaction: z.string(),
    payer: z.string(),
    // A directory of an earlier version does not say.
    settlement: z.string().nullish(),
  }),
})

export const postIn = (text: string): z.infer<typeof postDocument> => postDocument.parse(JSON.parse(text))
