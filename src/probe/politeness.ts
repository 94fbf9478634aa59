import { sleep } from '../async/sleep.ts'
import type { SellerHost } from '../domain/host.ts'
import type { TimestampUs } from '../domain/time/timestamp.ts'
import { pauseAskedMs } from '../wire/retry-after.ts'
import type { Egress, EgressAnswer, HeaderPair } from './egress.ts'
import type { Probed } from './probe-route.ts'

/** How a host is treated. All times in milliseconds. */
export interface Manners {
  /** Between the end of one request to a host and the start of the next. */
  readonly gapMs: number
  /** Hosts that are never called: names, or `*.` and a suffix. */
  readonly optOut: readonly string[]
}

export const DEFAULT_GAP_MS = 1000

/** Whether the operator's list names this host, whatever its port. */
export function isOptedOut(optOut: readonly string[], host: SellerHost): boolean {
  const name = host.replace(/:\d+$/, '')
  return optOut.some((pattern) => (pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === pattern))
}

export const retryAfterIn = (headers: readonly HeaderPair[]): string | null =>
  headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1] ?? null

/** How long the host asked to be left alone, in milliseconds; `null` when it did not. */
export const pauseAsked = ({ entry, headers, endUs }: Probed): number | null =>
  pauseAskedMs(entry.httpStatus, retryAfterIn(headers), endUs / 1000)

/** The same of any answer that came at that time. */
export function pauseIn(answer: EgressAnswer, atUs: TimestampUs): number | null {
  const reply = answer.ok ? answer : answer.partial
  return reply && pauseAskedMs(reply.status, retryAfterIn(reply.headers), atUs / 1000)
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
