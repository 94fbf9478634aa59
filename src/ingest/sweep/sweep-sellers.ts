import { addressOf } from '../../domain/route.ts'
import type { Found } from '../found.ts'
import { READER, type SellerSource } from '../source.ts'
import { PARSER_BROKE } from './read-with.ts'
import {
  type KnownSeller,
  readDocumentOf,
  readSeller,
  type SellerAsking,
  type SellerReading,
  saysNothing,
} from './seller.ts'
import { isLeftAlone } from './seller-calls.ts'
import { withAnswer, withFound, withUnchanged } from './sweep-counts.ts'
import type { Ending, SweepRun } from './sweep-run.ts'
import type { DocumentWrite, Unchanged } from './sweep-store.ts'

/** Known sellers whose host comes after `after` in the order of bytes (all for the empty text). */
export type KnownSellers = (after: string) => AsyncIterable<KnownSeller>

async function* inGroups<T>(values: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let group: T[] = []
  for await (const value of values) {
    group.push(value)
    if (group.length < size) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

/**
 * A document is remembered, and asked for conditionally, only where it says something and all its rows are on its own host:
 * an unchanged one is the answer, and moves the rows of that host.
 */
function documentOf(reading: SellerReading): DocumentWrite[] {
  const { url, version, found, seller } = reading
  if (url === null || reading.unchanged !== null) return []
  const isOwn = !saysNothing(found) && found.listings.every(({ address }) => address.host === seller.host)
  const counted = { seen: found.seen, stored: found.listings.length }
  return [{ url, known: isOwn && version ? { ...version, ...counted, reader: READER } : null }]
}

function unchangedOf({ url, unchanged, seller }: SellerReading): Unchanged[] {
  return url === null || unchanged === null ? [] : [{ url, host: seller.host, rowsUs: unchanged.rowsUs }]
}

const INTERRUPTED = 'interrupted'

function askingFor(source: SellerSource, run: SweepRun): SellerAsking {
  const { documentBytes, documentMs, sellerPatience } = run.limits
  const { deps } = run
  return {
    allow: deps.allow,
    now: deps.now,
    ask: async (seller, path, version) => {
      const url = addressOf(seller.scheme, seller.host, path)
      const limits = { bytes: documentBytes, ms: documentMs, patience: sellerPatience }
      const asked = await deps.calls.ask(seller, path, deps, () => run.ask(url, version, limits))
      if (asked.kind === 'unasked' && asked.why !== INTERRUPTED) run.count(withAnswer(run.counts, asked.why))
      if (asked.kind === 'failed' && asked.status === 200) run.keepFailure(url, asked)
      return asked
    },
    known: async (seller, url) => {
      const known = await deps.store.loadDocument(source.name, url, seller.host)
      return known?.reader === READER ? known : null
    },
    lastReadAt: (seller) => deps.store.lastReadAt(source.name, seller.host),
    keepBroken: (url, body) => run.keepFailure(url, { error: PARSER_BROKE, status: 200, body }),
  }
}

async function saveGroup(readings: readonly SellerReading[], run: SweepRun): Promise<void> {
  const atUs = run.deps.now()
  const founds: Found[] = readings.map(({ found }) => found)
  let counts = run.counts
  for (const { found, unchanged, url } of readings) {
    if (unchanged !== null) counts = withUnchanged(counts, unchanged)
    else if (url !== null) counts = withFound(counts, found)
  }
  const page = {
    atUs,
    listings: founds.flatMap(({ listings }) => listings),
    proofs: founds.flatMap(({ proofs }) => proofs),
    documents: readings.flatMap(documentOf),
    unchanged: readings.flatMap(unchangedOf),
    refused: founds.flatMap(({ refused }) => refused),
    read: readings.flatMap((reading) => readDocumentOf(run.source, reading, atUs)),
  }
  await run.save(page, readings.at(-1)?.seller.host ?? run.cursor, counts)
}

async function readWithRoom(
  source: SellerSource,
  seller: KnownSeller,
  asking: SellerAsking,
  run: SweepRun,
): Promise<SellerReading> {
  const reading = await readSeller(source, seller, asking)
  return { ...reading, found: await run.deps.store.withRoom(run.source, reading.found, seller.host) }
}

const isAnswer = (word: string): boolean =>
  word === 'document' || word === 'not_modified' || /^http_|^invalid|^parser/.test(word)

/** Asks every known seller for one kind of document. A seller without one, or one that is left alone, is no failure. */
export async function sweepSellers(source: SellerSource, sellers: KnownSellers, run: SweepRun): Promise<Ending> {
  const bytesBefore = run.counts.bytes
  const asking = askingFor(source, run)
  let answered = 0
  let silent = 0
  for await (const group of inGroups(sellers(run.cursor), run.limits.sellersAtOnce)) {
    const stop = run.stopped(bytesBefore)
    if (stop !== undefined) return { kind: 'stop', error: stop, resume: true }
    const readings = await Promise.all(group.map((seller) => readWithRoom(source, seller, asking, run)))
    const heard = readings.map(({ answers }) => answers.map(({ answer }) => answer))
    // What was read of these sellers is read again: nobody may be passed over.
    if (heard.some((answers) => answers.includes(INTERRUPTED)))
      return { kind: 'stop', error: INTERRUPTED, resume: true }
    for (const answers of heard) {
      if (answers.some(isAnswer)) answered += 1
      else if (!answers.some(isLeftAlone)) silent += 1
    }
    await saveGroup(readings, run)
  }
  // Not one seller of several answered: it is this directory that has no network.
  if (answered === 0 && silent > 1) return { kind: 'stop', error: 'no_network', resume: false }
  return { kind: 'end', of: 'sellers' }
}
