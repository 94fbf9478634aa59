import { thousands } from '../../domain/count.ts'
import { classify, type ProbeResult, RESULTS } from '../../domain/probe.ts'
import type { ProbeInput } from '../../store/probes/probes.ts'
import { table } from './table.ts'

/** What a round of probes saw, counted by class and error. */
export class ProbeTally {
  readonly #counts = new Map<ProbeResult, Map<string, number>>()
  #entries = 0

  get entries(): number {
    return this.#entries
  }

  add({ httpStatus, error }: ProbeInput): void {
    const result = classify(httpStatus)
    const errors = this.#counts.get(result) ?? new Map<string, number>()
    this.#counts.set(result, errors)
    errors.set(error ?? '', (errors.get(error ?? '') ?? 0) + 1)
    this.#entries++
  }

  /** `402-correct 120 (40/s) · failed 3 (1/s)` */
  rates(seconds: number): string {
    return RESULTS.flatMap((result) => {
      const n = this.#of(result)
      return n === 0 ? [] : [`${result} ${thousands(n)} (${thousands(Math.round(n / Math.max(seconds, 0.001)))}/s)`]
    }).join(' · ')
  }

  /** By class in their order, the most frequent errors first. */
  table(): string {
    const rows = RESULTS.flatMap((result) =>
      [...(this.#counts.get(result) ?? [])]
        .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
        .map(([error, n]) => [result, error === '' ? 'no data' : error, n]),
    )
    return rows.length === 0 ? '' : table(['result', 'error', 'entries'], rows)
  }

  #of(result: ProbeResult): number {
    return [...(this.#counts.get(result)?.values() ?? [])].reduce((sum, n) => sum + n, 0)
  }
}
