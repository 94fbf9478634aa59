import type { AllowHosts } from '../domain/host.ts'
import { Problem } from '../domain/problem.ts'
import { addressOf, parseAddress } from '../domain/route.ts'
import { saveReadDocuments } from '../store/facts/refusals.ts'
import type { Found } from './found.ts'
import type { Ingesting } from './ingester.ts'
import { SELLER_SOURCES } from './source.ts'
import { type Asking, ask } from './sweep/ask.ts'
import { type KnownSeller, readDocumentOf, readSeller, type SellerAsking } from './sweep/seller.ts'
import type { SellerCalls } from './sweep/seller-calls.ts'
import { saveFound } from './sweep/stored-sweeps.ts'
import { SWEEP_LIMITS } from './sweep/sweep-limits.ts'

/** What one kind of document of a seller gave. */
export interface AddedDocument {
  readonly source: string
  /** Where it is; `null` when the seller has none. */
  readonly url: string | null
  /** SHA-256 of its bytes; `null` when there is none. */
  readonly sha256: string | null
  /** What each address answered. */
  readonly answers: readonly { readonly url: string; readonly answer: string }[]
  readonly found: Found
}

/** Reads the documents of one seller by any address of it, and lists the routes they name. */
export async function addSeller(ingesting: Ingesting, url: string): Promise<AddedDocument[]> {
  const written = /^https?:\/\//i.test(url) ? url : `https://${url}`
  const reading = parseAddress(written, ingesting.allow)
  if (!reading.ok) {
    throw new Problem(
      'bad-address',
      400,
      'Bad address',
      `${url} cannot be added: ${reading.reason}`,
      'name a public http or https address of the seller',
    )
  }
  const { scheme, host } = reading.address
  const added = await readOwnDocuments({ scheme, host }, ingesting)
  for (const { source, found, ...document } of added) {
    const atUs = ingesting.now()
    await saveFound(ingesting.store, { source, atUs, ...found }, [], (writer) =>
      saveReadDocuments(writer, readDocumentOf(source, { seller: { scheme, host }, found, ...document }, atUs)),
    )
  }
  return added
}

type OwnAsking = Asking & { readonly allow: AllowHosts; readonly calls: SellerCalls }

/** Reads one seller's own documents now and in full, outside of any sweep; nothing is stored. */
export async function readOwnDocuments(seller: KnownSeller, asking: OwnAsking): Promise<AddedDocument[]> {
  const documents: AddedDocument[] = []
  for (const source of SELLER_SOURCES) {
    const { url, sha256, answers, found } = await readSeller(source, seller, askingOnce(asking))
    documents.push({ source: source.name, url, sha256, answers, found })
  }
  return documents
}

const askingOnce = (asking: OwnAsking): SellerAsking => ({
  allow: asking.allow,
  now: asking.now,
  known: async () => null,
  lastReadAt: async () => null,
  keepBroken: () => undefined,
  ask: (seller, path) =>
    asking.calls.ask(seller, path, asking, () =>
      ask(
        {
          url: addressOf(seller.scheme, seller.host, path),
          version: null,
          maxBytes: SWEEP_LIMITS.documentBytes,
          deadlineMs: SWEEP_LIMITS.documentMs,
          patience: SWEEP_LIMITS.sellerPatience,
          untilUs: asking.now() + SWEEP_LIMITS.documentMs * 1000,
        },
        asking,
      ),
    ),
})
