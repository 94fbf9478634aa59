import type { Row } from '../sql/dialect.ts'

interface Seen {
  readonly key: Row
  /** One for each key. */
  readonly text: string
  firstUs: number
  lastUs: number
}

/** Rows with when each was first and last seen. One statement may touch a row once: what a batch says twice is joined here. */
export class Sightings {
  readonly #rows = new Map<string, Seen>()

  get size(): number {
    return this.#rows.size
  }

  /** A key begins with the numbers of its host and route. Answers its text. */
  add(key: Row, firstUs: number, lastUs: number): string {
    const text = key.join('\n')
    const known = this.#rows.get(text)
    if (!known) this.#rows.set(text, { key, text, firstUs, lastUs })
    else {
      known.firstUs = Math.min(known.firstUs, firstUs)
      known.lastUs = Math.max(known.lastUs, lastUs)
    }
    return text
  }

  inKeyOrder(): readonly Readonly<Seen>[] {
    return [...this.#rows.values()].sort(
      (a, b) => Number(a.key[0]) - Number(b.key[0]) || Number(a.key[1]) - Number(b.key[1]),
    )
  }
}
