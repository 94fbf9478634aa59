import { key53 } from '../../src/domain/keys.ts'

/** Decisions of one run, which its seed and number bring back whatever runs beside it. */
export class Chance {
  #drawn = 0
  constructor(private readonly name: string) {}

  /** A whole number below `most`. */
  below(most: number): number {
    return key53(`${this.name} ${this.#drawn++}`) % most
  }

  /** True once in `n` times. */
  once(n: number): boolean {
    return this.below(n) === 0
  }

  pick<T>(first: T, ...more: readonly T[]): T {
    return [first, ...more][this.below(more.length + 1)] ?? first
  }
}
