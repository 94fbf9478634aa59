import { createHash } from 'node:crypto'
import type { AllowHosts, SellerHost } from '../../domain/host.ts'
import { addressOf, type Scheme } from '../../domain/route.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { ReadDocument } from '../../store/facts/refusals.ts'
import { pauseAskedMs } from '../../wire/retry-after.ts'
import { type Found, NOTHING } from '../found.ts'
import type { SellerSource } from '../source.ts'
import type { Version } from './ask.ts'
import { PARSER_BROKE, readInTurns } from './read-with.ts'
import type { SellerAnswer } from './seller-calls.ts'
import type { KnownDocument } from './sweep-store.ts'

/** A seller whose own documents are asked for. */
export interface KnownSeller {
  readonly scheme: Scheme
  readonly host: SellerHost
}

export interface SellerReading {
  readonly seller: KnownSeller
  /** What each address answered, in the order asked: `document`, `not_modified`, the failure's word or why it was not asked. */
  readonly answers: readonly { readonly url: string; readonly answer: string }[]
  /** Where the document is; `null`: the seller has none. */
  readonly url: string | null
  /** SHA-256 of its bytes, where it was sent. */
  readonly sha256: string | null
  readonly found: Found
  readonly version: Version | null
  /** The document is the one known from before. */
  readonly unchanged: KnownDocument | null
}

export interface SellerAsking {
  readonly allow: AllowHosts
  readonly now: () => TimestampUs
  /** In the seller's turn, and only where it may be asked. */
  ask(seller: KnownSeller, path: string, version: Version | null): Promise<SellerAnswer>
  known(seller: KnownSeller, url: string): Promise<KnownDocument | null>
  /** Where its document was last; `null`: none was read, or none counts. */
  lastReadAt(seller: KnownSeller): Promise<string | null>
  /** Keeps a document that its parser broke on. */
  keepBroken(url: string, body: Uint8Array): void
}

/** Whatever it is, nothing in it is for this source: `{ "ok": true }`. */
export const saysNothing = ({ seen, proofs, refused }: Found): boolean =>
  seen === 0 && proofs.length === 0 && refused.length > 0

/** Reads one kind of document of one seller: the first of its addresses that answers with one that says anything, else with any. */
export async function readSeller(
  source: SellerSource,
  seller: KnownSeller,
  asking: SellerAsking,
): Promise<SellerReading> {
  const answers: { url: string; answer: string }[] = []
  const nothing = { seller, answers, url: null, sha256: null, found: NOTHING, version: null, unchanged: null }
  let best: SellerReading = nothing
  for (const path of source.paths) {
    const url = addressOf(seller.scheme, seller.host, path)
    const known = await asking.known(seller, url)
    const asked = await asking.ask(seller, path, known)
    if (asked.kind === 'document') {
      const found = await readInTurns(() => source.read(asked.document, { allow: asking.allow, base: url }))
      answers.push({ url, answer: found === undefined ? PARSER_BROKE : asked.kind })
      if (found === undefined) {
        asking.keepBroken(url, asked.body)
        return best
      }
      const sha256 = createHash('sha256').update(asked.body).digest('hex')
      const reading = { ...nothing, url, sha256, found: found.read, version: asked.version }
      if (!saysNothing(found.read)) return reading
      best = best.url === null ? reading : best
      continue
    }
    if (asked.kind === 'unasked') {
      answers.push({ url, answer: asked.why })
      // Its robots.txt may allow the next one.
      if (asked.why === 'robots') continue
      return best
    }
    answers.push({ url, answer: asked.kind === 'failed' ? asked.error : asked.kind })
    if (asked.kind === 'not_modified' && known !== null) return { ...nothing, url, unchanged: known }
    if (asked.kind !== 'failed') continue
    if (isEnough(asked, asking.now())) return best
    if (isOutOfOrder(asked) && (await asking.lastReadAt(seller)) === url) return best
  }
  return best
}

/** A host that gave no HTTP answer at all, is not available or asks for a pause is not asked a second time. */
const isEnough = ({ status, retryAfter }: Extract<SellerAnswer, { kind: 'failed' }>, nowUs: TimestampUs): boolean =>
  status === null || status === 503 || pauseAskedMs(status, retryAfter, nowUs / 1000) !== null

/** Nothing is said about the document that was there before, so what another address has is not in its place. */
const isOutOfOrder = ({ status }: Extract<SellerAnswer, { kind: 'failed' }>): boolean =>
  status === 200 || (status ?? 0) >= 500

/** What is kept of a document that was read anew; nothing of one that has not changed or is not there. */
export function readDocumentOf(
  source: string,
  { seller, url, sha256, found }: Pick<SellerReading, 'seller' | 'url' | 'sha256' | 'found'>,
  readUs: TimestampUs,
): ReadDocument[] {
  if (url === null || sha256 === null) return []
  const { seen, refused, listings } = found
  return [{ source, host: seller.host, url, sha256, readUs, seen, stored: listings.length, refused }]
}
