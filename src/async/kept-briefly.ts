interface Kept<T> {
  readonly found: Promise<T>
  untilMs: number
}

/**
 * What was found lately, by name, and what is being found: whoever asks for the same meanwhile shares it. What fails is found
 * again by the next who asks, and of too many the first is forgotten.
 */
export class KeptBriefly<T> {
  readonly #kept = new Map<string, Kept<T>>()

  constructor(
    private readonly keptMs: number,
    private readonly most: number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  get(name: string, find: () => Promise<T>): Promise<T> {
    const known = this.#kept.get(name)
    if (known !== undefined && this.nowMs() < known.untilMs) return known.found
    const found = find()
    const kept = { found, untilMs: Number.POSITIVE_INFINITY }
    this.#kept.delete(name)
    this.#kept.set(name, kept)
    if (this.#kept.size > this.most) this.#forgetFirst()
    found.then(
      () => {
        kept.untilMs = this.nowMs() + this.keptMs
      },
      () => {
        if (this.#kept.get(name) === kept) this.#kept.delete(name)
      },
    )
    return found
  }

  #forgetFirst(): void {
    const first = this.#kept.keys().next()
    if (!first.done) this.#kept.delete(first.value)
  }
}
