import { z } from 'zod'
import { bounded } from '../../wire/bounded.ts'
import { straight } from '../../wire/straight.ts'
import { type CallOutcome, type OnCall, outcomeOfFailure } from '../call-outcome.ts'

/**
 * The three calls of a facilitator. The protocol's own client is not used: it cannot be given a `fetch`, follows redirects
 * with the operator's keys in its headers, reads answers of any size and prints to the console.
 */
export interface Facilitator {
  supported(): Promise<Supported | NoAnswer>
  verify(payment: FacilitatorPayment): Promise<Verified | NoAnswer>
  settle(payment: FacilitatorPayment): Promise<SettleAnswer | NoAnswer>
}

/** A payment in the words of the protocol's version that the payer speaks. */
export interface FacilitatorPayment {
  readonly x402Version: 1 | 2
  readonly paymentPayload: unknown
  readonly paymentRequirements: unknown
}

/** Nothing that can be read came in time. `status` when an HTTP answer did. */
export interface NoAnswer {
  readonly answered: false
  readonly status: number | null
  readonly outcome: Exclude<CallOutcome, 'answered'>
}

/** What it did instead of answering, in words: a server that fails is not one that is silent. */
export function noAnswerWords({ status, outcome }: NoAnswer): string {
  switch (outcome) {
    case 'deadline':
      return 'did not answer in time'
    case 'unreachable':
      return 'could not be reached'
    case 'unreadable':
      return `answered HTTP ${status} with what cannot be read`
    case 'http_4xx':
    case 'http_5xx':
      return `answered HTTP ${status}`
  }
}

export interface Deadlines {
  readonly verifyMs: number
  readonly settleMs: number
  /** For everything that is asked of a facilitator or node while somebody waits for a 402. */
  readonly supportedMs: number
}

const LONGEST_ANSWER_BYTES = 256 * 1024

const answered = { answered: z.literal(true).default(true) }
const code = z.string().optional().catch(undefined)
/** Optional in the protocol; some leave it empty instead. */
const payer = z.string().min(1).optional().catch(undefined)

const verified = z.object({ ...answered, isValid: z.boolean(), invalidReason: code, payer })
export type Verified = z.output<typeof verified>

const settled = z.object({
  ...answered,
  success: z.boolean(),
  errorReason: code,
  payer,
  transaction: z.string().catch(''),
  network: z.string().catch(''),
  amount: code,
})
export type SettleAnswer = z.output<typeof settled>

const supported = z.object({
  ...answered,
  kinds: z.array(
    z.object({
      x402Version: z.number(),
      scheme: z.string(),
      network: z.string(),
      extra: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
})
export type Supported = z.output<typeof supported>

export interface FacilitatorOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: typeof fetch
  readonly deadlines: Deadlines
  readonly onCall?: OnCall | undefined
}

export function createFacilitator({ url, headers, fetch, deadlines, onCall }: FacilitatorOptions): Facilitator {
  const root = url.replace(/\/+$/, '')
  const none = (status: number | null, outcome: NoAnswer['outcome']): NoAnswer => {
    onCall?.('facilitator', outcome)
    return { answered: false, status, outcome }
  }
  const ask = async <T>(path: string, schema: z.ZodType<T>, ms: number, body?: unknown): Promise<T | NoAnswer> => {
    let status: number | null = null
    try {
      // The headers are meant for this address alone.
      const response = await straight(fetch, `${root}/${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { ...headers, accept: 'application/json', 'content-type': 'application/json' },
        signal: AbortSignal.timeout(ms),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      status = response.status
      // A server that failed may have done what it was asked before that.
      if (status >= 500) {
        await response.body?.cancel()
        return none(status, 'http_5xx')
      }
      const answer = schema.safeParse(JSON.parse(await bounded(response, LONGEST_ANSWER_BYTES).text()))
      if (!answer.success) return none(status, status >= 400 ? 'http_4xx' : 'unreadable')
      onCall?.('facilitator', 'answered')
      return answer.data
    } catch (error) {
      // The error itself could hold the address's keys.
      const outcome = outcomeOfFailure(error)
      if (status === null || outcome === 'deadline') return none(status, outcome)
      return none(status, status >= 400 ? 'http_4xx' : 'unreadable')
    }
  }
  return {
    supported: () => ask('supported', supported, deadlines.supportedMs),
    verify: (payment) => ask('verify', verified, deadlines.verifyMs, payment),
    settle: (payment) => ask('settle', settled, deadlines.settleMs, payment),
  }
}
