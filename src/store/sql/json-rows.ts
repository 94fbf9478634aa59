/** Of each column what it holds: a value, JSON of its own, or such rows again. */
export interface JsonColumns {
  readonly [name: string]: 'value' | 'json' | JsonColumns
}

/** Rows as one JSON text, each a list of its values in the order of its columns: half as long as with all their names. */
export type JsonRows<T> = string & { readonly rowsOf?: T }

type Lists = readonly (readonly unknown[])[]

/** Reads the rows that `jsonRows` wrote of these columns. The store wrote them, so their shape is not checked again. */
export function rowReader<T>(columns: JsonColumns): (text: JsonRows<T>) => T[] {
  const read = listReader(columns)
  return (text) => read(JSON.parse(text)) as T[]
}

function listReader(columns: JsonColumns): (lists: Lists) => object[] {
  const names = Object.keys(columns)
  const inner = Object.values(columns).map((kind) => (typeof kind === 'string' ? null : listReader(kind)))
  // A copy of it has all its members from the beginning, which makes filling them in twice as fast.
  const blank: Record<string, unknown> = Object.fromEntries(names.map((name) => [name, null]))
  const rowOf = (values: readonly unknown[]): object => {
    const row = { ...blank }
    for (const [at, name] of names.entries()) {
      const read = inner[at]
      row[name] = read ? read(values[at] as Lists) : values[at]
    }
    return row
  }
  return (lists) => lists.map(rowOf)
}
