import type { CompiledQuery, RawBuilder } from 'kysely'
import type { Reader } from '../schema.ts'
import type { Dialect } from './dialect.ts'
import type { StorePart } from './parts.ts'

/** Stand for the values while the text is made; nothing that is stored is as small, or begins like that. */
const FIRST_STAND_IN = -(2 ** 52)
const TEXT_STAND_IN = '\u0000'

type Values = Readonly<Record<string, number | string>>

interface Compiled<V> {
  readonly query: CompiledQuery
  /** Where a parameter is one of the values, its name. */
  readonly names: readonly (keyof V | null)[]
  /** The same for `StorePart.atOnce`. */
  readonly numbered: Numbered<V>
}

/** A statement that takes each value once, however often it stands there: every one that is bound takes time. */
interface Numbered<V> {
  readonly sql: string
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
    const { query, names, numbered } = compiled
    // The row type is the builder's promise about its own SQL, as everywhere.
    if (atOnce !== undefined) {
      const given = numbered.given.map(({ name, value }) => (name === null ? value : values[name]))
      return atOnce(numbered.sql, given) as R[]
    }
    const parameters = query.parameters.map((value, place) => {
      const name = names[place]
      return name === null || name === undefined ? value : values[name]
    })
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
    const names = query.parameters.map((value) => nameOf.get(value) ?? null)
    const unused = standIns.filter(([name]) => !names.includes(name)).map(([name]) => String(name))
    if (unused.length > 0) throw new Error(`not a parameter of the statement: ${unused.join(', ')}`)
    return { query, names, numbered: numberedOf(query, names) }
  }
}

function numberedOf<V>(query: CompiledQuery, names: readonly (keyof V | null)[]): Numbered<V> {
  const given = query.parameters.map((value, place) => ({ name: names[place] ?? null, value }))
  const distinct = [...new Map(given.map((one) => [one.value, one])).values()]
  const numberOf = new Map(distinct.map(({ value }, place) => [value, place + 1]))
  const pieces = query.sql.split('?')
  // One stands in a text of the statement itself.
  if (pieces.length !== given.length + 1) return { sql: query.sql, given }
  const sql = pieces.map((piece, place) => (place === 0 ? piece : `?${numberOf.get(given[place - 1]?.value)}${piece}`))
  return { sql: sql.join(''), given: distinct }
}
