import type { Listing } from '../../domain/listing.ts'
import { type HostTransaction, type SaveOptions, saveBatch } from '../hosts/host-transaction.ts'
import { type Placed, routeText } from '../hosts/route-ref.ts'
import { excludeSellers } from '../reviews/exclude.ts'
import { ReviewMoves } from '../reviews/review-standing.ts'
import type { Store } from '../store.ts'
import { saveDescriptions } from './descriptions.ts'
import { announceFacts } from './fact-change.ts'
import { type DoubtfulRoutes, firstFacts, readRows, refreshFacts, routesWithNews } from './facts.ts'
import { type ListingInput, upsertListings } from './listings.ts'
import { logSighted } from './logged-rows.ts'
import type { OwnershipInput } from './ownership.ts'
import type { PayeeInput } from './payees.ts'
import { withinRows } from './room.ts'
import { openStates } from './route-state.ts'
import { saveSellers } from './save-sellers.ts'
import { markSeveral } from './several-prices.ts'
import { relist } from './unlisted.ts'

/** What listing sources say. */
export interface Listed {
  readonly listings: readonly ListingInput[]
  readonly payees?: readonly PayeeInput[]
  readonly ownership?: readonly OwnershipInput[]
}

/**
 * Saves what sources say with everything that follows from it, in one transaction. Saving the same again changes nothing
 * but the hosts' versions.
 */
export const saveListings = (
  store: Store,
  { listings, payees = [], ownership = [] }: Listed,
  options: SaveOptions = {},
): Promise<void> =>
  saveBatch(store, options, async (transaction) => {
    await transaction.claim(
      [...listings, ...payees],
      ownership.map(({ host }) => host),
    )
    const doubtful = await addListings(transaction, listings)
    const sellers = await saveSellers(transaction, payees, ownership)
    await excludeSellers(new ReviewMoves(transaction), sellers)
    await refreshFacts(transaction, doubtful)
  })

/**
 * The listings of a batch whose routes are claimed, and the state of the routes it created. Answers the routes whose
 * facts are to be refreshed once the rest of the batch is saved.
 */
export async function addListings(
  transaction: HostTransaction,
  inputs: readonly ListingInput[],
  /** Of what is created here and is probed too, or was elsewhere, the facts follow from both. */
  isProbed = false,
): Promise<DoubtfulRoutes> {
  const { writer, dialect, words, announceUs } = transaction
  const placed = transaction.place(inputs)
  const created = placed.filter(({ at }) => transaction.isCreated(at))
  // Rows that come with their end are joined by the store, so their facts follow from what is stored.
  const isRead = isProbed || created.some(({ goneUs }) => typeof goneUs === 'number')
  const first = isRead ? [] : firstFacts(created)
  await openStates(transaction, first)
  const known = placed.filter(({ at }) => !transaction.isCreated(at))
  const news = await routesWithNews(writer, dialect, known)
  const before = announceUs === null ? new Map() : await readRows(writer, dialect, news)
  const heard = withinRows(known, before)
  const listings = heard === known ? placed : [...created, ...heard]
  await upsertListings(transaction, listings)
  const marked = await markSeveral(writer, dialect, listings, news)
  words.addDescribed(await saveDescriptions(writer, dialect, listings, (route) => transaction.isCreated(route)))
  await logSighted(transaction, heard)
  for (const { at, source, network } of namedOnce(listings)) {
    words.addSource(at.hostId, source)
    words.addNetwork(at.hostId, network, transaction.isCreated(at))
  }
  const relisted = await relist(writer, dialect, heard)
  transaction.changed(relisted)
  const ended = listings.filter(({ goneUs }) => typeof goneUs === 'number')
  words.addFaceted([...relisted, ...ended.map(({ at }) => at)].map(({ hostId }) => hostId))
  const isRelisted = new Set(relisted.map(routeText))
  announceFacts(transaction, first)
  return {
    routes: [...(isRead ? created.map(({ at }) => at) : []), ...relisted, ...news, ...marked],
    before,
    isRelisted: (route) => isRelisted.size > 0 && isRelisted.has(routeText(route)),
  }
}

/** One listing of each source and network of a host. */
function namedOnce<L extends Placed<Listing>>(listings: readonly L[]): Iterable<L> {
  return new Map(
    listings.map((listing) => [`${listing.at.hostId}/${listing.source}/${listing.network}`, listing]),
  ).values()
}
