import type { Reader } from '../schema.ts'
import type { Dialect } from './dialect.ts'
import { groupBy } from './group.ts'

/** Where hosts are read: the store, or where it lies on several machines, the part of it that has them. */
export interface StorePart {
  readonly read: Reader
  readonly dialect: Dialect
  readonly atOnce?: AtOnce
}

/** Answers a statement that only reads at once, as `read` would: where the engine lies within the program. */
export type AtOnce = (sql: string, parameters: readonly unknown[]) => Record<string, unknown>[]

/** A store, as far as it is read. */
export interface Parted extends StorePart {
  readonly parts: readonly StorePart[] | null
}

/** Of the part that has the host, for statements that name no other. */
export const partOf = (store: Parted, hostId: number): StorePart =>
  store.parts?.[store.dialect.shardOf(hostId)] ?? store

/** Asks each part about its own of these hosts, all at once. */
export async function fromParts<R>(
  store: Parted,
  hostIds: readonly number[],
  ask: (part: StorePart, hostIds: readonly number[]) => Promise<Iterable<R>>,
): Promise<R[]> {
  const groups = store.parts === null ? [hostIds] : [...groupBy(hostIds, store.dialect.shardOf).values()]
  const found = await Promise.all(groups.map(async (ids) => [...(await ask(partOf(store, ids[0] ?? 0), ids))]))
  return found.flat()
}

/** Asks every part. */
export async function fromAllParts<R>(store: Parted, ask: (part: StorePart) => Promise<readonly R[]>): Promise<R[]> {
  return (await Promise.all((store.parts ?? [store]).map(ask))).flat()
}
