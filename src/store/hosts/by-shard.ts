import type { SellerHost } from '../../domain/host.ts'
import { hostKey } from '../../domain/keys.ts'
import type { Dialect } from '../sql/dialect.ts'
import { groupBy } from '../sql/group.ts'

/**
 * What is saved in one transaction each, so that it waits for one machine and is in nobody's way on the others: all of it
 * where hosts lie on one. Never nothing: what goes with a batch is done although the batch is empty.
 */
export function byShard<T>(
  { shards, shardOf }: Dialect,
  items: readonly T[],
  hostIdOf: (item: T) => number,
): ReadonlyMap<number, readonly T[]> {
  if (shards === 1 || items.length === 0) return new Map([[0, items]])
  return groupBy(items, (item) => shardOf(hostIdOf(item)))
}

/** The number that a host has or will have, but for the few whose number another host has taken. */
export const likelyIdOf = ({ host }: { readonly host: SellerHost }): number => hostKey(host)
