import type { FileDefinition, PagedDefinition, SellerDefinition, SourceDefinition } from './source-definition.ts'
import * as sources from './sources/index.ts'

export type SourceKind = (typeof sources)[keyof typeof sources]['kind']

/** Every kind of source, in the order of the names they are exported under. */
export const DEFINITIONS: readonly SourceDefinition<SourceKind>[] = Object.entries(sources)
  .toSorted(([one], [other]) => (one < other ? -1 : 1))
  .map(([, definition]) => definition)

/** Grows when a parser reads otherwise than before: documents that have not changed are then read again. */
export const READER = 15

export interface SourceConfig {
  /** The name that listing rows are printed with. */
  readonly name: string
  readonly kind: SourceKind
  /** Base address or path of the file; empty for sellers' own documents. */
  readonly address: string
}

/** A source as a sweep reads it: what its kind defines, under its name and at its address. */
export type Source = PagedSource | SellerSource | FileSource

export interface PagedSource extends Pick<PagedDefinition, 'shape' | 'pageSize' | 'paging' | 'parse'> {
  readonly name: string
  pageUrl(offset: number, limit?: number): string
  /** `undefined`: there is nothing to leave out. */
  readonly barePageUrl?: PagedSource['pageUrl'] | undefined
}

export interface SellerSource extends Pick<SellerDefinition, 'shape' | 'paths' | 'read'> {
  readonly name: string
}

export interface FileSource extends Pick<FileDefinition, 'shape' | 'parse'> {
  readonly name: string
  readonly path: string
}

export function sourceOf({ name, kind, address }: SourceConfig): Source {
  const definition = DEFINITIONS.find((each) => each.kind === kind)
  switch (definition?.shape) {
    case 'pages': {
      const { shape, pageSize, paging, parse } = definition
      const at =
        (url: PagedDefinition['pageUrl']): PagedSource['pageUrl'] =>
        (offset, limit) =>
          url(address, offset, limit)
      const barePageUrl = definition.barePageUrl && at(definition.barePageUrl)
      return { shape, name, pageSize, pageUrl: at(definition.pageUrl), barePageUrl, paging, parse }
    }
    case 'sellers':
      return { shape: 'sellers', name, paths: definition.paths, read: definition.read }
    case 'file':
      return { shape: 'file', name, path: address, parse: definition.parse }
    case undefined:
      throw new Error(`no source is of the kind ${kind}`)
  }
}

/** The documents that a seller may publish about itself, under the names of their kinds. */
export const SELLER_SOURCES: readonly SellerSource[] = DEFINITIONS.map(({ kind }) =>
  sourceOf({ name: kind, kind, address: '' }),
).filter((source) => source.shape === 'sellers')

const defaultsOf = (shape: SourceDefinition['shape']): SourceConfig[] =>
  DEFINITIONS.filter((definition) => definition.shape === shape).flatMap(({ kind, defaults }) =>
    defaults.map(({ name, address }) => ({ name, kind, address })),
  )

/** What `tollbook serve` sweeps unless `SOURCES` says otherwise. Sellers' own documents come last: they need known hosts. */
export const DEFAULT_SOURCES: readonly SourceConfig[] = [...defaultsOf('pages'), ...defaultsOf('sellers')]

/** Sellers are asked one by one, so their documents are asked for less often than a list. */
export const DEFAULT_INTERVALS = ['1h', ...defaultsOf('sellers').map(({ name }) => `${name}=24h`)].join(',')
