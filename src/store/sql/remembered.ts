import type { CompiledQuery, RawBuilder } from 'kysely'
import type { Reader } from '../schema.ts'
import type { Dialect } from './dialect.ts'

/** Stand for the numbers while the text is made; nothing that is stored is as small. */
const FIRST_STAND_IN = -(2 ** 52)

interface Compiled<N extends string> {
  readonly query: CompiledQuery
  /** Where a parameter is one of the numbers, its name. */
  readonly names: readonly (N | null)[]
}

/**
 * A statement of which only numbers change: put together and compiled once for each dialect, which costs more than running
 * it. `build` puts the numbers in as parameters, as they are.
 */
export class RememberedStatement<N extends string, R> {
  readonly #compiled = new Map<Dialect, Compiled<N>>()

  constructor(
    private readonly numbers: readonly N[],
    private readonly build: (dialect: Dialect, numbers: Readonly<Record<N, number>>) => RawBuilder<R>,
  ) {}

  async run(
    { dialect, read }: { readonly dialect: Dialect; readonly read: Reader },
    numbers: Readonly<Record<N, number>>,
  ): Promise<R[]> {
    let compiled = this.#compiled.get(dialect)
    if (compiled === undefined) {
      compiled = this.#compile(dialect, read)
      this.#compiled.set(dialect, compiled)
    }
    const { query, names } = compiled
    const parameters = query.parameters.map((value, place) => {
      const name = names[place]
      return name === null || name === undefined ? value : numbers[name]
    })
    // The row type is the builder's promise about its own SQL, as everywhere.
    const { rows } = await read.executeQuery<R>({ ...query, parameters } as CompiledQuery<R>)
    return rows
  }

  #compile(dialect: Dialect, read: Reader): Compiled<N> {
    const standIns = this.numbers.map((name, place): [N, number] => [name, FIRST_STAND_IN - place])
    // Every name has a number.
    const query = this.build(dialect, Object.fromEntries(standIns) as Record<N, number>).compile(read)
    const nameOf = new Map<unknown, N>(standIns.map(([name, standIn]) => [standIn, name]))
    const names = query.parameters.map((value) => nameOf.get(value) ?? null)
    const unused = this.numbers.filter((name) => !names.includes(name))
    if (unused.length > 0) throw new Error(`not a parameter of the statement: ${unused.join(', ')}`)
    return { query, names }
  }
}
