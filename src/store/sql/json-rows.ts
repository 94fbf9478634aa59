import type { RawBuilder } from 'kysely'

/** Of each column what it holds: a value, JSON of its own, or such rows again. */
export interface JsonColumns {
  readonly [name: string]: 'value' | 'json' | JsonColumns
}

/** Rows as one JSON text, each a list of its values in the order of its columns: half as long as with all their names. */
export type JsonRows<T> = string & { readonly rowsOf?: T }

/** More about rows that go by this name. */
export interface Beside {
  readonly as: string
  readonly columns: Readonly<Record<string, RawBuilder<unknown>>>
}

/** Of rows that have all of their columns themselves. */
export const NOTHING_BESIDE: Beside = { as: 'agg', columns: {} }

type Lists = readonly (readonly unknown[])[]

/** Reads the rows that `jsonRows` wrote of these columns. The store wrote them, so their shape is not checked again. */
export function rowReader<T>(columns: JsonColumns): (text: JsonRows<T>) => T[] {
  const read = listReader(columns)
  return (text) => read(JSON.parse(text)) as T[]
}

function listReader(columns: JsonColumns): (lists: Lists) => object[] {
  const inner = Object.values(columns).map((kind) => (typeof kind === 'string' ? null : listReader(kind)))
  const rowOf = rowWriter(Object.keys(columns), inner)
  return (lists) => lists.map(rowOf)
}

type Inner = readonly (((lists: Lists) => object[]) | null)[]

/**
 * A function that says each column by its name, as somebody would write it: to set members by names that are looked up takes
 * ten times as long. Names of columns are our own.
 */
function rowWriter(names: readonly string[], inner: Inner): (values: readonly unknown[]) => object {
  const members = names.map((name, at) => {
    const value = `values[${at}]`
    return `${JSON.stringify(name)}: ${inner[at] ? `inner[${at}](${value})` : value}`
  })
  return new Function('inner', `return (values) => ({ ${members.join(', ')} })`)(inner)
}
