import { Deltas } from './deltas.ts'
import { saveEvents } from './events.ts'
import type { Evidence, RouteRef } from './evidence.ts'
import { claimHosts, claimRoutes, type RouteId, routeText } from './hosts.ts'
import { refreshFacts, saveListings, savePayees } from './listings.ts'
import { appendProbes } from './probes.ts'
import { saveReviews } from './reviews.ts'
import type { Store } from './store.ts'
import { savePosts } from './threads.ts'

/**
 * Saves one batch of evidence with everything counted from it, in one transaction. When this resolves it is durable;
 * saving the same batch again changes nothing but the hosts' versions.
 */
export async function saveEvidence(store: Store, evidence: Evidence): Promise<void> {
  const { dialect } = store
  await store.prepareMonths(evidence.probes.map((probe) => probe.atUs))
  await store.write(async (writer) => {
    const deltas = new Deltas()
    const eventRoutes = evidence.events.flatMap((event): RouteRef[] =>
      event.route ? [{ ...event.route, host: event.host }] : [],
    )
    const routes: RouteRef[] = [
      ...evidence.listings,
      ...evidence.payees,
      ...evidence.probes,
      ...evidence.reviews,
      ...eventRoutes,
    ]
    const hosts = [...routes, ...evidence.posts, ...evidence.events].map(({ host }) => host)
    const hostIds = await claimHosts(writer, dialect, deltas, hosts)
    const routeIds = await claimRoutes(writer, dialect, deltas, hostIds, routes)
    for (const hostId of hostIds.values()) deltas.touch(hostId)
    const hostIdOf = (host: string): number => known(hostIds.get(host))
    const place = <T extends RouteRef>(items: readonly T[]): (T & { at: RouteId })[] =>
      items.map((item) => ({ ...item, at: known(routeIds.get(routeText(item))) }))

    const listings = place(evidence.listings)
    await saveListings(writer, dialect, listings)
    await savePayees(writer, dialect, place(evidence.payees))
    const challenged = await appendProbes(writer, dialect, deltas, place(evidence.probes))
    await saveReviews(writer, dialect, deltas, place(evidence.reviews))
    await refreshFacts(writer, dialect, [...listings.map(({ at }) => at), ...challenged])
    await savePosts(
      writer,
      deltas,
      evidence.posts.map((post) => ({ ...post, hostId: hostIdOf(post.host) })),
    )
    await saveEvents(
      writer,
      dialect,
      evidence.events.map((event) => ({
        ...event,
        hostId: hostIdOf(event.host),
        routeId: event.route && known(routeIds.get(routeText({ ...event.route, host: event.host }))).routeId,
      })),
    )
    await deltas.save(writer, dialect)
  })
}

/** Every host and route of the batch was claimed at its start. */
function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a host or route of the batch was not claimed')
  return value
}
