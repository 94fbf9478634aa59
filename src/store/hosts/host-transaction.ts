import type { SellerHost } from '../../domain/host.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { type PlacedEvent, saveEvents } from '../events/events.ts'
import type { Writer } from '../schema.ts'
import { FoundWords } from '../search/found-words.ts'
import type { Dialect } from '../sql/dialect.ts'
import type { Store } from '../store.ts'
import { claimHosts } from './claim-hosts.ts'
import { type ClaimedRoutes, claimRoutes, NO_ROUTES } from './claim-routes.ts'
import { HostCounts } from './host-counts.ts'
import { KnownNumbers, knownNumbers } from './known-numbers.ts'
import { type Logging, Outbox } from './outbox.ts'
import { type Placed, type RouteId, type RouteRef, routeText } from './route-ref.ts'
import { saveMedians, saveSummaries } from './summaries.ts'

/** What is announced is said to the transaction, which saves it. */
export type { PlacedEvent } from '../events/events.ts'

/**
 * One transaction on hosts, whatever it saves: it claims them or holds them first, and last it writes what was counted,
 * announced and found meanwhile, and raises their versions.
 */
export class HostTransaction {
  readonly counts = new HostCounts()
  /** By which new hosts and routes are found. */
  readonly words = new FoundWords()
  /** What the transaction says to the evidence log. */
  readonly log: Outbox
  /** Entries of the batch that were not taken: they are older than what is kept one by one, and may be counted already. */
  leftOut = 0
  /** Listing rows that were there and that the log now says otherwise. */
  changedRows = 0
  readonly #events: PlacedEvent[] = []
  readonly #changed = new Set<number>()
  #hostIds: ReadonlyMap<SellerHost, number> = new Map()
  #routes: ClaimedRoutes = NO_ROUTES

  constructor(
    readonly writer: Writer,
    readonly dialect: Dialect,
    /** As of when changes are announced; `null` announces none: a move between stores brings its own announcements. */
    readonly announceUs: TimestampUs | null = null,
    logging: Logging = 'live',
    readonly known = new KnownNumbers(),
  ) {
    this.log = new Outbox(writer, dialect, logging)
  }

  /** First, and once: gives these routes and hosts their numbers, new ones created and counted, and holds the hosts. */
  async claim(routes: readonly RouteRef[], hosts: readonly SellerHost[]): Promise<void> {
    const { writer, dialect, counts, words, known } = this
    const names = new Set(hosts)
    for (const { at, host } of routes) if (at === undefined) names.add(host)
    const claimed = await claimHosts(writer, dialect, names, known.hosts)
    this.#hostIds = claimed.ids
    for (const [hostId, name] of claimed.created) words.addName(hostId, name)
    for (const hostId of claimed.ids.values()) counts.touch(hostId)
    for (const { at } of routes) if (at) counts.touch(at.hostId)
    await counts.hold(writer, dialect)
    this.#routes = await claimRoutes(writer, dialect, claimed.ids, routes, known.routes)
    for (const { hostId, path, rail } of this.#routes.created.values()) {
      counts.add(hostId, 'routes', 1)
      words.addPath(hostId, path)
      words.addRail(hostId, rail)
    }
  }

  /**
   * Instead of a claim, of hosts whose numbers are known: until the end nobody else changes anything of them. Names that are
   * not given are read where the log needs them.
   */
  async hold(hostIds: Iterable<number>, names: ReadonlyMap<SellerHost, number> = new Map()): Promise<void> {
    this.#hostIds = names
    for (const hostId of hostIds) this.counts.touch(hostId)
    await this.counts.hold(this.writer, this.dialect)
  }

  /** The number of a host that was claimed. */
  hostIdOf(host: SellerHost): number {
    const id = this.#hostIds.get(host)
    if (id === undefined) throw new Error('a host of the batch was not claimed')
    return id
  }

  /** The number of a route that was claimed: of that very object. */
  routeIdOf(ref: RouteRef): RouteId {
    return this.#routes.idOf(ref)
  }

  place<T extends RouteRef>(items: readonly T[]): Placed<T>[] {
    // With a spread, each of them would be a shape of its own to V8, and slow wherever anything is read of it.
    return items.map((item) => Object.assign({}, item, { at: this.#routes.idOf(item) }))
  }

  /** Routes that nobody had named before. They have no state yet. */
  get created(): RouteId[] {
    return [...this.#routes.created.values()]
  }

  isCreated(route: RouteId): boolean {
    const { created } = this.#routes
    return created.size > 0 && created.has(routeText(route))
  }

  /** Once it is committed. */
  remember(): void {
    this.known.remember(this.#hostIds, this.#routes.found)
  }

  announce(events: readonly PlacedEvent[]): void {
    for (const event of events) this.#events.push(event)
  }

  /** Class, facts or naming of these routes changed: what their hosts' routes sum up to is found again. */
  changed(routes: Iterable<RouteId>): void {
    for (const { hostId } of routes) this.#changed.add(hostId)
  }

  /** Last. Words are shared by all hosts, so they come after everything else that others may wait for. */
  async save(): Promise<void> {
    const { writer, dialect, counts } = this
    await saveEvents(writer, dialect, this.#events.splice(0))
    for (const [hostId, entryId] of this.log.newest) counts.logged(hostId, entryId)
    await this.log.save(new Map([...this.#hostIds].map(([name, hostId]) => [hostId, name])))
    await counts.save(writer, dialect)
    const { probed } = counts
    if (this.#changed.size > 0) await saveSummaries(writer, dialect, this.#changed)
    if (probed.length > 0) await saveMedians(writer, dialect, probed)
    await this.words.save(writer, dialect)
  }
}

export interface SaveOptions {
  /** Announce routes that appear and what changes, as of this time. A move between stores announces nothing. */
  readonly announceUs?: TimestampUs
  readonly logging?: Logging
  /** What else must happen in the same transaction, last. */
  readonly also?: (writer: Writer) => Promise<void>
}

/** Saves one batch, all of it or nothing. When this resolves it is durable. */
export async function saveBatch(
  store: Store,
  { announceUs, logging, also }: SaveOptions,
  work: (transaction: HostTransaction) => Promise<void>,
): Promise<void> {
  const known = knownNumbers(store)
  const committed = await store.write(async (writer) => {
    const transaction = new HostTransaction(writer, store.dialect, announceUs ?? null, logging, known)
    await work(transaction)
    await transaction.save()
    await also?.(writer)
    return transaction
  })
  committed.remember()
}
