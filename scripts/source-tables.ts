import { DEFAULT_SOURCES, DEFINITIONS } from '../src/ingest/source.ts'
import type { SourceDefinition } from '../src/ingest/source-definition.ts'
import { tableOf } from './markdown-table.ts'

const code = (text: string): string => `\`${text}\``

/** Whom a kind asks, where `SOURCES` does not say. */
const sellersAsked = (paths: readonly string[]): string => `every known host, ${paths.map(code).join(', else ')}`

const addressMeaning = (definition: SourceDefinition): string =>
  definition.shape === 'sellers' ? `none: ${sellersAsked(definition.paths)}` : definition.address

/** One row for every kind of source. */
export const kindsTable = (): string =>
  tableOf(
    ['Kind', 'What it is', 'Address'],
    DEFINITIONS.map((definition) => [code(definition.kind), definition.about, addressMeaning(definition)]),
  )

/** One row for every source that is swept when `SOURCES` is unset. */
export const defaultSourcesTable = (): string =>
  tableOf(
    ['Name', 'Kind', 'Address'],
    DEFAULT_SOURCES.map(({ name, kind, address }) => {
      const definition = DEFINITIONS.find((each) => each.kind === kind)
      const asked = definition?.shape === 'sellers' ? sellersAsked(definition.paths) : code(address)
      return [code(name), code(kind), asked]
    }),
  )

/** Where each kind's words about a route come from. */
export const wordsTable = (): string =>
  tableOf(
    ['Kind', 'Where the words come from, joined in this order where they differ'],
    DEFINITIONS.map(({ kind, words }) => [code(kind), words]),
  )
