/** How many event streams each worker holds, by address. */
export class SeatCounts {
  readonly #held = new Map<number, Map<string, number>>()

  set(worker: number, held: readonly (readonly [address: string, n: number])[]): void {
    const own = this.#held.get(worker) ?? new Map<string, number>()
    this.#held.set(worker, own)
    for (const [address, n] of held) {
      if (n === 0) own.delete(address)
      else own.set(address, n)
    }
  }

  forget(worker: number): void {
    this.#held.delete(worker)
  }

  of(address: string): number {
    return [...this.#held.values()].reduce((sum, own) => sum + (own.get(address) ?? 0), 0)
  }

  *all(): Generator<{ of: number; held: [address: string, n: number][] }> {
    for (const [of, own] of this.#held) yield { of, held: [...own] }
  }
}
