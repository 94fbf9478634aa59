import type { SellerHost } from '../../domain/host.ts'
import type { Vantage } from '../../domain/now/vantage.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { findHostId } from '../../store/host-id.ts'
import { NO_VANTAGE_ID, vantageIdOf } from '../../store/probes/vantages.ts'
import type { Store } from '../../store/store.ts'

/** What probers know of a host that is to be asked for its documents. */
export interface StoredTurn {
  /** It asked this vantage to be left alone until then. */
  readonly notBeforeUs: TimestampUs
  /** Its robots.txt, as each vantage read it. */
  readonly robots: readonly string[]
}

export async function storedTurn({ read }: Store, host: SellerHost, vantage: Vantage | null): Promise<StoredTurn> {
  const hostId = await findHostId(read, host)
  if (hostId === undefined) return { notBeforeUs: 0, robots: [] }
  const own = vantage === null ? NO_VANTAGE_ID : await vantageIdOf(read, vantage)
  const turns = await read
    .selectFrom('host_turns')
    .select(['vantage_id', 'not_before_us', 'robots'])
    .where('host_id', '=', hostId)
    .execute()
  return {
    notBeforeUs: turns.find(({ vantage_id }) => vantage_id === own)?.not_before_us ?? 0,
    robots: turns.flatMap(({ robots }) => robots ?? []),
  }
}
