import { invalidParameter as invalid, readParameter, SEARCH, searchAsked } from '../views/host/hosts-asked.ts'
import { FORMATS, type Format } from './negotiation.ts'

export const DEFAULT_LIMIT = 50
export const MOST_LIMIT = 200

/** The value of a parameter that must not be left out beside others. The hint names all that must be given with it. */
export function required<T>(value: T | null, name: string, hint: string): T {
  if (value === null) throw invalid(name, 'given', hint)
  return value
}

/** The query of an address, read by name. What nobody asks for is ignored; an empty value is an unfilled form field. */
export class Parameters {
  readonly #search: URLSearchParams

  constructor(
    private readonly url: string,
    /** Of every refusal; unless given, that the parameter may be left out. */
    private readonly hint?: string,
  ) {
    this.#search = new URL(url).searchParams
  }

  /** The same, with a hint of their own for whatever is refused. */
  hinting(hint: string): Parameters {
    return new Parameters(this.url, hint)
  }

  /** Those that must not be left out. The hint names all of them, whichever is missing or wrong. */
  required(hint: string) {
    const given = this.hinting(hint)
    return {
      text: (name: string): string => required(given.text(name), name, hint),
      oneOf: <T extends string>(name: string, values: readonly T[]): T =>
        required(given.oneOf(name, values), name, hint),
    }
  }

  /** As written, empty text too; `null` when absent. Given twice it could be read two ways, so it is refused. */
  exact(name: string): string | null {
    const values = this.#search.getAll(name)
    if (values.length > 1) throw invalid(name, 'given once', this.hint)
    return values[0] ?? null
  }

  text(name: string): string | null {
    return this.exact(name) || null
  }

  search(): string | null {
    return searchAsked(this.text(SEARCH))
  }

  oneOf<T extends string>(name: string, values: readonly T[]): T | null {
    const text = this.text(name)
    if (text === null) return null
    const value = values.find((known) => known === text)
    const expected = values.length === 1 ? `${values[0]}` : `one of ${values.join(', ')}`
    if (value === undefined) throw invalid(name, expected, this.hint)
    return value
  }

  /** What `read` makes of the text; `undefined` refuses it. */
  parsed<T>(name: string, expected: string, read: (text: string) => T | undefined): T | null {
    return readParameter({ name, expected, read }, this.text(name))
  }

  format(offers: readonly Format[] = FORMATS): Format | null {
    return this.oneOf('format', offers)
  }

  limit(): number {
    const read = (text: string): number | undefined => {
      const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
      return limit >= 1 && limit <= MOST_LIMIT ? limit : undefined
    }
    return this.parsed('limit', `a whole number from 1 to ${MOST_LIMIT}`, read) ?? DEFAULT_LIMIT
  }

  cursor(): string | null {
    return this.text('cursor')
  }

  /** Those of the named parameters that were given, for the address of the next page. */
  kept(names: readonly string[]): URLSearchParams {
    const kept = new URLSearchParams()
    for (const name of names) {
      const value = this.exact(name)
      if (value !== null) kept.set(name, value)
    }
    return kept
  }
}
