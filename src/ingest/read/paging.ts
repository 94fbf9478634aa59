import type { Paging } from './context.ts'
import { type Fields, field, listOf } from './guards.ts'

const countOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null

/** `undefined` when the document has no such list: then it is no page of this source at all. */
export function readPaging(document: Fields, list: string, totals: Fields): Paging | undefined {
  if (!Array.isArray(field(document, list))) return undefined
  return { items: listOf(field(document, list)).length, total: countOf(field(totals, 'total')) }
}
