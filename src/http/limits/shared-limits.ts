import type { RateLimiter } from './limits.ts'
import { Windows } from './windows.ts'

/** Requests that were counted against a limit: whose, how many, and for how much longer they count. */
export interface Taken {
  readonly limit: string
  readonly key: string
  readonly n: number
  readonly leftMs: number
}

/** What is counted is told this often: a client that is spread over all processes gains no more than what it asks in between. */
const TELL_MS = 20

/** Limits that several processes behind one port keep together: each counts for itself and hears what the others counted. */
export class SharedLimits {
  readonly #limiters = new Map<string, RateLimiter>()
  #untold = new Map<string, Taken>()
  /** Heard of limits that nobody has joined yet: a process hears before it is ready. */
  #early: Taken[] = []

  constructor(private readonly tell: (taken: readonly Taken[]) => void) {}

  /** Under a name that means the same limit in every process. */
  join(limit: string, limiter: RateLimiter): void {
    this.#limiters.set(limit, limiter)
    limiter.tell((key, leftMs) => this.#note(limit, key, leftMs))
    const early = this.#early
    this.#early = []
    this.hear(early)
  }

  hear(taken: readonly Taken[]): void {
    for (const one of taken) {
      const limiter = this.#limiters.get(one.limit)
      if (limiter === undefined) this.#early.push(one)
      else limiter.takenElsewhere(one.key, one.n, one.leftMs)
    }
  }

  #note(limit: string, key: string, leftMs: number): void {
    if (this.#untold.size === 0) setTimeout(() => this.#flush(), TELL_MS).unref()
    const id = `${limit} ${key}`
    this.#untold.set(id, { limit, key, n: (this.#untold.get(id)?.n ?? 0) + 1, leftMs })
  }

  #flush(): void {
    const told = [...this.#untold.values()]
    this.#untold = new Map()
    this.tell(told)
  }
}

/** What all processes together have counted, for one that joins them later. */
export class LimitsSoFar {
  readonly #windows = new Map<string, Windows>()

  constructor(private readonly nowMs: () => number) {}

  add(taken: readonly Taken[]): void {
    const nowMs = this.nowMs()
    for (const { limit, key, n, leftMs } of taken) {
      const windows = this.#windows.get(limit) ?? new Windows()
      this.#windows.set(limit, windows)
      windows.add(key, n, nowMs, nowMs + leftMs)
    }
  }

  all(): Taken[] {
    const nowMs = this.nowMs()
    return [...this.#windows].flatMap(([limit, windows]) =>
      [...windows.open(nowMs)].map(([key, { used, endsMs }]) => ({ limit, key, n: used, leftMs: endsMs - nowMs })),
    )
  }
}
