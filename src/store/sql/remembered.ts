import type { CompiledQuery, RawBuilder } from 'kysely'
import type { Reader } from '../schema.ts'
import type { Dialect } from './dialect.ts'
import type { StorePart } from './parts.ts'

/** Stand for the values while the text is made; nothing that is stored is as small, or begins like that. */
const FIRST_STAND_IN = -(2 ** 52)
const TEXT_STAND_IN = '\u0000'

type Values = Readonly<Record<string, number | string>>

/**
 * A statement that takes each value once, however often it stands there: every one that is bound takes time, and Postgres
 * plans by what is known to be equal.
 */
interface Compiled<V> {
  readonly query: CompiledQuery
  /** Its parameters, and where one is a value, its name. */
  readonly given: readonly { readonly name: keyof V | null; readonly value: unknown }[]
}

/**
 * A statement of which only values change: put together and compiled once for each dialect, which costs more than running
 * it. `build` puts the values in as parameters, as they are. `like` has the names of the values and one of their kind each.
 */
export class RememberedStatement<V extends Values, R> {
  readonly #compiled = new Map<Dialect, Compiled<V>>()

  constructor(
    private readonly like: V,
    private readonly build: (dialect: Dialect, values: V) => RawBuilder<R>,
  ) {}

  async run({ dialect, read, atOnce }: StorePart, values: V): Promise<R[]> {
    let compiled = this.#compiled.get(dialect)
    if (compiled === undefined) {
      compiled = this.#compile(dialect, read)
      this.#compiled.set(dialect, compiled)
    }
    const { query, given } = compiled
    const parameters = given.map(({ name, value }) => (name === null ? value : values[name]))
    // The row type is the builder's promise about its own SQL, as everywhere.
    if (atOnce !== undefined) return atOnce(query.sql, parameters) as R[]
    const { rows } = await read.executeQuery<R>({ ...query, parameters } as CompiledQuery<R>)
    return rows
  }

  #compile(dialect: Dialect, read: Reader): Compiled<V> {
    const standIns = Object.entries(this.like).map(([name, value], place): [keyof V, number | string] => [
      name,
      typeof value === 'number' ? FIRST_STAND_IN - place : `${TEXT_STAND_IN}${place}`,
    ])
    // Every name has a value of its kind.
    const query = this.build(dialect, Object.fromEntries(standIns) as V).compile(read)
    const nameOf = new Map<unknown, keyof V>(standIns.map(([name, standIn]) => [standIn, name]))
    const given = query.parameters.map((value) => ({ name: nameOf.get(value) ?? null, value }))
    const unused = standIns.filter(([name]) => given.every((one) => one.name !== name)).map(([name]) => String(name))
    if (unused.length > 0) throw new Error(`not a parameter of the statement: ${unused.join(', ')}`)
    return numbered(query, given)
  }
}

/** Where a compiled statement has its parameters, in their order. */
const PLACE = /\?|\$\d+/g

function numbered<V>(query: CompiledQuery, given: Compiled<V>['given']): Compiled<V> {
  // One stands in a text of the statement itself.
  if (query.sql.match(PLACE)?.length !== given.length) return { query, given }
  const firsts = given.map(({ name }, place) => (name === null ? place : given.findIndex((one) => one.name === name)))
  const distinct = [...new Set(firsts)]
  let place = 0
  const sql = query.sql.replace(PLACE, ([sign]) => `${sign}${distinct.indexOf(firsts[place++] ?? 0) + 1}`)
  return { query: { ...query, sql }, given: distinct.flatMap((first) => given[first] ?? []) }
}
