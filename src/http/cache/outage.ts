/** So often somebody looks whether the store is back. */
const EVERY_MS = 1000

/** Whether the store is away, as those found who asked it last. While it is, one looks again now and then for all. */
export class Outage {
  #isOn = false
  #nextMs = Number.NEGATIVE_INFINITY

  constructor(private readonly nowMs: () => number) {}

  get isOn(): boolean {
    return this.#isOn
  }

  noticed(): void {
    this.#isOn = true
    this.#nextMs = this.nowMs() + EVERY_MS
  }

  over(): void {
    this.#isOn = false
  }

  /** True for the one whose turn it is to look; nobody else's comes until it has `noticed` again or is late itself. */
  takeTurn(mostMs: number): boolean {
    const now = this.nowMs()
    if (now < this.#nextMs) return false
    this.#nextMs = now + mostMs + EVERY_MS
    return true
  }
}
