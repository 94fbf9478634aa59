import { sql } from 'kysely'
import type { SellerHost } from '../../domain/host.ts'
import { hostKey, nextKey } from '../../domain/keys.ts'
import type { Writer } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { RowsStatement } from '../sql/rows-statement.ts'

export interface ClaimedHosts {
  readonly ids: ReadonlyMap<SellerHost, number>
  /** Nobody had named them before. */
  readonly created: ReadonlyMap<number, SellerHost>
}

const COLUMNS = { host_id: 'int', name: 'text' } as const

const FIND = new RowsStatement(
  (dialect, rows) => sql<{ host_id: number; name: string }>`select h.host_id, h.name
    from ${dialect.rows(COLUMNS, rows)} as v
    cross join hosts as h where h.host_id = v.host_id ${dialect.among('h.host_id', rows)}`,
)

const ADD = new RowsStatement(
  (dialect, rows) => sql<{ host_id: number; name: string }>`insert into hosts (host_id, name)
    select host_id, name from ${dialect.rows(COLUMNS, rows)} as v where true
    on conflict (host_id) do nothing returning host_id, name`,
)

/** The numbers of these hosts, new ones created. Those that are known are not looked up. */
export async function claimHosts(
  writer: Writer,
  dialect: Dialect,
  hosts: ReadonlySet<SellerHost>,
  known: ReadonlyMap<SellerHost, number>,
): Promise<ClaimedHosts> {
  const ids = new Map<SellerHost, number>()
  const created = new Map<number, SellerHost>()
  let pending: { name: SellerHost; key: number }[] = []
  for (const name of hosts) {
    const id = known.get(name)
    if (id === undefined) pending.push({ name, key: hostKey(name) })
    else ids.set(name, id)
  }
  while (pending.length > 0) {
    pending.sort((a, b) => a.key - b.key)
    const rows = pending.map(({ name, key }): Row => [key, name])
    const taken = await FIND.run(writer, dialect, rows)
    const nameOf = new Map(taken.map((row) => [row.host_id, row.name]))
    const free = firstPerKey(pending.filter(({ key }) => !nameOf.has(key)))
    for (const [key, name] of await insertHosts(writer, dialect, free)) {
      created.set(key, name)
      nameOf.set(key, name)
    }
    pending = pending.flatMap(({ name, key }) => {
      const owner = nameOf.get(key)
      if (owner === name) ids.set(name, key)
      // No owner seen: another program took the number between the two statements; look again.
      return owner === name ? [] : [{ name, key: owner === undefined ? key : nextKey(key) }]
    })
  }
  return { ids, created }
}

const firstPerKey = <T extends { key: number }>(items: readonly T[]): T[] => [
  ...new Map(items.map((item) => [item.key, item])).values(),
]

async function insertHosts(
  writer: Writer,
  dialect: Dialect,
  hosts: readonly { name: string; key: number }[],
): Promise<Map<number, string>> {
  if (hosts.length === 0) return new Map()
  const rows = hosts.map(({ name, key }): Row => [key, name])
  const inserted = await ADD.run(writer, dialect, rows)
  return new Map(inserted.map((row) => [row.host_id, row.name]))
}
