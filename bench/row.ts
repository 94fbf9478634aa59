import type { BenchEngine } from './rigs/engines.ts'

/** What a ratio should be. Without an aim the row only informs. */
export type Aim = { readonly atLeast: number } | { readonly below: number }

/** One line of the table. */
export interface BenchRow {
  readonly what: string
  /** Ours, with its unit. */
  readonly measured: string
  /** What it is held against, measured in the same run, because digits of different days do not compare. */
  readonly limit: string
  /** Measured to limit: the median of the ratios of single rounds, so not exactly the quotient of the two texts. */
  readonly ratio: number
  readonly aim: Aim | null
}

/** What every case gets; `run.ts` owns all of it and cleans up. */
export interface BenchContext {
  readonly engines: readonly BenchEngine[]
  /** A new empty folder that is removed after the run. */
  folder(): string
  /** Says what is being measured, to a person who watches. */
  note(text: string): void
}

/** Some rows of the table: one file each in `cases/`. */
export type BenchCase = (context: BenchContext) => Promise<BenchRow[]>

export const isMet = ({ ratio, aim }: Pick<BenchRow, 'ratio' | 'aim'>): boolean | null =>
  aim === null || Number.isNaN(ratio) ? null : 'atLeast' in aim ? ratio >= aim.atLeast : ratio < aim.below
