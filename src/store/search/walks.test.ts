import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onBothEngines } from '../../../test/support/engines.ts'
import type { HostFilter, HostPosition } from './read-hosts.ts'
import { fillHosts, nameOf } from './testing/many-hosts.ts'
import { nextStep, walkHosts } from './walks.ts'

const HOSTS = 6_000
const MOST_WALKED = 5_000
const FILTER: HostFilter = {
  ...{ rail: null, networkKey: null, maxPrice: null, check: null, requestedSinceUs: null, result: null, retired: null },
}

/** Each host for itself, in their order. */
function walked(
  isFitting: (n: number) => boolean,
  from: number,
  limit: number,
): { ids: number[]; next: number | null } {
  const ids: number[] = []
  for (let n = from; n < HOSTS; n++) {
    if (n - from === MOST_WALKED) return { ids, next: n }
    if (!isFitting(n)) continue
    if (ids.length === limit) return { ids, next: (ids.at(-1) ?? 0) + 1 }
    ids.push(n)
  }
  return { ids, next: null }
}

onBothEngines('a walk through all hosts', (engine) => {
  const open = engine.filled((store) => fillHosts(store, HOSTS))

  it('finds what looking at one host after the other finds, and goes on at the same one', async () => {
    const store = await open()
    const kinds = [
      { condition: sql`true`, isFitting: () => true },
      { condition: sql`h.host_id % 3 = 1`, isFitting: (n: number) => n % 3 === 1 },
      { condition: sql`h.host_id % 97 = 0`, isFitting: (n: number) => n % 97 === 0 },
      // Many at first, then hardly any.
      {
        condition: sql`(h.host_id < 90 or h.host_id % 1999 = 0)`,
        isFitting: (n: number) => n < 90 || n % 1999 === 0,
      },
      { condition: sql`h.host_id > 5990`, isFitting: (n: number) => n > 5990 },
    ]
    for (const { condition, isFitting } of kinds) {
      for (const limit of [1, 50, 100]) {
        let from: number | null = 0
        let after: HostPosition | null = null
        for (let page = 0; page < 4 && from !== null; page++) {
          const found = await walkHosts(store, { q: null, filter: FILTER, order: 'host', after, limit }, condition)
          const expected = walked(isFitting, from, limit)
          expect(found.rows.map(({ host_id }) => host_id)).toEqual(expected.ids)
          expect(found.next).toEqual(expected.next === null ? null : [nameOf(expected.next - 1)])
          after = found.next
          from = expected.next
        }
      }
    }
  })
})

it('A walk takes few steps, however those that fit lie, and short ones where few are missing.', () => {
  for (const isFitting of [() => false, (n: number) => n < 100, (n: number) => n % 40 === 0, (n: number) => n < 2]) {
    let [done, kept, step, steps] = [0, 0, 102, 0]
    while (done < MOST_WALKED && kept < 51) {
      for (const end = done + step; done < end; done++) if (isFitting(done)) kept += 1
      step = nextStep({ walked: done, kept, wanted: 51 }, step)
      steps += 1
    }
    expect(steps).toBeLessThan(12)
  }
  expect(nextStep({ walked: 102, kept: 45, wanted: 51 }, 102)).toBe(51)
})
