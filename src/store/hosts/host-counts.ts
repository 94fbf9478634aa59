import { sql } from 'kysely'
import { isServed, type Outcome } from '../../domain/buyers/outcome.ts'
import { classify, type ProbeResult, RESULTS, type ResultCounts } from '../../domain/probe.ts'
import { countsOutcome, type ReviewStanding, type SupportLevel } from '../../domain/review.ts'
import type { Writer } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { RowsStatement } from '../sql/rows-statement.ts'
import { addToDay, type DayDeltas, saveDays } from './days.ts'
import { type LatencyCounts, saveLatency } from './latency.ts'
import { OUTCOME_COLUMN, OUTCOME_COLUMNS } from './outcome-columns.ts'
import { RESULT_COLUMN } from './result-columns.ts'
import { RouteOutcomes } from './route-outcomes.ts'
import type { RouteId } from './route-ref.ts'

const LEVEL_COLUMN: Readonly<Record<SupportLevel, 'reviews_verified' | 'reviews_signed' | 'reviews_unsigned'>> = {
  'Verified buyer': 'reviews_verified',
  Signed: 'reviews_signed',
  Unsigned: 'reviews_unsigned',
}

/** Routes by the class of the run they are in. */
const NOW_COLUMN = {
  answers: 'now_answers',
  '402-correct': 'now_402',
  failed: 'now_failed',
  unreachable: 'now_unreachable',
} as const satisfies Record<ProbeResult, string>

/** What changes together. What a transaction adds nothing to is not named by its statement: an index of it need not be touched. */
const GROUPS = {
  routes: ['routes'],
  entries: ['answers', 'correct_402', 'failed', 'unreachable'],
  now: ['now_answers', 'now_402', 'now_failed', 'now_unreachable'],
  reviews: [
    'reviews_verified',
    'reviews_signed',
    'reviews_unsigned',
    'reviews_excluded',
    'reviews',
    ...OUTCOME_COLUMNS,
  ],
  posts: ['posts'],
} as const
type Group = keyof typeof GROUPS
export type HostCount = (typeof GROUPS)[Group][number]

const ALL: readonly Group[] = ['routes', 'entries', 'now', 'reviews', 'posts']
const COUNTS = ALL.flatMap((group): readonly HostCount[] => GROUPS[group])

/** Every count has its zero. */
const NOTHING = Object.fromEntries(COUNTS.map((name) => [name, 0])) as Readonly<Record<HostCount, number>>

const COUNT_NAMES = sql.join(COUNTS.map((name) => sql.ref(name)))

const HOLD = new RowsStatement((dialect, rows) => {
  const zeros = sql.join(COUNTS.map(() => sql.lit(0)))
  return sql`insert into host_counters (host_id, version, ${COUNT_NAMES})
    select host_id, 0, ${zeros} from ${dialect.hostRows({ host_id: 'int' }, rows)} as v where true
    on conflict (host_id) do update set version = host_counters.version where false`
})

/** Of entries, beside how many there are. */
const EXTREMES = {
  newest_probe_us: 'greatest',
  newest_402_us: 'greatest',
  latency_min_ms: 'least',
  latency_max_ms: 'greatest',
} as const

function saving(groups: readonly Group[]): RowsStatement {
  const added = groups.flatMap((group): readonly HostCount[] => GROUPS[group])
  const picked = [...(groups.includes('entries') ? Object.entries(EXTREMES) : []), ['log_id', 'greatest'] as const]
  const columns = Object.fromEntries([...picked.map(([name]) => name), ...added].map((name) => [name, 'int' as const]))
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)))
  const others = COUNTS.filter((name) => !added.includes(name))
  const otherNames = others.map((name) => sql`, ${sql.ref(name)}`)
  const zeros = others.map(() => sql`, 0`)
  return new RowsStatement((dialect, rows) => {
    const both = (name: string) => [sql.ref(`host_counters.${name}`), sql.ref(`excluded.${name}`)] as const
    const sets = [
      ...picked.map(([name, pick]) => sql`${sql.ref(name)} = ${dialect[pick](...both(name))}`),
      ...added.map((name) => sql`${sql.ref(name)} = ${sql.join(both(name), sql` + `)}`),
    ]
    return sql`insert into host_counters (host_id, version, ${names}${sql.join(otherNames, sql``)})
      select host_id, 1, ${names}${sql.join(zeros, sql``)}
      from ${dialect.hostRows({ host_id: 'int', ...columns }, rows)} as v where true
      on conflict (host_id) do update set version = host_counters.version + 1, ${sql.join(sets)}`
  })
}

const SAVE = new Map<string, RowsStatement>()

function savingOf(groups: readonly Group[]): RowsStatement {
  const key = groups.join()
  const statement = SAVE.get(key) ?? saving(groups)
  SAVE.set(key, statement)
  return statement
}

interface Added {
  counts: Record<HostCount, number>
  newestProbeUs: number | null
  newest402Us: number | null
  latencyMinMs: number | null
  latencyMaxMs: number | null
  logId: number | null
  latency: LatencyCounts
  days: DayDeltas
}

/** What one transaction adds to the counters of the hosts it touches. Each touched host's version grows by one. */
export class HostCounts {
  readonly #hosts = new Map<number, Added>()
  readonly #outcomes = new RouteOutcomes()

  touch(hostId: number): Added {
    const known = this.#hosts.get(hostId)
    if (known) return known
    const added: Added = {
      counts: { ...NOTHING },
      newestProbeUs: null,
      newest402Us: null,
      latencyMinMs: null,
      latencyMaxMs: null,
      logId: null,
      latency: new Map(),
      days: new Map(),
    }
    this.#hosts.set(hostId, added)
    return added
  }

  /** Hosts with new entries. */
  get probed(): number[] {
    return [...this.#hosts].flatMap(([hostId, { latency }]) => (latency.size === 0 ? [] : [hostId]))
  }

  add(hostId: number, count: HostCount, n: number): void {
    this.touch(hostId).counts[count] += n
  }

  /** The newest entry of the log about it. */
  logged(hostId: number, entryId: number): void {
    this.touch(hostId).logId = entryId
  }

  probe(hostId: number, httpStatus: number | null, atUs: number, latencyMs: number): void {
    const added = this.touch(hostId)
    added.counts[RESULT_COLUMN[classify(httpStatus)]] += 1
    added.newestProbeUs = Math.max(added.newestProbeUs ?? atUs, atUs)
    if (httpStatus === 402) added.newest402Us = Math.max(added.newest402Us ?? atUs, atUs)
    addToDay(added.days, httpStatus, atUs, latencyMs)
    this.#latency(added, latencyMs, 1)
  }

  /** One of its routes is in another class now. */
  turn(hostId: number, from: ProbeResult, to: ProbeResult): void {
    this.add(hostId, NOW_COLUMN[from], -1)
    this.add(hostId, NOW_COLUMN[to], 1)
  }

  /** Entries that are counted and no longer kept, as another store counted them. */
  folded(hostId: number, counts: ResultCounts, newestUs: number): void {
    for (const result of RESULTS) this.add(hostId, RESULT_COLUMN[result], counts[result])
    const added = this.touch(hostId)
    added.newestProbeUs = Math.max(added.newestProbeUs ?? newestUs, newestUs)
  }

  foldedLatency(hostId: number, latencyMs: number, n: number): void {
    this.#latency(this.touch(hostId), latencyMs, n)
  }

  #latency(added: Added, latencyMs: number, n: number): void {
    added.latencyMinMs = Math.min(added.latencyMinMs ?? latencyMs, latencyMs)
    added.latencyMaxMs = Math.max(added.latencyMaxMs ?? latencyMs, latencyMs)
    added.latency.set(latencyMs, (added.latency.get(latencyMs) ?? 0) + n)
  }

  review(at: RouteId, review: ReviewStanding & { readonly outcome: Outcome | null }, n: 1 | -1): void {
    const { hostId } = at
    this.add(hostId, 'reviews', n)
    if (review.excluded !== null) this.add(hostId, 'reviews_excluded', n)
    else if (!review.superseded) this.add(hostId, LEVEL_COLUMN[review.level], n)
    if (review.outcome === null || !countsOutcome(review)) return
    const column = OUTCOME_COLUMN[review.level][isServed(review.outcome) ? 'served' : 'notServed']
    this.add(hostId, column, n)
    this.#outcomes.add(at, column, n)
  }

  /**
   * Early in the transaction, once its hosts are known: from here to its end it has them to itself. What it reads of them
   * stays so until it writes, and two transactions never wait for each other in a circle.
   * `where false` changes nothing and locks all the same: a new version of each row would cost as much as counting does.
   */
  async hold(writer: Writer, dialect: Dialect): Promise<void> {
    if (this.#hosts.size === 0) return
    await dialect.lock(() => {
      const rows = [...this.#hosts.keys()].sort((a, b) => a - b).map((hostId): Row => [hostId])
      return HOLD.runLater(writer, dialect, rows)
    })
  }

  /** Late in the transaction. Hosts in order of their key, so that two transactions never wait for each other in a circle. */
  async save(writer: Writer, dialect: Dialect): Promise<void> {
    const hosts = [...this.#hosts].sort(([a], [b]) => a - b)
    if (hosts.length === 0) return
    await saveLatency(writer, dialect, hosts)
    await saveDays(writer, dialect, hosts)
    await this.#outcomes.save(writer, dialect)
    const groups = ALL.filter((group) => hosts.some(([, added]) => isAdded(added, group)))
    const names = groups.flatMap((group): readonly HostCount[] => GROUPS[group])
    const rows = hosts.map(([hostId, added]): Row => {
      const { newestProbeUs, newest402Us, latencyMinMs, latencyMaxMs, logId, counts } = added
      const extremes = groups.includes('entries') ? [newestProbeUs, newest402Us, latencyMinMs, latencyMaxMs] : []
      return [hostId, ...extremes, logId, ...names.map((name) => counts[name])]
    })
    await savingOf(groups).runLater(writer, dialect, rows)
  }
}

const isAdded = ({ counts, newestProbeUs, latencyMinMs }: Added, group: Group): boolean =>
  GROUPS[group].some((name) => counts[name] !== 0) ||
  (group === 'entries' && (newestProbeUs !== null || latencyMinMs !== null))
