import type { Seeded } from '../../test/crash/seeded.ts'

/** One of them, as chance says. */
export function picked<T>(random: Seeded, items: readonly T[]): T {
  const item = items[random.between(0, items.length - 1)]
  if (item === undefined) throw new RangeError('nothing to pick from')
  return item
}
