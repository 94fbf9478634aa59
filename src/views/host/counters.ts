import { sql } from 'kysely'
import type { SellerHost } from '../../domain/host.ts'
import { hostKey } from '../../domain/keys.ts'
import { hostIdIn } from '../../store/hosts/named-host.ts'
import type { HostCounters } from '../../store/schema.ts'
import { logIndexOf } from '../../store/sql/log-index.ts'
import { RememberedStatement } from '../../store/sql/remembered.ts'
import type { Store } from '../../store/store.ts'

/** `undefined`: no listing source named the host. */
export async function countersOf(store: Store, host: SellerHost): Promise<HostCounters | undefined> {
  const hostId = await hostIdIn(store, host)
  if (hostId === undefined) return undefined
  return store.read.selectFrom('host_counters').selectAll().where('host_id', '=', hostId).executeTakeFirst()
}

/** What a version is made of. */
interface Versioned {
  readonly version: number
  readonly log_id: number | null
  readonly log_index: number | null
}

/** Grows with everything that changes what the host's pages show, and once more when the log has all of it. */
export const versionOf = (row: Versioned): number =>
  2 * row.version + (row.log_id === null || row.log_index !== null ? 1 : 0)

interface VersionRow extends Versioned {
  readonly host_id: number
  readonly name: string
}

/** Asked for every request whose page may have changed. */
const VERSION = new RememberedStatement(
  { hostId: 0 },
  (
    _,
    { hostId },
  ) => sql<VersionRow>`select h.host_id, h.name, c.version, c.log_id, ${logIndexOf('c.log_id')} as log_index
    from hosts as h join host_counters as c on c.host_id = h.host_id where h.host_id = ${hostId}`,
)

/** The host's number, and of which version it is. */
export async function versionedHostOf(
  store: Store,
  host: SellerHost,
): Promise<{ readonly hostId: number; readonly version: number } | undefined> {
  const row =
    (await versionAt(store, hostKey(host), host)) ?? (await versionAt(store, await hostIdIn(store, host), host))
  return row && { hostId: row.host_id, version: versionOf(row) }
}

async function versionAt(store: Store, hostId: number | undefined, host: SellerHost): Promise<VersionRow | undefined> {
  if (hostId === undefined) return undefined
  const rows = await VERSION.run(store, { hostId })
  return rows.find(({ name }) => name === host)
}
