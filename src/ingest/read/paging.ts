import type { Paging } from './context.ts'
import { type Fields, field, listOf, textOf } from './guards.ts'

const countOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null

/** The first of these fields that is a count. */
const countIn = (fields: Fields, ...names: readonly string[]): number | null =>
  names.map((name) => countOf(field(fields, name))).find((count) => count !== null) ?? null

/** Deeper than items of any source go. To write JSON recurses, so a stranger must not decide how deep. */
const DEEPEST = 16

function shallow(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return null
  if (Array.isArray(value)) return value.map((entry) => shallow(entry, levels - 1))
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shallow(inner, levels - 1)]))
}

/** The name of an item that has none: all that it says, as far down as anybody looks. */
export const itself = (item: unknown): string => JSON.stringify(shallow(item, DEEPEST)) ?? ''

/** `undefined` when the document has no such list: then it is no page of this source at all. */
export function readPaging(
  document: Fields,
  list: string,
  totals: Fields,
  nameOf: (item: unknown) => string = itself,
): Paging | undefined {
  if (!Array.isArray(field(document, list))) return undefined
  const items = listOf(field(document, list))
  return {
    items: items.length,
    names: items.map(nameOf),
    total: countIn(totals, 'total', 'totalCount', 'total_count', 'totalItems'),
    limit: countIn(totals, 'limit', 'pageSize', 'page_size', 'perPage', 'per_page') || null,
    hasMore: saysMore(totals),
  }
}

/** In words, or by where it follows. */
const saysMore = (totals: Fields): boolean =>
  ['hasMore', 'has_more', 'hasNext', 'has_next'].some((name) => field(totals, name) === true) ||
  textOf(totals, 'nextCursor', 'next_cursor', 'next') !== undefined
