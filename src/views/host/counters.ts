import type { SellerHost } from '../../domain/host.ts'
import { findHostId } from '../../store/host-id.ts'
import type { HostCounters } from '../../store/schema.ts'
import type { Store } from '../../store/store.ts'

/** `undefined`: no listing source named the host. */
export async function countersOf(store: Store, host: SellerHost): Promise<HostCounters | undefined> {
  const hostId = await findHostId(store.read, host)
  if (hostId === undefined) return undefined
  return store.read.selectFrom('host_counters').selectAll().where('host_id', '=', hostId).executeTakeFirst()
}
