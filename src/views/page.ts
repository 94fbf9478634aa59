import { type CursorValues, decodeCursor, encodeCursor, foreignCursor } from '../wire/cursor.ts'
import type { Page } from './host/host-view.ts'

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

interface Values {
  string: string
  number: number
}
type Shape = readonly (keyof Values)[]
/** The tuple that a shape describes. */
type Position<S extends Shape> = { readonly [At in keyof S]: Values[S[At]] }

/** Where a page starts: a tuple of texts and numbers of this shape, or the beginning. */
export function positionOf<const S extends Shape>(kind: string, shape: S, cursor: string | null): Position<S> | null {
  if (cursor === null) return null
  const values = decodeCursor(kind, shape.length, cursor)
  if (fits(shape, values)) return values
  throw foreignCursor()
}

const fits = <S extends Shape>(shape: S, values: readonly unknown[]): values is Position<S> =>
  values.length === shape.length && values.every((value, at) => typeof value === shape[at])
