import { Problem } from '../domain/problem.ts'

/** The values a list continues after, as an opaque text: `kind` keeps one list's cursor from continuing another. */
export type CursorValues = readonly (string | number | null)[]

export const encodeCursor = (kind: string, values: CursorValues): string =>
  Buffer.from(JSON.stringify([kind, ...values])).toString('base64url')

/** The values of a cursor this directory made for the same list; anything else is refused. */
export function decodeCursor(kind: string, length: number, cursor: string): CursorValues {
  const values = cursor.length <= 8000 ? parse(Buffer.from(cursor, 'base64url').toString()) : undefined
  const [made, ...rest] = Array.isArray(values) ? values : []
  if (made !== kind || rest.length !== length || !rest.every(isValue)) throw foreignCursor()
  return rest
}

export const foreignCursor = (): Problem =>
  new Problem(
    'invalid-cursor',
    400,
    'Invalid cursor',
    'The cursor does not belong to this list.',
    'Follow the "next" address of a page, or start without a cursor.',
  )

/** No value of a list holds a NUL, which Postgres takes in no text. */
const isValue = (value: unknown): value is string | number | null =>
  value === null || (typeof value === 'string' ? !value.includes('\0') : Number.isSafeInteger(value))

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
