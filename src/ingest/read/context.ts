import type { AllowHosts } from '../../domain/host.ts'

export interface ParseContext {
  readonly allow: AllowHosts
}

/** For a seller's own documents: where the document was served, which decides what it may speak for. */
export interface DocumentContext extends ParseContext {
  /** The full address of the document. */
  readonly base: string
}

/** One line of a file with its number, counted from 1. */
export interface NumberedLine {
  readonly number: number
  readonly text: string
}

/** What a page says of the list it is part of. */
export interface Paging {
  /** Items on this page as the source counts them, readable or not. */
  readonly items: number
  /** What each of them is known by on every page, whatever else of it changes. */
  readonly names: readonly string[]
  /** All items, where the source announces it. */
  readonly total: number | null
  /** The most items that a page has, where the source says so. */
  readonly limit: number | null
  /** It says that something follows. */
  readonly hasMore?: boolean
}
