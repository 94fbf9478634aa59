import type { AllowHosts } from '../domain/host.ts'
import { type Asking, ask } from './ask.ts'
import { type KnownSeller, readSeller, type SellerReading } from './seller.ts'
import type { SellerSource } from './source.ts'
import { OPENAPI_PATHS, parseOpenapi } from './sources/openapi.ts'
import { parseWellKnown, WELL_KNOWN_PATHS } from './sources/well-known.ts'
import { SWEEP_LIMITS, type SweepLimits } from './sweep-limits.ts'

/** The documents that a seller may publish about itself, under the names they are listed with by default. */
export const OWN_DOCUMENTS: readonly SellerSource[] = [
  { shape: 'sellers', name: 'openapi', paths: OPENAPI_PATHS, parse: parseOpenapi },
  { shape: 'sellers', name: 'well-known', paths: WELL_KNOWN_PATHS, parse: parseWellKnown },
]

export interface OwnDocument {
  readonly source: string
  readonly reading: SellerReading
}

/** Reads one seller's own documents now and in full, outside of any sweep; nothing is stored. For `tollbook add`. */
export async function readOwnDocuments(
  seller: KnownSeller,
  sources: readonly SellerSource[],
  asking: Asking & { readonly allow: AllowHosts },
  limits: SweepLimits = SWEEP_LIMITS,
): Promise<OwnDocument[]> {
  const documents: OwnDocument[] = []
  for (const source of sources) {
    if (documents.length > 0) await asking.sleep(limits.sellerPauseMs)
    const reading = await readSeller(source, seller, {
      allow: asking.allow,
      known: async () => null,
      pause: () => asking.sleep(limits.sellerPauseMs),
      ask: (url) => {
        const untilUs = asking.now() + limits.documentMs * 1000
        const { documentBytes: maxBytes, documentMs: deadlineMs, sellerPatience: patience } = limits
        return ask({ url, version: null, maxBytes, deadlineMs, patience, untilUs }, asking)
      },
    })
    documents.push({ source: source.name, reading })
  }
  return documents
}
