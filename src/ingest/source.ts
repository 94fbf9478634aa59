import type { Found } from './found.ts'
import type { DocumentContext, Paging, ParseContext } from './read/context.ts'
import { BAZAAR_PAGE, bazaarPageUrl, bazaarPaging, parseBazaar } from './sources/bazaar.ts'
import { INDEX402_PAGE, index402PageUrl, index402Paging, parseIndex402 } from './sources/index402.ts'
import { mppPaging, parseMppDirectory } from './sources/mpp-directory.ts'
import { OPENAPI_PATHS, parseOpenapi } from './sources/openapi.ts'
import { parseWellKnown, WELL_KNOWN_PATHS } from './sources/well-known.ts'

export const SOURCE_KINDS = ['bazaar', 'mpp-directory', 'openapi', 'well-known', '402index', 'file'] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]

/** Grows when a parser reads more than before: documents that have not changed are then read again. */
export const READER = 2

/** A list published at one address, page by page or as one document. */
export interface PagedSource {
  readonly shape: 'pages'
  readonly name: string
  /** Items asked for at once; `null`: one document is the whole source. */
  readonly pageSize: number | null
  pageUrl(offset: number): string
  /** `undefined`: not a page of this source. */
  paging(document: unknown): Paging | undefined
  parse(document: unknown, context: ParseContext): Found
}

/** A document that each known seller may publish on its own host. */
export interface SellerSource {
  readonly shape: 'sellers'
  readonly name: string
  /** Tried in this order; the first that answers with a document counts. */
  readonly paths: readonly string[]
  parse(document: unknown, context: DocumentContext): Found
}

/** The operator's own NDJSON. */
export interface FileSource {
  readonly shape: 'file'
  readonly name: string
  readonly path: string
}

export type Source = PagedSource | SellerSource | FileSource

export interface SourceConfig {
  /** The name that listing rows are printed with. */
  readonly name: string
  readonly kind: SourceKind
  /** Base address or path of the file; empty for sellers' own documents. */
  readonly address: string
}

const SOURCE_OF: Readonly<Record<SourceKind, (name: string, address: string) => Source>> = {
  bazaar: (name, address) => ({
    shape: 'pages',
    name,
    pageSize: BAZAAR_PAGE,
    pageUrl: (offset) => bazaarPageUrl(address, offset),
    paging: bazaarPaging,
    parse: parseBazaar,
  }),
  'mpp-directory': (name, address) => ({
    shape: 'pages',
    name,
    pageSize: null,
    pageUrl: () => address,
    paging: mppPaging,
    parse: parseMppDirectory,
  }),
  '402index': (name, address) => ({
    shape: 'pages',
    name,
    pageSize: INDEX402_PAGE,
    pageUrl: (offset) => index402PageUrl(address, offset),
    paging: index402Paging,
    parse: parseIndex402,
  }),
  openapi: (name) => ({ shape: 'sellers', name, paths: OPENAPI_PATHS, parse: parseOpenapi }),
  'well-known': (name) => ({ shape: 'sellers', name, paths: WELL_KNOWN_PATHS, parse: parseWellKnown }),
  file: (name, address) => ({ shape: 'file', name, path: address }),
}

export const sourceOf = ({ name, kind, address }: SourceConfig): Source => SOURCE_OF[kind](name, address)

/** What `tollbook serve` sweeps unless `SOURCES` says otherwise. Sellers' own documents come last: they need known hosts. */
export const DEFAULT_SOURCES: readonly SourceConfig[] = [
  { name: 'bazaar-cdp', kind: 'bazaar', address: 'https://api.cdp.coinbase.com/platform/v2/x402' },
  { name: 'bazaar-payai', kind: 'bazaar', address: 'https://facilitator.payai.network' },
  { name: 'bazaar-dexter', kind: 'bazaar', address: 'https://x402.dexter.cash' },
  { name: 'bazaar-ultravioleta', kind: 'bazaar', address: 'https://facilitator.ultravioletadao.xyz' },
  { name: 'bazaar-x402fi', kind: 'bazaar', address: 'https://facilitator.x402.fi' },
  { name: 'mpp-directory', kind: 'mpp-directory', address: 'https://mpp.dev/api/services' },
  { name: '402index', kind: '402index', address: 'https://402index.io/api/v1/services' },
  { name: 'openapi', kind: 'openapi', address: '' },
  { name: 'well-known', kind: 'well-known', address: '' },
]
