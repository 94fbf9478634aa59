import type { Vantage } from '../../domain/now/vantage.ts'
import { refreshFacts } from '../facts/facts.ts'
import type { PayeeInput } from '../facts/payees.ts'
import { openStates } from '../facts/route-state.ts'
import { saveSellers } from '../facts/save-sellers.ts'
import { type HostTransaction, type SaveOptions, saveBatch } from '../hosts/host-transaction.ts'
import type { RouteId } from '../hosts/route-ref.ts'
import { excludeSellers } from '../reviews/exclude.ts'
import { ReviewMoves } from '../reviews/review-standing.ts'
import type { Store } from '../store.ts'
import { classChanges } from './classes.ts'
import { askBefore } from './newest.ts'
import { type OffersSeen, saveOffers } from './offers/save-offers.ts'
import { appendProbes, type ProbeInput, placeProbes, writeTexts } from './probes.ts'
import { sightChanges } from './sight-changes.ts'
import { vantageIds } from './vantages.ts'

/** What probes saw: entries, and who asked to be paid. */
export interface Observed {
  readonly probes: readonly ProbeInput[]
  readonly payees?: readonly PayeeInput[]
  /** What sellers put their signatures to, and which keys their documents name. */
  readonly signed?: OffersSeen
}

/**
 * Saves entries with everything counted from them, and what their challenges change in the facts, in one transaction.
 * Saving the same again changes nothing but the hosts' versions. Answers how many entries were left out.
 */
export async function saveProbes(
  store: Store,
  { probes, payees = [], signed = { offers: [] } }: Observed,
  options: SaveOptions = {},
): Promise<number> {
  let leftOut = 0
  await store.prepareMonths(probes.map(({ atUs }) => atUs))
  const vantages = await vantageIds(
    store,
    probes.map(({ vantage }) => vantage),
  )
  await saveBatch(store, options, async (transaction) => {
    const readings = signed.readings ?? []
    await transaction.claim(
      [...payees, ...probes, ...signed.offers],
      readings.map(({ host }) => host),
    )
    await openStates(transaction)
    const sellers = await saveSellers(transaction, payees)
    const challenged = await addProbes(transaction, probes, vantages)
    await excludeSellers(new ReviewMoves(transaction), sellers)
    await refreshFacts(transaction, { routes: challenged })
    await saveOffers(transaction, signed)
    leftOut = transaction.leftOut
  })
  return leftOut
}

/** The entries of a batch whose routes are claimed. Answers the routes that answered with another challenge than before. */
export async function addProbes(
  transaction: HostTransaction,
  inputs: readonly ProbeInput[],
  vantages: ReadonlyMap<Vantage, number>,
): Promise<RouteId[]> {
  const { writer, dialect, announceUs } = transaction
  const placed = placeProbes(transaction, inputs)
  const stored = await askBefore(writer, dialect, placed)
  // While the store looks for them.
  writeTexts(placed)
  await transaction.log.reserve(placed.length)
  const { keptSinceUs, routes: before } = await stored()
  // Older ones were counted before they were removed, and would count again.
  const probes = keptSinceUs === null ? placed : placed.filter(({ input }) => input.atUs >= keptSinceUs)
  transaction.leftOut = placed.length - probes.length
  const appended = await appendProbes(transaction, probes, before, vantages)
  if (announceUs !== null) {
    transaction.announce(classChanges(before, appended))
    transaction.announce(sightChanges(before, appended))
  }
  return appended.filter(
    ({ route, challengeId }) => challengeId !== null && before.get(route)?.challengeId !== challengeId,
  )
}
