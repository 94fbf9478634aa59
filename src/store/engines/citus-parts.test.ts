import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renamed } from './citus-parts.ts'
import { tablesAt } from './citus-tables.ts'

const TABLES = [...tablesAt('with its host'), ...tablesAt('everywhere')]
const NAMES = new Map(TABLES.map((table, n) => [table, `${table}_${102_008 + n}`]))

describe('a statement on the tables of a shard', () => {
  it('asks them under the names that they have there, each alias as it was', () => {
    const text = `select h.name, "claims"."log_id", (select max(kept_since_us) from retention) from hosts as h
      join "routes" as r on r.host_id = h.host_id cross join claims where h.host_id = $1`
    const [hosts, routes, claims, retention] = ['hosts', 'routes', 'claims', 'retention'].map((name) => NAMES.get(name))
    expect(
      renamed(text, NAMES),
    ).toBe(`select h.name, "claims"."log_id", (select max(kept_since_us) from ${retention} as retention) from ${hosts} as h
      join ${routes} as r on r.host_id = h.host_id cross join ${claims} as claims where h.host_id = $1`)
  })

  it('leaves what is no table of the shard', () => {
    for (const text of [
      'select * from unnest($1::bigint[]) as u("host_id")',
      'select extract(epoch from clock_timestamp())',
      'select 1 from log_entries as e where e.host_id = $1',
      'select hosts, join_routes from (select 1) as hosts_of',
    ])
      expect(renamed(text, NAMES)).toBe(text)
  })

  it('names every table once more, whatever it is called in the statement', () => {
    const source = fc.record({
      table: fc.constantFrom(...TABLES),
      alias: fc.option(fc.stringMatching(/^[a-z]{1,3}$/)),
      isQuoted: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(source, { minLength: 1, maxLength: 6 }), (sources) => {
        const said = (written: (table: string) => string): string =>
          sources.map(({ table, alias }) => `${written(table)}${alias === null ? '' : ` as ${alias}`}`).join(' join ')
        const quoted = new Map(sources.map(({ table, isQuoted }) => [table, isQuoted ? `"${table}"` : table]))
        const text = `select 1 from ${said((table) => quoted.get(table) ?? table)} where true`
        const expected = sources.map(({ table, alias }) => `${NAMES.get(table)} as ${alias ?? table}`).join(' join ')
        expect(renamed(text, NAMES)).toBe(`select 1 from ${expected} where true`)
      }),
    )
  })
})
