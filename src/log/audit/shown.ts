import { canonical } from '../../wire/log/canonical.ts'
import { UnreadableError } from './reading.ts'

/** Where what a directory shows is read. */
export interface Documents {
  /** `undefined` where there is none. */
  json(path: string): Promise<unknown>
}

/** What a directory showed once: the same for the same address, however often and late it is looked at. */
export class Remembered implements Documents {
  readonly #shown = new Map<string, Promise<unknown>>()

  constructor(readonly documents: Documents) {}

  json(path: string): Promise<unknown> {
    const known = this.#shown.get(path)
    if (known !== undefined) return known
    const asked = this.documents.json(path)
    this.#shown.set(path, asked)
    return asked
  }
}

/** A member of an answer of the API, as far as it is one. */
export type Shown = Readonly<Record<string, unknown>>

export const isShown = (value: unknown): value is Shown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const shownIn = (value: unknown, name: string): Shown => {
  const found = isShown(value) ? value[name] : undefined
  return isShown(found) ? found : {}
}

export const listIn = (value: unknown, name: string): readonly Shown[] => {
  const found = isShown(value) ? value[name] : undefined
  return Array.isArray(found) ? found.filter(isShown) : []
}

/** The members of these names alone, whatever else is there. */
export const only = (value: unknown, names: readonly string[]): unknown =>
  isShown(value) ? Object.fromEntries(names.map((name) => [name, value[name]])) : value

/** Something that is shown otherwise than the log gives it. */
export interface Difference {
  readonly host: string
  /** The counter, line or row. */
  readonly what: string
  readonly shown: string
  readonly logged: string
}

const NOT_THERE = 'nothing'
const THERE = 'there'
const said = (value: unknown): string => (value === undefined ? NOT_THERE : canonical(value))

/** What was found of one host. What is shown in two places is named once. */
export class Differences {
  readonly #all = new Map<string, Difference>()
  isUnreadable = false

  /** What the log has only from `since` on need not be shown yet. */
  constructor(
    readonly host: string,
    readonly since = Number.POSITIVE_INFINITY,
  ) {}

  get all(): readonly Difference[] {
    return [...this.#all.values()]
  }

  same(what: string, shown: unknown, logged: unknown): void {
    if (said(shown) !== said(logged)) this.add(what, said(shown), said(logged))
  }

  /** Members of one name on both sides. */
  sameMembers(what: string, shown: Shown, logged: Shown, names: readonly string[]): void {
    for (const name of names) this.same(`${what}: ${name}`, shown[name], logged[name])
  }

  /** One of these states must be what is shown; where none is, what differs from the nearest, the newest of those. */
  sameAsOne<T>(states: readonly T[], compare: (state: T, found: Differences) => void): void {
    let nearest: readonly Difference[] | undefined
    for (const state of states) {
      const found = new Differences(this.host, this.since)
      compare(state, found)
      if (nearest === undefined || found.all.length <= nearest.length) nearest = found.all
      if (nearest.length === 0) return
    }
    for (const { what, shown, logged } of nearest ?? []) this.add(what, shown, logged)
  }

  /** The place in the log that is shown must be one at which it stands. */
  samePlace(what: string, shown: Shown, places: readonly number[]): void {
    const index = shownIn(shown, 'log').index
    if ((index ?? null) === null && this.#isLate(places[0])) return
    if (!places.some((place) => place === index)) this.same(`${what}: place in the log`, index, places[0])
  }

  /** What cannot be read is a difference of its own; what was found before stays, and so do all other hosts. */
  async read(reads: () => Promise<void>): Promise<void> {
    try {
      await reads()
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error
      this.isUnreadable = true
      this.add(`could not be read (${error.message})`, NOT_THERE, THERE)
    }
  }

  notLogged(what: string): void {
    this.add(what, THERE, NOT_THERE)
  }

  notShown(what: string, place: number | undefined, logged = THERE): void {
    if (!this.#isLate(place)) this.add(what, NOT_THERE, logged)
  }

  add(what: string, shown: string, logged: string): void {
    this.#all.set(`${what}\n${shown}\n${logged}`, { host: this.host, what, shown, logged })
  }

  #isLate(place: number | undefined): boolean {
    return place !== undefined && place >= this.since
  }
}

/** A list, page after page. */
export async function* pagesOf(documents: Documents, path: string): AsyncGenerator<unknown> {
  const [list] = path.split('?')
  for (let next: string | null = `${path}${path.includes('?') ? '&' : '?'}limit=200`; next !== null; ) {
    const document: unknown = await documents.json(next)
    yield document
    next = isShown(document) && typeof document.next === 'string' ? `${list}${searchOf(document.next)}` : null
  }
}

/** Every item of a list, a page of it in memory. */
export async function* itemsOf(documents: Documents, path: string, name: string): AsyncGenerator<Shown> {
  for await (const document of pagesOf(documents, path)) yield* listIn(document, name)
}

/** A server names its pages by its own address, perhaps below a path; they are asked for where the list was found. */
function searchOf(address: string): string {
  if (!URL.canParse(address)) throw new UnreadableError(`a list goes on at ${address}, which is no address`)
  return new URL(address).search
}
