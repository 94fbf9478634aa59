import type { SellerHost } from '../domain/host.ts'
import type { Listing } from '../domain/listing.ts'
import { formatPrice } from '../domain/price.ts'
import type { TimestampUs } from '../domain/timestamp.ts'
import { walletKey } from '../domain/wallet.ts'
import { classChanges, keyOf, newestEntries } from './classes.ts'
import { Deltas } from './deltas.ts'
import { saveDescriptions } from './descriptions.ts'
import { type PlacedEvent, saveEvents } from './events.ts'
import type { EventInput, Evidence, RouteRef } from './evidence.ts'
import { excludeSellers, newSellers } from './exclude.ts'
import { changedFacts, type FactChange, firstFacts, openStates, routesWithNews, saveFacts } from './facts.ts'
import { claimHosts, claimRoutes, type RouteId } from './hosts.ts'
import { saveListings, savePayees } from './listings.ts'
import { appendProbes } from './probes.ts'
import { restoreFolded } from './restore.ts'
import { withoutFolded } from './retention.ts'
import { ReviewMoves } from './review-standing.ts'
import { saveReviews } from './reviews.ts'
import type { Writer } from './schema.ts'
import type { Store } from './store.ts'
import { saveOwnership } from './sweeps.ts'
import { savePosts } from './threads.ts'
import { relist } from './unlisted.ts'

export interface SaveOptions {
  /** Announce routes that appear and prices that change, as of this time. A move between stores announces nothing. */
  readonly announceUs?: TimestampUs
  /** Further hosts that `also` needs, created where nobody has named them. */
  readonly hosts?: readonly SellerHost[]
  /** What else must happen in the same transaction, last. */
  readonly also?: (writer: Writer) => Promise<void>
}

/**
 * Saves one batch of evidence with everything counted from it, in one transaction. When this resolves it is durable;
 * saving the same batch again changes nothing but the hosts' versions.
 */
export async function saveEvidence(store: Store, evidence: Evidence, options: SaveOptions = {}): Promise<void> {
  const { dialect } = store
  await store.prepareMonths(evidence.probes.map((probe) => probe.atUs))
  await store.write(async (writer) => {
    const deltas = new Deltas()
    const eventRoutes = new Map(
      evidence.events.flatMap((event): [EventInput, RouteRef][] =>
        event.route ? [[event, { ...event.route, host: event.host }]] : [],
      ),
    )
    const routes: RouteRef[] = [
      ...evidence.listings,
      ...evidence.payees,
      ...evidence.probes,
      ...evidence.folded,
      ...evidence.reviews,
      ...eventRoutes.values(),
    ]
    const named = [
      ...routes.filter(({ at }) => at === undefined),
      ...evidence.posts,
      ...evidence.events,
      ...evidence.ownership,
      ...evidence.foldedLatency,
    ].map(({ host }) => host)
    const hostIds = await claimHosts(writer, dialect, deltas, [...named, ...(options.hosts ?? [])])
    for (const hostId of hostIds.values()) deltas.touch(hostId)
    for (const { at } of routes) if (at) deltas.touch(at.hostId)
    await deltas.hold(writer, dialect)
    const claimed = await claimRoutes(writer, dialect, deltas, hostIds, routes)
    const hostIdOf = (host: string): number => known(hostIds.get(host))
    const place = <T extends RouteRef>(items: readonly T[]): (T & { at: RouteId })[] =>
      items.map((item) => ({ ...item, at: claimed.idOf(item) }))

    const listings = place(evidence.listings)
    const heard = listings.filter(({ at }) => !claimed.isCreated(at))
    // Of what is created here and was probed too, or was elsewhere, the facts follow from both.
    const isProbed = evidence.probes.length > 0 || evidence.folded.length > 0
    const created = listings.filter(({ at }) => claimed.isCreated(at))
    const first = isProbed ? [] : firstFacts(created)
    await openStates(writer, dialect, claimed.created, first)
    const news = await routesWithNews(writer, dialect, heard)
    await saveListings(writer, dialect, listings)
    deltas.words.addDescribed(await saveDescriptions(writer, dialect, listings, claimed.isCreated))
    for (const { at, source, network } of namedOnce(listings)) {
      deltas.words.addSource(at.hostId, source)
      deltas.words.addNetwork(at.hostId, network)
    }
    const relisted = new Set((await relist(writer, dialect, heard)).map(keyOf))
    const isRelisted = (route: RouteId): boolean => relisted.size > 0 && relisted.has(keyOf(route))
    const payees = place(evidence.payees)
    const claims = evidence.ownership.map((claim) => ({ ...claim, hostId: hostIdOf(claim.host) }))
    const sellers = await newSellers(writer, dialect, [
      ...payees.map(({ at, payee }) => ({ hostId: at.hostId, key: walletKey(payee) })),
      ...claims.map(({ hostId, signer }) => ({ hostId, key: walletKey(signer) })),
    ])
    await savePayees(writer, dialect, payees)
    await saveOwnership(writer, dialect, claims)
    const restored = await restoreFolded(writer, dialect, deltas, {
      keptSinceUs: evidence.keptSinceUs,
      routes: place(evidence.folded),
      latency: evidence.foldedLatency.map((item) => ({ ...item, hostId: hostIdOf(item.host) })),
    })
    const probes = place(await withoutFolded(writer, evidence.probes))
    const before = options.announceUs === undefined ? null : await newestEntries(writer, dialect, probes)
    const challenged = await appendProbes(writer, dialect, deltas, probes)
    const moves = new ReviewMoves(writer, dialect, deltas, options.announceUs ?? null)
    await saveReviews(moves, place(evidence.reviews))
    await excludeSellers(moves, sellers)
    await moves.save()
    const doubtful = [
      ...(isProbed ? created : []).map(({ at }) => at),
      ...heard.flatMap(({ at }) => (isRelisted(at) ? [at] : [])),
      ...news,
      ...challenged.filter((route) => before?.get(keyOf(route))?.challengeId !== route.challengeId),
      ...restored,
    ]
    const changed = await changedFacts(writer, dialect, doubtful, isRelisted)
    await saveFacts(writer, dialect, changed)
    const announced =
      options.announceUs === undefined || before === null
        ? []
        : [...[...first, ...changed].flatMap(announcementOf(options.announceUs)), ...classChanges(before, probes)]
    await savePosts(
      writer,
      deltas,
      evidence.posts.map((post) => ({ ...post, hostId: hostIdOf(post.host) })),
    )
    const events = evidence.events.map((event) => ({
      ...event,
      hostId: hostIdOf(event.host),
      routeId: event.route && claimed.idOf(known(eventRoutes.get(event))).routeId,
    }))
    await saveEvents(writer, dialect, [...events, ...announced])
    await deltas.save(writer, dialect)
    await options.also?.(writer)
  })
}

/** Every host of the batch was claimed at its start. */
function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a host of the batch was not claimed')
  return value
}

/** One listing of each source and network of a host. */
function namedOnce<L extends Listing & { readonly at: RouteId }>(listings: readonly L[]): Iterable<L> {
  return new Map(
    listings.map((listing) => [`${listing.at.hostId}/${listing.source}/${listing.network}`, listing]),
  ).values()
}

/** A first price is a route that appeared; another price, network or status is a change. */
const announcementOf =
  (atUs: TimestampUs) =>
  ({ hostId, routeId, before, after, isNew }: FactChange): PlacedEvent[] => {
    const place = { hostId, routeId, atUs }
    const priced = (price: number | null): string | null => (price === null ? null : formatPrice(price))
    const facts = { price: priced(after.price), network: after.network }
    if (isNew) return [{ ...place, kind: 'route_appeared', data: facts }]
    const events: PlacedEvent[] = []
    if (before.price !== after.price) {
      events.push({ ...place, kind: 'price_changed', data: { from: priced(before.price), to: priced(after.price) } })
    }
    if (before.probeStatus !== after.probeStatus) {
      events.push({ ...place, kind: 'probe_status_changed', data: { from: before.probeStatus, to: after.probeStatus } })
    }
    return events
  }
