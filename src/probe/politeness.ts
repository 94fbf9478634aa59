import { sleep } from '../async/sleep.ts'
import type { SellerHost } from '../domain/host.ts'
import type { TimestampUs } from '../domain/time/timestamp.ts'
import { retryAfterMs } from '../wire/retry-after.ts'
import type { Egress, EgressReply } from './egress.ts'
import type { Probed } from './probe-route.ts'

/** How a host is treated. All times in milliseconds. */
export interface Manners {
  /** Between the end of one request to a host and the start of the next. */
  readonly gapMs: number
  /** Hosts that are never called: names, or `*.` and a suffix. */
  readonly optOut: readonly string[]
}

export const DEFAULT_GAP_MS = 1000
const DAY_MS = 86_400_000
/** Nobody is left alone for longer on one word: a mistyped date must not end the evidence. */
export const LONGEST_PAUSE_MS = DAY_MS
/** "Too many requests" without saying for how long. */
const UNSAID_PAUSE_MS = 60_000

/** Whether the operator's list names this host, whatever its port. */
export function isOptedOut(optOut: readonly string[], host: SellerHost): boolean {
  const name = host.replace(/:\d+$/, '')
  return optOut.some((pattern) => (pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === pattern))
}

/** How long the host asked to be left alone, in milliseconds; `null` when it did not. */
export const pauseAsked = ({ entry, headers, endUs }: Probed): number | null =>
  pauseIn({ status: entry.httpStatus ?? 0, headers }, endUs)

/** The same of any answer that came at that time. A 402 is an offer, not a refusal. */
export function pauseIn(
  { status, headers }: Pick<EgressReply, 'status' | 'headers'>,
  atUs: TimestampUs,
): number | null {
  if (status < 300 || status === 402) return null
  const value = headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1]
  const asked = retryAfterMs(value, atUs / 1000)
  if (asked === undefined) return status === 429 ? UNSAID_PAUSE_MS : null
  return Math.min(asked, LONGEST_PAUSE_MS)
}

/** Keeps the requests to one host apart: one at a time, and a gap after each. */
export class Spacing {
  #rested: Promise<void> = Promise.resolve()

  constructor(
    private readonly gapMs: number,
    private readonly signal: AbortSignal,
  ) {}

  /** Resolves when the host may be called. */
  turn(): Promise<void> {
    return this.#rested
  }

  /** The call is over: the gap begins. */
  done(): void {
    this.#rested = sleep(this.gapMs, this.signal)
  }

  /** The same door, with the gap kept. */
  through(egress: Egress): Egress {
    return {
      fetch: async (request) => {
        await this.turn()
        try {
          return await egress.fetch(request)
        } finally {
          this.done()
        }
      },
    }
  }
}
