import { classify, type ProbeResult } from '../../../domain/probe.ts'
import { type Differences, listIn, type Shown } from '../shown.ts'

const DAY = ['answers', '402_correct', 'failed', 'unreachable', 'mean_latency_ms']
const MIDNIGHT = 'T00:00:00.000000Z'

interface DaySums extends Readonly<Record<ProbeResult, number>> {
  /** Of entries with an HTTP result. */
  readonly latencyMs: number
}

const NOTHING: DaySums = { answers: 0, '402-correct': 0, failed: 0, unreachable: 0, latencyMs: 0 }

/** What each UTC day saw of a host, by its name, `2026-11-14`. */
export type ToldDays = ReadonlyMap<string, Shown>

/** The days of a host as its entries in the log give them. */
export class ReplayedDays {
  readonly #days = new Map<string, DaySums>()

  add(date: string, httpStatus: number | null, latencyMs: number): void {
    const day = date.slice(0, 10)
    const result = classify(httpStatus)
    const known = this.#days.get(day) ?? NOTHING
    const added = httpStatus === null ? 0 : latencyMs
    this.#days.set(day, { ...known, [result]: known[result] + 1, latencyMs: known.latencyMs + added })
  }

  get told(): ToldDays {
    return new Map([...this.#days].map(([day, sums]) => [day, toldOf(sums)]))
  }
}

function toldOf(sums: DaySums): Shown {
  const { answers, failed, unreachable, latencyMs } = sums
  const reached = answers + sums['402-correct'] + failed
  const mean = reached === 0 ? null : Math.round(latencyMs / reached)
  return { answers, '402_correct': sums['402-correct'], failed, unreachable, mean_latency_ms: mean }
}

/** Holds the days that are shown, with an entry or without, against these, where all of their entries are kept. */
export function compareDays(history: Shown, logged: ToldDays, keptSince: string, found: Differences): void {
  for (const day of listIn(history, 'days')) {
    const name = String(day.day)
    if (`${name}${MIDNIGHT}` >= keptSince)
      found.sameMembers(`day ${name}`, day, logged.get(name) ?? toldOf(NOTHING), DAY)
  }
}
