import { type RawBuilder, sql } from 'kysely'

/** As `lower` of both engines has it, on which texts are ordered by bytes: letters beyond A to Z stay as they are. */
const lower = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** In small letters, in capitals and with a capital alone: of a text without other letters than A to Z these are one. */
function writingsOf(text: string): string[] {
  const [first = ''] = text
  const small = text.toLowerCase()
  const capital = first.toUpperCase() + small.slice(first.toLowerCase().length)
  return [...new Set([text, small, text.toUpperCase(), capital].map(lower))]
}

/** Whether a text has another as a part, in upper or lower case. */
export function hasText(column: RawBuilder<unknown>, text: string): RawBuilder<unknown> {
  const patterns = writingsOf(text).map((one) => `%${one.replace(/[\\%_]/g, '\\$&')}%`)
  const any = patterns.map((pattern) => sql`lower(${column}) like ${pattern} escape '\\'`)
  return sql`(${sql.join(any, sql` or `)})`
}
