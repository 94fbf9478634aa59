import type { AllowHosts } from '../../domain/host.ts'

export interface ParseContext {
  readonly allow: AllowHosts
}

/** For a seller's own documents: where the document was served, which decides what it may speak for. */
export interface DocumentContext extends ParseContext {
  /** The full address of the document. */
  readonly base: string
}

/** What a page says of the list it is part of. */
export interface Paging {
  /** Items on this page as the source counts them, readable or not. */
  readonly items: number
  /** All items, where the source announces it. */
  readonly total: number | null
}
