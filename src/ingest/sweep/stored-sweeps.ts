import type { SellerHost } from '../../domain/host.ts'
import { formatTimestamp, type TimestampUs } from '../../domain/time/timestamp.ts'
import type { ListingInput } from '../../store/facts/listings.ts'
import { logOwnership } from '../../store/facts/logged-sellers.ts'
import { type PlacedOwnership, upsertOwnership } from '../../store/facts/ownership.ts'
import { type PayeeInput, payeesOf } from '../../store/facts/payees.ts'
import {
  keepReadDocument,
  keepRefusals,
  readDocumentsOf,
  saveReadDocuments,
  saveRefusals,
} from '../../store/facts/refusals.ts'
import { endRows } from '../../store/facts/row-ends.ts'
import { saveListings } from '../../store/facts/save-listings.ts'
import {
  countRowsSince,
  holdSource,
  hostsAfter,
  knownSource,
  readCompleteSweeps,
  readSource,
  rowsSeenAgain,
  saveFailedPage,
  saveSweep,
} from '../../store/facts/sweeps.ts'
import { announceUnlisted, isMissingSome, isNamingNew } from '../../store/facts/unlisted.ts'
import { findHostId } from '../../store/host-id.ts'
import { byShard, likelyIdOf } from '../../store/hosts/by-shard.ts'
import { Outbox } from '../../store/hosts/outbox.ts'
import type { Reader, Writer } from '../../store/schema.ts'
import { readJson } from '../../store/sql/json.ts'
import type { Store } from '../../store/store.ts'
import type { SweepRecord } from '../../wire/log/logged-record.ts'
import type { FoundListing, OwnershipProof } from '../found.ts'
import { signerOf } from '../ownership.ts'
import type { KnownSeller } from './seller.ts'
import type { KnownDocument, Progress, SweepOutcome, SweepPage, SweepStore, Unchanged } from './sweep-store.ts'
import { withRoom, withRoomBelow } from './with-room.ts'

/**
 * Sweeps on the directory's own store. A page, what it says of documents, and how far the sweep is, commit together, and only
 * while the program that sweeps still has the source; `null`: nobody else can.
 */
export const sweepsOn = (store: Store, by: string | null = null): SweepStore => ({
  loadProgress: async (source) => {
    const row = await readSource(store.read, source)
    return readJson<Progress>(row?.progress ?? null)
  },
  lastComplete: async (source) => (await readCompleteSweeps(store.read, source, 1)).at(0),
  isMissingSome: (source, startedUs) => isMissingSome(store, { source, startedUs, isWhole: true }),
  isNamingNew: (source, startedUs) => isNamingNew(store, { source, startedUs }),
  loadDocument: (source, url, host) => loadDocument(store.read, source, url, host),
  lastReadAt: async (source, host) =>
    (await readDocumentsOf(store.read, host)).find((document) => document.source === source)?.url ?? null,
  withRoom: async (source, found, seller) =>
    withRoom(store, source, seller === undefined ? found : await withRoomBelow(store, seller, found)),
  savePage: (page) => savePage(store, page, by),
  finishSweep: (outcome, progress) => finishSweep(store, outcome, progress, by),
})

async function knownDocument(reader: Reader, source: string, url: string): Promise<KnownDocument | null> {
  const row = await reader
    .selectFrom('source_documents')
    .select('known')
    .where('source', '=', source)
    .where('url', '=', url)
    .executeTakeFirst()
  return readJson<KnownDocument>(row?.known ?? null)
}

async function loadDocument(
  reader: Reader,
  source: string,
  url: string,
  host: SellerHost | null,
): Promise<KnownDocument | null> {
  const known = await knownDocument(reader, source, url)
  if (known === null || host === null) return known
  const id = await findHostId(reader, host)
  const rows = id === undefined ? 0 : await countRowsSince(reader, source, id, known.rowsUs)
  return rows === known.stored ? known : null
}

async function savePage(store: Store, page: SweepPage, by: string | null): Promise<void> {
  const again = await Promise.all(page.unchanged.map((unchanged) => seenAgain(store, page, unchanged)))
  await saveFound(store, page, again.flat(), async (writer) => {
    await saveProgress(writer, page.source, page.progress, by)
    for (const { url, known } of page.documents) {
      await saveDocument(writer, page.source, url, known && { ...known, rowsUs: page.atUs })
    }
    for (const { url, host } of page.unchanged) {
      await moveDocument(writer, page.source, url, page.atUs)
      if (host !== null) await keepReadDocument(writer, { source: page.source, host, url, readUs: page.atUs })
    }
    const { startedUs } = page.progress
    if (page.unchanged.some(({ host }) => host === null)) await keepRefusals(writer, page.source, startedUs)
    await saveRefusals(writer, page.source, startedUs, page.refused)
    await saveReadDocuments(writer, page.read)
    await logPages(new Outbox(writer, store.dialect, 'live'), page)
  })
}

/** Hashes that one entry of the log has room for. */
const PAGES_A_RECORD = 500

async function logPages(log: Outbox, { source, progress, rawPages }: SweepPage): Promise<void> {
  const started = formatTimestamp(progress.startedUs)
  for (let from = 0; from < rawPages.length; from += PAGES_A_RECORD) {
    const pages = rawPages.slice(from, from + PAGES_A_RECORD)
    await log.add(null, [{ kind: 'sweep_pages', source, started, pages }])
  }
  await log.save()
}

/** What a source said, wherever it was read. */
export type FoundPage = Pick<SweepPage, 'source' | 'atUs' | 'listings' | 'proofs'> & {
  /** Of the sweep that reads it; unset outside of sweeps. */
  readonly progress?: Pick<Progress, 'startedUs'>
}

/** Stores listings, payees and claims, announces what changed, and does `also` in the transaction that stores the last of them. */
export async function saveFound(
  store: Store,
  page: FoundPage,
  again: readonly ListingInput[],
  also: (writer: Writer) => Promise<void>,
): Promise<void> {
  const listings = [...page.listings.map((found) => listingOf(page, found)), ...again]
  const payees = page.listings.flatMap((found) => payeesFrom(page, found))
  const last = async (writer: Writer): Promise<void> => {
    const claims = await Promise.all(page.proofs.map((proof) => claimOf(writer, proof, page.atUs)))
    await upsertOwnership(writer, store.dialect, claims.flat())
    const log = new Outbox(writer, store.dialect, 'live')
    await logOwnership(
      log,
      claims.flat().map(({ hostId }) => hostId),
    )
    await log.save()
    await also(writer)
  }
  const parts = byShard(store.dialect, listings, likelyIdOf)
  const payeesAt = byShard(store.dialect, payees, likelyIdOf)
  let left = parts.size
  for (const [shard, part] of parts) {
    left -= 1
    const options = { announceUs: page.atUs, ...(left === 0 ? { also: last } : {}) }
    await saveListings(store, { listings: part, payees: payeesAt.get(shard) ?? [] }, options)
  }
}

// Written out: with spreads, making these two kinds of objects costs more than reading them from the page.
const listingOf = ({ source, atUs, progress }: FoundPage, found: FoundListing): ListingInput => ({
  host: found.address.host,
  scheme: found.address.scheme,
  path: found.address.path,
  method: found.method,
  rail: found.rail,
  source,
  price: found.price,
  network: found.network,
  description: found.description,
  isMethodStated: found.methodStated,
  firstUs: atUs,
  lastUs: atUs,
  sweepUs: progress?.startedUs,
})

const payeesFrom = ({ source, atUs }: FoundPage, { address, method, rail, payees }: FoundListing): PayeeInput[] =>
  payees.map(({ network, payee, asset }) => ({
    host: address.host,
    scheme: address.scheme,
    path: address.path,
    method,
    rail,
    network,
    payee,
    asset,
    origin: 'listing',
    source,
    firstUs: atUs,
    lastUs: atUs,
  }))

async function seenAgain(store: Store, page: SweepPage, unchanged: Unchanged): Promise<ListingInput[]> {
  const { host, rowsUs } = unchanged
  if (host === null) return rowsSeenAgain(store.read, page.source, null, rowsUs, page.atUs)
  const id = await findHostId(store.read, host)
  return id === undefined ? [] : rowsSeenAgain(store.read, page.source, { id }, rowsUs, page.atUs)
}

async function saveProgress(
  writer: Writer,
  source: string,
  progress: Progress | null,
  by: string | null,
): Promise<void> {
  if (by === null) await knownSource(writer, source)
  else await holdSource(writer, source, by)
  const text = progress === null ? null : JSON.stringify(progress)
  await writer.updateTable('sources').set({ progress: text }).where('name', '=', source).execute()
}

async function saveDocument(writer: Writer, source: string, url: string, known: KnownDocument | null): Promise<void> {
  if (known === null) {
    await writer.deleteFrom('source_documents').where('source', '=', source).where('url', '=', url).execute()
    return
  }
  const row = { source, url, known: JSON.stringify(known) }
  await writer
    .insertInto('source_documents')
    .values(row)
    .onConflict((conflict) => conflict.columns(['source', 'url']).doUpdateSet(row))
    .execute()
}

async function moveDocument(writer: Writer, source: string, url: string, atUs: TimestampUs): Promise<void> {
  const known = await knownDocument(writer, source, url)
  if (known !== null) await saveDocument(writer, source, url, { ...known, rowsUs: atUs })
}

/** A claim is kept when a payee seen for the host, this page's included, signed its origin. */
async function claimOf(writer: Writer, proof: OwnershipProof, atUs: TimestampUs): Promise<PlacedOwnership[]> {
  const hostId = await findHostId(writer, new URL(proof.origin).host)
  if (hostId === undefined) return []
  const signer = signerOf(proof, await payeesOf(writer, hostId))
  return signer === null
    ? []
    : [{ hostId, signer, origin: proof.origin, proof: proof.proof, firstUs: atUs, lastUs: atUs }]
}

async function finishSweep(
  store: Store,
  outcome: SweepOutcome,
  progress: Progress | null,
  by: string | null,
): Promise<void> {
  if (by !== null) await store.write((writer) => holdSource(writer, outcome.source, by))
  if (outcome.status === 'complete') {
    await endRows(store, outcome)
    await announceUnlisted(store, outcome)
  }
  await saveOutcome(store, outcome, progress, by)
}

const saveOutcome = (
  store: Store,
  outcome: SweepOutcome,
  progress: Progress | null,
  by: string | null,
): Promise<void> =>
  store.write(async (writer) => {
    await saveProgress(writer, outcome.source, progress, by)
    if (outcome.failedPage !== null) await saveFailedPage(writer, outcome.source, outcome.failedPage)
    await saveSweep(writer, {
      source: outcome.source,
      started_us: outcome.startedUs,
      ended_us: outcome.endedUs,
      status: outcome.status,
      resumed: outcome.resumed ? 1 : 0,
      seen: outcome.seen,
      stored: outcome.stored,
      pages: outcome.pages,
      bytes: outcome.bytes,
      refused: JSON.stringify(outcome.refused),
      answers: JSON.stringify(outcome.answers),
      announced: outcome.announced,
      error: outcome.error,
    })
    const log = new Outbox(writer, store.dialect, 'live')
    await log.add(null, [sweepRecord(outcome)])
    await log.save()
  })

const sweepRecord = (outcome: SweepOutcome): SweepRecord => ({
  kind: 'sweep',
  source: outcome.source,
  started: formatTimestamp(outcome.startedUs),
  ended: formatTimestamp(outcome.endedUs),
  status: outcome.status,
  complete: outcome.status === 'complete',
  error: outcome.error,
  seen: outcome.seen,
  stored: outcome.stored,
  pages: outcome.pages,
  bytes: outcome.bytes,
  refused: outcome.refused,
})

const SELLERS_PAGE = 500

/** All known hosts after one, in the order of their bytes. */
export const sellersIn = (store: Store) =>
  async function* (after: string): AsyncGenerator<KnownSeller> {
    let last = after
    for (;;) {
      const page = await hostsAfter(store.read, last, SELLERS_PAGE)
      yield* page
      const end = page.at(-1)
      if (end === undefined) return
      last = end.host
    }
  }
