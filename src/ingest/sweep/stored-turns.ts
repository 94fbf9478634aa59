import { sql } from 'kysely'
import type { SellerHost } from '../../domain/host.ts'
import type { Vantage } from '../../domain/now/vantage.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { findHostId } from '../../store/host-id.ts'
import { NO_VANTAGE_ID, storedVantage, vantageIdOf } from '../../store/probes/vantages.ts'
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

/**
 * The host asked to be left alone until then: no prober of this vantage claims it before. Its first turn is made here where
 * none was; what it has to look at is found when its routes are enrolled. A host that nobody lists has none.
 */
export async function storePause(
  store: Store,
  host: SellerHost,
  vantage: Vantage | null,
  untilUs: TimestampUs,
): Promise<void> {
  const hostId = await findHostId(store.read, host)
  if (hostId === undefined) return
  const { id } = await storedVantage(store, vantage)
  const turn = { host_id: hostId, vantage_id: id, due_us: null, not_before_us: untilUs, routes: 0, methods: '' }
  await store.write((writer) =>
    writer
      .insertInto('host_turns')
      .values(turn)
      .onConflict((conflict) =>
        conflict
          .columns(['host_id', 'vantage_id'])
          .doUpdateSet({
            not_before_us: untilUs,
            // While it is leased, this is the end of the lease.
            due_us: sql`case when host_turns.lease_by is null and host_turns.due_us < ${untilUs} then ${untilUs}
              else host_turns.due_us end`,
          })
          .where('host_turns.not_before_us', '<', untilUs),
      )
      .execute(),
  )
}
