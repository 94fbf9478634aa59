/** Work under way, by name: whoever asks for the same meanwhile shares it. */
export class SingleFlight<T> {
  readonly #underWay = new Map<string, Promise<T>>()

  /** `isFirst` is true for the one whose work is done. */
  share(name: string, work: () => Promise<T>): { readonly result: Promise<T>; readonly isFirst: boolean } {
    const known = this.#underWay.get(name)
    if (known) return { result: known, isFirst: false }
    const result = work().finally(() => this.#underWay.delete(name))
    this.#underWay.set(name, result)
    return { result, isFirst: true }
  }

  get(name: string): Promise<T> | undefined {
    return this.#underWay.get(name)
  }
}
