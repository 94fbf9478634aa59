import type { SellerHost } from '../../domain/host.ts'
import type { Statement } from '../../wire/sellers/records.ts'
import type { EventInput } from '../events/events.ts'
import { refreshFacts } from '../facts/facts.ts'
import { addListings } from '../facts/save-listings.ts'
import { saveSellers } from '../facts/save-sellers.ts'
import { addUnlisted } from '../facts/unlisted.ts'
import { type SaveOptions, saveBatch } from '../hosts/host-transaction.ts'
import type { RouteRef } from '../hosts/route-ref.ts'
import { addPosts } from '../posts/save-post.ts'
import { saveOffers } from '../probes/offers/save-offers.ts'
import { restoreFolded } from '../probes/restore-folded.ts'
import { addProbes } from '../probes/save-probes.ts'
import { vantageIds } from '../probes/vantages.ts'
import { excludeSellers } from '../reviews/exclude.ts'
import { ReviewMoves } from '../reviews/review-standing.ts'
import { saveReviews } from '../reviews/save-reviews.ts'
import type { Store } from '../store.ts'
import type { Evidence } from './evidence.ts'
import { addSellers, routeOfStatement } from './seller-records.ts'

export interface EvidenceOptions extends SaveOptions {
  /** Further hosts that `also` needs, created where nobody has named them. */
  readonly hosts?: readonly SellerHost[]
}

/** What became of the records that are no new rows. */
export interface Saved {
  /** Entries that were not taken: they are older than what is kept one by one. */
  readonly leftOut: number
  /** Listing rows that were there and whose beginning, end or last day these records have moved. */
  readonly changed: number
}

/**
 * Saves one batch of every kind of evidence with everything counted from it, in one transaction: what a move between
 * stores brings. Saving the same batch again changes nothing but the hosts' versions.
 */
export async function saveEvidence(store: Store, evidence: Evidence, options: EvidenceOptions = {}): Promise<Saved> {
  const { listings, payees, ownership, probes, folded, foldedLatency, reviews, posts, events } = evidence
  const { claims, statements, signedOffers, offerKeys, unlisted } = evidence
  const eventRoutes = new Map(
    events.flatMap((event): [EventInput, RouteRef][] =>
      event.route ? [[event, { ...event.route, host: event.host }]] : [],
    ),
  )
  const saidRoutes = new Map(
    statements.flatMap((statement): [Statement, RouteRef][] => {
      const route = routeOfStatement(statement)
      return route === null ? [] : [[statement, route]]
    }),
  )
  const named = [...eventRoutes.values(), ...saidRoutes.values()]
  const routes = [...listings, ...unlisted, ...payees, ...probes, ...folded, ...reviews, ...signedOffers, ...named]
  const hosts = [...posts, ...events, ...ownership, ...claims, ...statements, ...offerKeys, ...foldedLatency].map(
    ({ host }) => host,
  )
  await store.prepareMonths(probes.map(({ atUs }) => atUs))
  const vantages = await vantageIds(
    store,
    probes.map(({ vantage }) => vantage),
  )
  let saved: Saved = { leftOut: 0, changed: 0 }
  await saveBatch(store, { logging: 'imported', ...options }, async (transaction) => {
    await transaction.claim(routes, [...hosts, ...(options.hosts ?? [])])
    const doubtful = await addListings(transaction, listings, probes.length > 0 || folded.length > 0)
    await addUnlisted(transaction, unlisted)
    const sellers = await saveSellers(transaction, payees, ownership)
    const restored = await restoreFolded(transaction, evidence)
    const challenged = await addProbes(transaction, probes, vantages)
    const moves = new ReviewMoves(transaction)
    await saveReviews(moves, transaction.place(reviews))
    await excludeSellers(moves, sellers)
    await refreshFacts(transaction, { ...doubtful, routes: [...doubtful.routes, ...challenged, ...restored] })
    await saveOffers(transaction, { offers: signedOffers, keys: offerKeys })
    await addPosts(transaction, posts)
    await addSellers(transaction, claims, statements, saidRoutes)
    transaction.announce(
      events.map((event) => {
        const route = eventRoutes.get(event)
        const routeId = route === undefined ? null : transaction.routeIdOf(route).routeId
        return { ...event, hostId: transaction.hostIdOf(event.host), routeId }
      }),
    )
    saved = { leftOut: transaction.leftOut, changed: transaction.changedRows }
  })
  return saved
}
