import { type CursorValues, decodeCursor, encodeCursor } from '../wire/cursor.ts'
import type { Page } from './host-view.ts'

/** One page out of `limit + 1` rows: the one too many says that there is more. */
export function pageOf<Row, Item>(
  kind: string,
  rows: readonly Row[],
  limit: number,
  item: (row: Row) => Item,
  position: (row: Row) => CursorValues,
): Page<Item> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next = rows.length > limit && last !== undefined ? encodeCursor(kind, position(last)) : null
  return { items: shown.map(item), next }
}

/** Where a page starts: a tuple of texts and numbers of this shape, or the beginning. */
export function positionOf<T extends CursorValues>(
  kind: string,
  shape: readonly ('string' | 'number')[],
  cursor: string | null,
): T | null {
  if (cursor === null) return null
  const values = decodeCursor(kind, shape.length, cursor)
  const fits = values.every((value, index) => typeof value === shape[index])
  // The shape is the tuple's own; a cursor of another shape was not made by this list.
  return (fits ? values : decodeCursor(kind, -1, cursor)) as T
}
