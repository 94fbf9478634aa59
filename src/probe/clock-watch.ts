import { Problem } from '../domain/problem.ts'
import { CLOCKS_DIFFER_US, type TimestampUs } from '../domain/time/timestamp.ts'
import type { Egress } from './egress.ts'

const ASK = { deadlineMs: 5_000, maxBodyBytes: 1024 }

const MOST_OFF_MS = CLOCKS_DIFFER_US / 1000
/** Against the machine's own count of time, between two looks. */
const LEAP_MS = 60_000
/** How long an answer stands; where nobody gave one, or the clock was wrong, others are asked again sooner. */
const STANDS_MS = 3_600_000
const SOON_MS = 60_000

/** How far a clock is from the nearest of others', in milliseconds; `null`: nobody says. One alone may be an old copy. */
export async function clockOffMs(egress: Egress, addresses: readonly string[], nowMs: number): Promise<number | null> {
  const startedMs = performance.now()
  const asked = addresses.map(async (url) => {
    const answer = await egress.fetch({ method: 'GET', url, ...ASK, isListed: true })
    const { headers = [] } = (answer.ok ? answer : answer.partial) ?? {}
    const date = headers.find(([name]) => name.toLowerCase() === 'date')?.[1]
    return Math.abs(Date.parse(date ?? '') - nowMs - (performance.now() - startedMs))
  })
  const off = (await Promise.all(asked)).filter((ms) => !Number.isNaN(ms))
  return off.length === 0 ? null : Math.min(...off)
}

const isFarOff = (offMs: number | null): offMs is number => offMs !== null && offMs > MOST_OFF_MS

export const wrongClock = (undone: string): Problem =>
  new Problem(
    'clock',
    500,
    'Wrong clock',
    `the clock of this machine is not that of others; ${undone}`,
    'set the clock, for example with an NTP service; tollbook doctor says how far it is off',
  )

/** Before something that cannot be undone: throws where others say that the clock is wrong. */
export async function refuseWrongClock(
  egress: Egress,
  addresses: readonly string[],
  nowMs: number,
  undone: string,
): Promise<void> {
  if (isFarOff(await clockOffMs(egress, addresses, nowMs))) throw wrongClock(undone)
}

export interface ClockWatchOptions {
  readonly egress: Egress
  /** Addresses of others that are always there. Without any, the clock is never doubted. */
  readonly addresses: readonly string[]
  readonly nowUs: () => TimestampUs
  /** The machine's own count of time, which nobody sets. */
  readonly nowMs?: () => number
  readonly onWrong: (offSeconds: number) => void
  readonly onRight: () => void
}

/**
 * Whether the clock that evidence is dated by is that of everybody else. What a clock that is a day ahead has dated would be
 * the newest for a day. Others are asked at the beginning, every hour, and when the clock was set.
 */
export class ClockWatch {
  #isWrong = false
  #untilMs = Number.NEGATIVE_INFINITY
  #leadMs = 0
  #asking: Promise<boolean> | null = null

  constructor(private readonly options: ClockWatchOptions) {}

  /** By the last answer. */
  get isWrong(): boolean {
    return this.#isWrong
  }

  /** Whether others are to be asked before anything is dated. */
  get isDoubtful(): boolean {
    if (this.options.addresses.length === 0) return false
    return this.#nowMs() >= this.#untilMs || Math.abs(this.#lead() - this.#leadMs) > LEAP_MS
  }

  /** Asks where it is doubtful. One question at a time. */
  isRight(): Promise<boolean> {
    if (this.#asking !== null) return this.#asking
    if (!this.isDoubtful) return Promise.resolve(!this.#isWrong)
    this.#asking = this.#ask().finally(() => {
      this.#asking = null
    })
    return this.#asking
  }

  async #ask(): Promise<boolean> {
    const { egress, addresses, nowUs, onWrong, onRight } = this.options
    const leadMs = this.#lead()
    const offMs = await clockOffMs(egress, addresses, nowUs() / 1000)
    const isWrong = isFarOff(offMs)
    if (isWrong && !this.#isWrong) onWrong(Math.round(offMs / 1000))
    if (!isWrong && this.#isWrong) onRight()
    this.#isWrong = isWrong
    this.#leadMs = leadMs
    this.#untilMs = this.#nowMs() + (offMs === null || isWrong ? SOON_MS : STANDS_MS)
    return !isWrong
  }

  #nowMs(): number {
    return this.options.nowMs?.() ?? performance.now()
  }

  #lead(): number {
    return this.options.nowUs() / 1000 - this.#nowMs()
  }
}
