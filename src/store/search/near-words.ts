import { type RawBuilder, sql } from 'kysely'
import { forgiven, gramsOf, innerGramsOf, isTypeable, typingErrors } from '../../domain/words/search.ts'
import type { Reader } from '../schema.ts'
import type { Dialect, Row } from '../sql/dialect.ts'
import { RowsStatement } from '../sql/rows-statement.ts'

/** Words read for one sequence of letters. A more common one says too little to follow it to its end. */
const MOST_WORDS_A_GRAM = 500
/** Of a common sequence, only words that begin like the term are looked for: few mistype the first letters. */
const BEGINNING = 2
const MOST_COMMON_GRAMS = 3
/** Words that a term stands for beside those that begin with it. */
const MOST_NEAR_WORDS = 100

/** A word of the index that may be what a term means, and how well it fits (`QUALITY`). */
export interface NearWord {
  readonly word: string
  readonly quality: number
}

const QUALITY = { exact: 8, beginning: 6, family: 5, inside: 4, oneError: 5, twoErrors: 3 } as const

/** Every word that begins with the term, as bounds of the index: `word >= from and word < to`. */
export const beginningWith = (term: string): { readonly from: string; readonly to: string } => ({
  from: term,
  to: `${term}\u{10ffff}`,
})

/** Of a word that begins with the term, or with its stem alone. */
export const qualityOfBeginning = (term: string, word: string): number =>
  word === term ? QUALITY.exact : word.startsWith(term) ? QUALITY.beginning : QUALITY.family

/**
 * Words that hold the term, and where nobody has the term itself, words that are a typing error or two away. Reads the
 * rarest letter sequences of the term, a bounded number of words each.
 */
export async function nearWords(reader: Reader, dialect: Dialect, term: string): Promise<NearWord[]> {
  if (!isTypeable(term)) return []
  const rarest = await gramsByRarity(reader, dialect, term)
  const isKnown =
    (await reader.selectFrom('search_words').select('word').where('word', '=', term).executeTakeFirst()) !== undefined
  const errors = isKnown ? 0 : forgiven(term)
  const inner = new Set(innerGramsOf(term))
  const within = rarest.filter(({ gram }) => inner.has(gram)).slice(0, 1)
  // An error spoils four sequences at most: of one more than that, every word so near has at least one.
  const tolerant = errors === 0 ? [] : rarest.slice(0, 4 * errors + 1)
  const length = [...term].length
  const lengths = Array.from({ length: 2 * errors + 1 }, (_, at) => length - errors + at)
  const beginning = [...term].slice(0, BEGINNING).join('')
  // Every word that begins so has the sequences of its beginning.
  const common = tolerant.filter(({ gram, isCommon }) => isCommon && !gram.startsWith(' ')).slice(0, MOST_COMMON_GRAMS)
  const words = await wordsWith(reader, [
    ...within.map(({ gram }) => ({ gram, from: length, to: 1000 })),
    ...tolerant.map(({ gram }) => ({ gram, from: length - errors, to: length + errors })),
    // A length at a time, as the index has them.
    ...common.flatMap(({ gram }) => lengths.map((one) => ({ gram, from: one, to: one, beginning }))),
  ])
  const isNear = lettersOf(term, errors)
  return words
    .flatMap((word) => qualified(term, word, isNear(word) ? errors : 0))
    .sort((a, b) => b.quality - a.quality || a.word.length - b.word.length || (a.word < b.word ? -1 : 1))
    .slice(0, MOST_NEAR_WORDS)
}

/** A quick look before the exact one: each error brings in one letter at most that the term does not have. */
function lettersOf(term: string, errors: number): (word: string) => boolean {
  const counts = new Map<string, number>()
  for (const letter of term) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  return (word) => {
    const left = new Map(counts)
    let foreign = 0
    for (const letter of word) {
      const n = left.get(letter) ?? 0
      if (n > 0) left.set(letter, n - 1)
      else if (++foreign > errors) return false
    }
    return true
  }
}

function qualified(term: string, word: string, errors: number): NearWord[] {
  // Those come by their bounds, all of them.
  if (word.startsWith(term)) return []
  if (word.includes(term)) return [{ word, quality: QUALITY.inside }]
  const found = errors === 0 ? Number.POSITIVE_INFINITY : typingErrors(term, word)
  if (found > errors) return []
  return [{ word, quality: found === 1 ? QUALITY.oneError : QUALITY.twoErrors }]
}

interface Gram {
  readonly gram: string
  /** So many words have it that not all of them are read. */
  readonly isCommon: boolean
}

const COUNT_GRAMS = new RowsStatement(
  (dialect, rows) => sql<{ gram: string; n: number }>`select v.gram, (select count(*) from
      (select 1 from search_grams as g where g.gram = v.gram limit ${MOST_WORDS_A_GRAM}) as few) as n
    from ${dialect.rows({ gram: 'text' }, rows)} as v`,
)

/** Without those that no word has. */
async function gramsByRarity(reader: Reader, dialect: Dialect, term: string): Promise<Gram[]> {
  const rows = gramsOf(term).map((gram): Row => [gram])
  const found = await COUNT_GRAMS.run(reader, dialect, rows)
  return found
    .filter(({ n }) => n > 0)
    .sort((a, b) => a.n - b.n || (a.gram < b.gram ? -1 : 1))
    .map(({ gram, n }) => ({ gram, isCommon: n >= MOST_WORDS_A_GRAM }))
}

interface Wanted {
  readonly gram: string
  /** Lengths of words. */
  readonly from: number
  readonly to: number
  readonly beginning?: string
}

async function wordsWith(reader: Reader, wanted: readonly Wanted[]): Promise<string[]> {
  if (wanted.length === 0) return []
  const parts = wanted.map(({ gram, from, to, beginning }, at): RawBuilder<unknown> => {
    const lengths = from === to ? sql`length = ${from}` : sql`length >= ${from} and length <= ${to}`
    const bounds = beginning === undefined ? null : beginningWith(beginning)
    const within = bounds === null ? sql`` : sql`and word >= ${bounds.from} and word < ${bounds.to}`
    return sql`select word from (select word from search_grams
      where gram = ${gram} and ${lengths} ${within} limit ${MOST_WORDS_A_GRAM}) as ${sql.ref(`g${at}`)}`
  })
  const found = await sql<{ word: string }>`${sql.join(parts, sql` union all `)}`.execute(reader)
  return [...new Set(found.rows.map(({ word }) => word))]
}
