import type { MicroDollars } from '../../domain/money/price.ts'
import { networkName } from '../../domain/network.ts'
import { RAILS, type Rail } from '../../domain/route.ts'
import { orderIn, saysNothing } from '../../domain/words/asked.ts'
import type { HostQuery } from '../host/hosts-view.ts'

// What a search that found nothing may have meant by words that nothing is called by: a rail, a network, a price.

/** Words that say how something is paid and not what it is, those that join them, and those of a question. */
const BESIDE = new Set(
  [
    'usdc usd dollar dollars stablecoin pay pays paid payment payments on in by via using that which takes accepts',
    'who what where how is are does do i me my need want find show get can there any much cost costs price sell sells selling',
  ].flatMap((words) => words.split(' ')),
)

/** Whether all of it says how something is paid, or asks, and names nothing that can be chosen. */
export const isOfPaying = (q: string): boolean => /[a-z]/i.test(q) && wordsIn(q).every(isBeside)

const isBeside = (word: string): boolean => BESIDE.has(word.toLowerCase())

/** Without the signs of a sentence. */
const wordsIn = (q: string): string[] => q.split(/\s+/).flatMap((word) => word.replace(/[?!.,;:]+$/, '') || [])

/**
 * `image api on base under 1 cent` names a network and a price, which words are not looked for in: the same with these chosen and
 * without the words of paying and asking; `null` where it is the same search.
 */
export function readByWords(query: HostQuery): HostQuery | null {
  const q = query.q ?? ''
  const limit = limitIn(q)
  const words = wordsIn(limit === null ? q : q.replace(limit.text, ' '))
  const rail = query.rail === null ? railIn(words) : null
  const network = query.network === null ? networkIn(words) : []
  const kept = words.filter((word) => word.toLowerCase() !== rail && !network.includes(word) && !isBeside(word))
  const order = orderIn(kept)
  const isAll = kept.every(saysNothing)
  const isChosen = rail !== null || network.length > 0 || (limit?.price ?? null) !== null
  if (!isChosen && (isAll ? order === null : limit === null && kept.length === words.length)) return null
  return {
    ...query,
    q: isAll ? null : kept.join(' '),
    rail: rail ?? query.rail,
    network: network.length === 0 ? query.network : network.join(' '),
    maxPrice: query.maxPrice ?? limit?.price ?? null,
    sort: isAll && query.sort === 'match' ? (order ?? 'host') : query.sort,
  }
}

const CHOSEN = ['network', 'rail', 'maxPrice', 'q'] as const

/** The same without one of what the words choose, each in turn; nothing is the list of all. */
export function lessChosen(query: HostQuery): readonly HostQuery[] {
  const chosen = CHOSEN.filter((name) => query[name] !== null)
  return chosen.length < 2 ? [] : chosen.map((name) => ({ ...query, [name]: null }))
}

const railIn = (words: readonly string[]): Rail | null =>
  RAILS.find((rail) => words.some((word) => word.toLowerCase() === rail)) ?? null

/** The words by which a known network is called: two before one, as in `base sepolia`. A bare number is none here. */
function networkIn(words: readonly string[]): readonly string[] {
  const pairs = words.slice(1).map((word, at) => [words[at] ?? '', word])
  const isNetwork = (called: readonly string[]): boolean =>
    /[a-z]/i.test(called[0] ?? '') && networkName(called.join(' ')) !== null
  return pairs.find(isNetwork) ?? words.map((word) => [word]).find(isNetwork) ?? []
}

/** Whether a limit stands there of which nobody knows what it is of. */
export const lacksUnit = (q: string): boolean => limitIn(q)?.price === null

interface Limit {
  /** As it stands there. */
  readonly text: string
  /** `null`: of a whole number without a unit nobody knows whether it is cents or dollars. */
  readonly price: MicroDollars | null
}

const LIMIT =
  /(?:\b(?:under|below|(?:less|cheaper|lower) than|(?:at|for) most|no more than|up to|max|maximum)\s|<=?)\s*(\$)?\s?(\d{1,6}(?:[.,]\d{1,6})?|[.,]\d{1,6}|an?|one)\s?(¢|(?:cents?|ct|dollars?|usdc?)\b)?(?:\s(?:per|an?|each)\b(?:\s(?:call|request|query)\b)?)?(?!\w)/i

/** What a call may cost. */
function limitIn(q: string): Limit | null {
  const [text, sign, number = '', unit = sign] = LIMIT.exec(q) ?? []
  const amount = /^[a-z]/i.test(number) ? '1' : number.replace(',', '.')
  if (text === undefined) return null
  const price = Number(amount) * (/^c|¢/i.test(unit ?? '') ? 10_000 : 1_000_000)
  const isSure = (unit !== undefined || amount.includes('.')) && Math.abs(price - Math.round(price)) < 1e-6
  return { text, price: isSure ? Math.round(price) : null }
}
