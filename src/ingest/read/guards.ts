import { UNSAFE } from '../../domain/words/text.ts'

/** Foreign JSON is read field by field with these: whatever is not of the expected kind counts as absent. */
export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const NO_FIELDS: Fields = Object.freeze({})

export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : NO_FIELDS)

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Own fields alone: a document may hold a field named `constructor`, and a missing one must not find the inherited. */
export const field = (fields: Fields, name: string): unknown => (Object.hasOwn(fields, name) ? fields[name] : undefined)

/** `maxAmountRequired`, `max_amount_required`, `Max-Amount-Required`: the words of a field's name, in lower case. */
export const fieldWords = (name: string): string[] =>
  name
    .slice(0, 100)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')

/** The first fields of an object that is read again for every route of its document: a stranger decides how many it has. */
export function firstFields(fields: Fields, most: number): Fields {
  const names = Object.keys(fields)
  return names.length <= most ? fields : Object.fromEntries(names.slice(0, most).map((name) => [name, fields[name]]))
}

const NOT_OFFERED = /^(?:deprecated|disabled|inactive|retired|removed|discontinued)$/i

/** What is named only to say that it is not there, or no more: `false`, `null`, `{ "enabled": false }`, `{ "deprecated": true }`. */
export function isOff(value: unknown): boolean {
  if (value === false || value === null) return true
  const fields = fieldsOf(value)
  return (
    ['enabled', 'offered', 'available', 'active'].some((name) => field(fields, name) === false) ||
    ['disabled', 'deprecated'].some((name) => field(fields, name) === true) ||
    NOT_OFFERED.test(textOf(fields, 'status') ?? '')
  )
}

/** Longer ones name nothing here, and some are read once for every route of their document. */
const LONGEST_TEXT = 8_000

/** The first of these fields that is a text with something in it. */
export function textOf(fields: Fields, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = field(fields, name)
    if (typeof value !== 'string' || value.length > LONGEST_TEXT) continue
    const text = value.trim()
    if (text !== '') return text
  }
  return undefined
}

const MOST_METHODS = 5

/** A route's methods, as a text or as a list of them, as one text. */
export function methodText(fields: Fields, name: string): string | undefined {
  const listed = listOf(field(fields, name))
    .slice(0, MOST_METHODS)
    .filter((method) => typeof method === 'string')
  return textOf(listed.length > 0 ? { [name]: listed.join(',') } : fields, name)
}

/** A text to be read by people: of long ones the beginning. */
export function proseOf(fields: Fields, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = field(fields, name)
    if (typeof value !== 'string') continue
    const text = value.slice(0, LONGEST_TEXT).trim()
    if (text !== '') return text
  }
  return undefined
}

const MOST_TAGS = 20

/** Categories and tags, as one text. */
export function tagsOf(fields: Fields, ...names: readonly string[]): string | undefined {
  const tags = names.flatMap((name) => {
    const value = field(fields, name)
    return typeof value === 'string' ? [value] : listOf(value).slice(0, MOST_TAGS)
  })
  const texts = tags.filter((tag) => typeof tag === 'string').map((tag) => tag.slice(0, LONGEST_ITEM).trim())
  const kept = new Set(texts.filter((tag) => tag !== '').slice(0, MOST_TAGS))
  return kept.size === 0 ? undefined : [...kept].join(', ')
}

const ACCOUNT = /^[A-Za-z0-9][A-Za-z0-9._:@/-]{0,199}$/

/** A wallet, an account or an asset as written; long or unprintable ones are no use to anybody. */
export const accountOf = (value: unknown): string | null => {
  const text = typeof value === 'string' ? value.trim() : ''
  return ACCOUNT.test(text) ? text : null
}

/** Whether a text has in it what stands for bytes that are no UTF-8. Nobody writes that into an address. */
export const isGarbled = (text: string): boolean => text.includes('\uFFFD')

const LONGEST_ITEM = 160

/** A stranger's text, made short and printable for a report. */
export function describe(...parts: readonly unknown[]): string {
  const text = parts
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .map((part) => String(part).slice(0, 2 * LONGEST_ITEM))
    .join(' ')
    .toWellFormed()
    .replace(UNSAFE, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\s]+/gu, ' ')
    .trim()
  if (text === '') return '(nothing readable)'
  return text.length > LONGEST_ITEM ? `${text.slice(0, LONGEST_ITEM - 1).toWellFormed()}…` : text
}
