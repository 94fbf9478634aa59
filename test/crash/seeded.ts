/** Random moments that a printed seed brings back. */
export interface Seeded {
  readonly seed: number
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number
}

const TURN = 0x6d2b79f5

/** mulberry32 */
export function seeded(seed: number): Seeded {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + TURN) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { seed, between: (least, most) => least + Math.floor(next() * (most - least + 1)) }
}

/** With the seed of `CRASH_SEED` or a new one, printed. */
export function startSeeded(what: string): Seeded {
  const random = seeded(Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 2 ** 32)))
  console.info(`${what}: CRASH_SEED=${random.seed}`)
  return random
}
