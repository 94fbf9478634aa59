import type { Found } from './found.ts'
import type { DocumentContext, NumberedLine, Paging, ParseContext } from './read/context.ts'
import type { Steps } from './read/steps.ts'

/**
 * All that is known of one kind of source. Each is one file of `sources/` and one line of `sources/index.ts`; what `SOURCES` may
 * name, what is swept without it, the tables of the documents and the fuzz test follow from that line.
 */
export type SourceDefinition<Kind extends string = string> =
  | PagedDefinition<Kind>
  | SellerDefinition<Kind>
  | FileDefinition<Kind>

interface Described<Kind extends string> {
  /** How `SOURCES` names it; the file of its sample in `sources/testing/` has the same name. */
  readonly kind: Kind
  /** What it is, for the table of kinds in `docs/sources.md`. */
  readonly about: string
  /** Where its words about a route come from, for the table of words there. */
  readonly words: string
  /** Swept unless `SOURCES` names others. */
  readonly defaults: readonly { readonly name: string; readonly address: string }[]
}

/** A list published at one address, page by page or as one document. */
export interface PagedDefinition<Kind extends string = string> extends Described<Kind> {
  readonly shape: 'pages'
  /** What the http address in `SOURCES` is the address of, for the table of kinds. */
  readonly address: string
  /** Items asked for at once; `null`: one document is the whole source. */
  readonly pageSize: number | null
  /** `limit`: how many items to ask for; `pageSize` unless the source gives fewer at once. */
  pageUrl(address: string, offset: number, limit?: number): string
  /** The same page without what not every server knows, for those that refuse it with HTTP 400. */
  barePageUrl?(address: string, offset: number, limit?: number): string
  /** `undefined`: not a page of this source. */
  paging(document: unknown): Paging | undefined
  parse(document: unknown, context: ParseContext): Found
}

/** A document that each known seller may publish on its own host; `SOURCES` names it without an address. */
export interface SellerDefinition<Kind extends string = string> extends Described<Kind> {
  readonly shape: 'sellers'
  /** Tried in this order; the first that answers with a document that says anything counts. */
  readonly paths: readonly string[]
  read(document: unknown, context: DocumentContext): Steps<Found>
}

/** A file of the operator's own, read line by line. */
export interface FileDefinition<Kind extends string = string> extends Described<Kind> {
  readonly shape: 'file'
  /** What the path in `SOURCES` is the path of, for the table of kinds. */
  readonly address: string
  parse(lines: Iterable<NumberedLine>, context: ParseContext): Found
}
