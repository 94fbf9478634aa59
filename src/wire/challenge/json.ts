/** Reading JSON of strangers: nothing here throws, and inherited members are never seen. */

export type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const fieldsOf = (value: unknown): Fields | undefined => (isFields(value) ? value : undefined)

export const fieldOf = (fields: Fields | undefined, name: string): unknown =>
  fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined

/** `undefined` for what is no JSON: no JSON text has that value. A byte order mark is passed over. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

/** Names, networks and addresses are shown inside lines: printable ASCII without spaces, of bounded length. */
export const wordOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value) ? value : undefined

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/

/** Base64 of either alphabet, padded or not, as UTF-8 text; `undefined` for anything else. */
export const textOfBase64 = (text: string): string | undefined =>
  BASE64.test(text) ? Buffer.from(text, 'base64').toString('utf8') : undefined
