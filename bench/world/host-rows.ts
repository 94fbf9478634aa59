import { hostKey, key53, routeKey } from '../../src/domain/keys.ts'
import { routeFacts } from '../../src/domain/money/route-price.ts'
import { networkKey } from '../../src/domain/network.ts'
import { continueRun } from '../../src/domain/now/run.ts'
import { classify } from '../../src/domain/probe.ts'
import { formatTimestamp } from '../../src/domain/time/timestamp.ts'
import { listingText } from '../../src/store/facts/listing-record.ts'
import type { ListingInput } from '../../src/store/facts/listings.ts'
import { factColumns } from '../../src/store/facts/route-state.ts'
import type { HostCounts } from '../../src/store/hosts/host-counts.ts'
import { resultsIn } from '../../src/store/hosts/result-columns.ts'
import { challengeText } from '../../src/store/probes/challenges.ts'
import { NO_STATUS } from '../../src/store/probes/no-status.ts'
import { probeText } from '../../src/store/probes/probe-record.ts'
import type { ProbeInput } from '../../src/store/probes/probes.ts'
import { runColumns } from '../../src/store/probes/runs.ts'
import { PLACES } from '../../src/store/search/found-words.ts'
import { entryText, LARGEST_ENTRY } from '../../src/wire/log/entry.ts'
import { hostWords, newWordRows } from '../rigs/host-words.ts'
import type { TableRows } from './tables.ts'
import type { WorldHost, WorldRoute } from './world.ts'

/** The entry of the log that the host's first transaction has, and how far the next ones are apart. */
export interface LogIds {
  readonly first: number
  readonly step: number
}

interface Into {
  readonly rows: TableRows
  readonly counts: HostCounts
  /** Words that other hosts brought. */
  readonly words: Set<string>
}

/**
 * The rows that are left of a host when its listings and then its rounds are saved, one transaction each; what is counted
 * from them goes into `counts`.
 */
export function addHost(host: WorldHost, ids: LogIds, { rows, counts, words }: Into): void {
  const hostId = hostKey(host.name)
  rows.add('hosts', [hostId, host.name])
  counts.add(hostId, 'routes', host.routes.length)
  const routes = host.routes
    .map((route, index) => ({ ...route, index, routeId: routeKey(route.ref) }))
    .sort((a, b) => a.routeId - b.routeId)
  const log = (transaction: number, savedUs: number, records: readonly string[]): void => {
    const text = entryText({ at: formatTimestamp(savedUs), host: host.name, isImported: false }, records)
    if (text.length > LARGEST_ENTRY) throw new Error(`${host.name} has more routes than one entry of the log holds`)
    rows.add('log_entries', [ids.first + transaction * ids.step, hostId, text])
    counts.logged(hostId, ids.first + transaction * ids.step)
  }
  const listings = routes.flatMap((route) => route.listings)
  log(
    0,
    listings.at(-1)?.lastUs ?? 0,
    listings.map((listing) => listingText(listing)),
  )
  for (const [round, entries] of host.rounds.entries()) {
    for (const { httpStatus, atUs, latencyMs } of entries) counts.probe(hostId, httpStatus, atUs, latencyMs)
    const texts = routes.flatMap(({ index }) => entries.slice(index, index + 1).map(probeText))
    log(round + 1, entries.at(-1)?.atUs ?? 0, texts)
  }
  const challenges = new Set<number>()
  for (const { index, routeId, ...route } of routes) {
    const entries = host.rounds.flatMap((round) => round.slice(index, index + 1))
    addListings(hostId, routeId, route, ids, rows)
    const challengeId = key53(challengeText(route.challenge))
    if (entries.some(({ challenge }) => challenge !== null) && !challenges.has(challengeId)) {
      challenges.add(challengeId)
      rows.add('challenges', [hostId, challengeId, challengeText(route.challenge)])
    }
    addEntries({ hostId, routeId, challengeId }, route, entries, ids, rows)
  }
  addWords(hostId, host.name, listings, words, rows)
}

function addListings(
  hostId: number,
  routeId: number,
  { ref, listings }: WorldRoute,
  ids: LogIds,
  rows: TableRows,
): void {
  rows.add('routes', [hostId, routeId, ref.scheme, ref.method, ref.path, ref.rail])
  for (const { source, price, network, firstUs, lastUs, description } of listings) {
    const said = [source, price ?? -1, network ?? '', network === null ? '' : networkKey(network), firstUs, lastUs]
    rows.add('listings', [hostId, routeId, ...said, ids.first, lastUs])
    if (typeof description === 'string') rows.add('descriptions', [hostId, routeId, source, description])
  }
}

interface EntriesAt {
  readonly hostId: number
  readonly routeId: number
  readonly challengeId: number
}

/** Entries of one route, oldest first. */
function addEntries(
  { hostId, routeId, challengeId }: EntriesAt,
  { ref, listings }: WorldRoute,
  entries: readonly ProbeInput[],
  ids: LogIds,
  rows: TableRows,
): void {
  for (const [round, { atUs, httpStatus, latencyMs, error, challenge, timings, remoteAddress }] of entries.entries()) {
    const { dnsMs = null, connectMs = null, tlsMs = null, firstByteMs = null } = timings ?? {}
    const [status, asked] = [httpStatus ?? NO_STATUS, challenge === null ? null : challengeId]
    const logId = ids.first + (round + 1) * ids.step
    // biome-ignore format: a row of the table
    rows.add('probes', [
      hostId, routeId, atUs, status, latencyMs, error, asked, dnsMs, connectMs, tlsMs, firstByteMs, remoteAddress, logId,
    ])
  }
  const newest = entries.findLast(({ challenge }) => challenge !== null)
  const facts = factColumns(routeFacts(ref.rail, listings, newest?.challenge ?? null))
  const run = runColumns(continueRun(null, entries))
  rows.add('route_state', [
    ...[hostId, routeId, facts.price, facts.network, facts.probe_status, facts.price_low, facts.price_high],
    ...[facts.matching, 1, entries.length, 0, entries.at(-1)?.atUs ?? null],
    ...[newest === undefined ? null : challengeId, newest?.atUs ?? null],
    ...[run.now_status, run.now_since_us, run.last_402_us],
    resultsIn(entries.map(({ httpStatus }) => classify(httpStatus))),
  ])
}

function addWords(
  hostId: number,
  name: string,
  listings: readonly ListingInput[],
  known: Set<string>,
  rows: TableRows,
): void {
  for (const [word, place] of hostWords(name, listings)) {
    rows.add('search_places', [word, hostId, place])
    if (place === PLACES.facet || known.has(word)) continue
    known.add(word)
    const fresh = newWordRows(word)
    rows.add('search_words', fresh.word)
    for (const gram of fresh.grams) rows.add('search_grams', gram)
  }
}
