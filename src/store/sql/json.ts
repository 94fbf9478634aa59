import type { JsonText } from '../schema.ts'

/** What a column holds. The store wrote it, so its shape is not checked again. */
export function readJson<T>(text: JsonText<T>): T
export function readJson<T>(text: JsonText<T> | null): T | null
export function readJson<T>(text: JsonText<T> | null): T | null {
  return text === null ? null : JSON.parse(text)
}
