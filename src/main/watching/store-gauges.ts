import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { STATEMENT_KINDS } from '../../domain/seller/words.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Standing } from '../../store/facts/source-standings.ts'
import type { Store } from '../../store/store.ts'
import { type Instruments, ofVantage } from './instruments.ts'
import { StoreWatch } from './store-watch.ts'

export interface WatchedStore {
  readonly store: Store
  readonly nowUs: () => TimestampUs
  /** Those that the directory reads, with how often. */
  readonly sources: readonly { readonly name: string; readonly intervalMs: number }[]
}

const SECOND_US = 1_000_000

/** The gauges that speak of the store and of what is in it; `look` is for a scrape, and never rejects. */
export function createStoreGauges(instruments: Instruments, { store, nowUs, sources }: WatchedStore) {
  const up = instruments.gauge('tollbook_store_up')
  const load = instruments.gauge('tollbook_store_load')
  const free = instruments.gauge('tollbook_disk_free_bytes', 'unsaid')
  const age = instruments.gauge('tollbook_counts_age_seconds', 'unsaid')
  const overdueProbe = instruments.gauge('tollbook_oldest_overdue_probe_seconds')
  const payments = instruments.gauge('tollbook_payments')
  const pending = instruments.gauge('tollbook_oldest_pending_payment_seconds', 'unsaid')
  const claims = instruments.gauge('tollbook_claims')
  const statements = instruments.gauge('tollbook_statements')
  const logEntries = instruments.gauge('tollbook_log_entries', 'unsaid')
  const logPending = instruments.gauge('tollbook_log_pending', 'unsaid')
  const logHistory = instruments.gauge('tollbook_log_history_hosts', 'unsaid')
  const complete = instruments.gauge('tollbook_last_complete_sweep_timestamp_seconds')
  const interval = instruments.gauge('tollbook_sweep_interval_seconds')
  const overdue = instruments.gauge('tollbook_sweep_overdue_seconds')
  for (const { name: source, intervalMs } of sources) interval.set({ source }, intervalMs / 1000)

  const startUs = nowUs()
  const names = sources.map(({ name }) => name)
  const watch = new StoreWatch(store, names, () => performance.now())
  const sinceUs = (us: TimestampUs | null): number => (us === null ? 0 : Math.max(0, (nowUs() - us) / SECOND_US))

  const showSource = ({ source, completeUs, firstUs, dueUs, leasedUntilUs }: Standing): void => {
    const since = completeUs ?? firstUs
    if (since !== null) complete.set({ source }, since / SECOND_US)
    // Of a source that nobody has ever swept: it is due since this process knows it.
    overdue.set({ source }, leasedUntilUs > nowUs() ? 0 : sinceUs(dueUs ?? startUs))
  }

  const lookAtLoad = (): void => {
    for (const [what, value] of Object.entries(store.load())) load.set({ what }, value)
  }

  const look = async (): Promise<void> => {
    lookAtLoad()
    const disk = store.file === null ? undefined : await statfs(dirname(store.file)).catch(() => undefined)
    if (disk !== undefined) free.set(disk.bavail * disk.bsize)
    const { isUp, counts, ageMs } = await watch.look()
    up.set(isUp ? 1 : 0)
    if (counts === null) return
    age.set(ageMs / 1000)
    payments.reset()
    // A network may have several assets, and so several totals.
    for (const { rail, network, state, payments: n } of counts.payments) payments.inc({ rail, network, state }, n)
    pending.set(sinceUs(counts.oldestPendingUs))
    overdueProbe.reset()
    if (counts.firstTurns.length === 0) overdueProbe.set(0)
    for (const { vantage, dueUs } of counts.firstTurns) overdueProbe.set(ofVantage(vantage), sinceUs(dueUs))
    const { holding, ended, statements: said } = counts.sellers
    claims.set({ state: 'holding' }, holding)
    claims.set({ state: 'ended' }, ended)
    for (const kind of STATEMENT_KINDS) statements.set({ kind }, said.get(kind) ?? 0)
    logEntries.set(counts.log.size)
    logPending.set(counts.log.pending)
    logHistory.set(counts.log.history)
    for (const standing of counts.sources) showSource(standing)
  }

  return { lookAtLoad, look }
}
