import { key53 } from '../../domain/keys.ts'
import type { Paging } from '../read/context.ts'

/** A list that is still moving after so many readings is not read again. */
const MOST_LAPS = 3

/** Longer lists are read from their beginning after an interruption. */
const MOST_KEPT = 50_000
const KEY_BYTES = 6

/** How far a list is read, kept for a sweep that is interrupted; plain JSON. */
export interface ListProgress {
  readonly total: number | null
  readonly limit: number
  /** The keys of the items met, as base64. */
  readonly met: string
}

export type ListStep =
  | { readonly kind: 'page' }
  /** From the beginning once more. */
  | { readonly kind: 'lap' }
  /** `gap`: why something may be missing. */
  | { readonly kind: 'end'; readonly gap: string | null }

const WHOLE: ListStep = { kind: 'end', gap: null }

/** 48 bits: two of 50,000 items are taken for one in one list of 200,000, which is then read a second time. */
const keyOf = (name: string): number => key53(name) % 2 ** (8 * KEY_BYTES)

/** Of six bytes each: what is written of some goes on where that of others ends. */
function keptKeys(keys: readonly number[]): string {
  const bytes = Buffer.alloc(keys.length * KEY_BYTES)
  let at = 0
  for (const key of keys) at = bytes.writeUIntBE(key, at, KEY_BYTES)
  return bytes.toString('base64')
}

function* keysIn(kept: string): Generator<number> {
  const bytes = Buffer.from(kept, 'base64')
  for (let at = 0; at + KEY_BYTES <= bytes.length; at += KEY_BYTES) yield bytes.readUIntBE(at, KEY_BYTES)
}

/**
 * Reads a list page by page while it may shrink, grow or be put in another order, and knows when nothing can be missing
 * that stood in it throughout: as many different items were met, since the total last changed, as the list has in all; or
 * two readings in a row were the same, page by page (lists that name an item twice, or announce no total). Until then it
 * is read on, from the beginning again after its end.
 *
 * Offsets are multiples of the limit: some servers round others down, and serve the rest of such a page never. Only what a
 * short page left out is asked for in between, and what follows where the server begins a page there.
 */
export class ListReading {
  #offset = 0
  readonly #pageSize: number
  #limit: number
  #isSized = false
  /** `undefined`: no page was read yet. */
  #total: number | null | undefined
  /** A page had more than the announced total: from then on it is as if none were announced. */
  #isTotalFalse = false
  /** Keys of the items met, with the stretch in which they were met last; a new one begins whenever the total changes. */
  readonly #met = new Map<number, number>()
  /** The same as `keptKeys`: written anew for each page, they would take the more the longer a list is. */
  #kept = ''
  #stretch = 0
  /** Different items met in this stretch. */
  #metCount = 0
  /** Items of the whole reading under way that were met in none before; and of the last page. */
  #newCount = 0
  #pageNewCount = 0
  #isFirstReading = true
  #isRepeat = false
  #isLapRepeated = false
  #laps = 1
  /** The total stood still so far, in the first lap. */
  #isStraight = true
  /** The pages of this lap, and of the one before if it began at the beginning and the total stood still. */
  #lap: string[] = []
  #lapBefore: string | null = null
  #isLapWhole = true
  #lastPage: { readonly offset: number; readonly print: number } | null = null
  /** Keys of the items of the page before, in this lap. */
  #lastKeys: ReadonlySet<number> = new Set()

  constructor(pageSize: number, kept: (ListProgress & { readonly offset: number }) | null = null) {
    this.#pageSize = pageSize
    this.#limit = pageSize
    if (kept === null) return
    this.#limit = kept.limit
    this.#offset = kept.offset
    this.#total = kept.total
    this.#meetAll([...keysIn(kept.met)])
    this.#isSized = true
    this.#isLapWhole = false
  }

  /** Where the next page begins. */
  get offset(): number {
    return this.#offset
  }

  /** How many items to ask for. */
  get limit(): number {
    return this.#limit
  }

  /** From where an interrupted sweep can go on; `null`: from the beginning only. */
  get progress(): ListProgress | null {
    if (!this.#isStraight || this.#total === undefined || this.#met.size > MOST_KEPT) return null
    return { total: this.#total, limit: this.#limit, met: this.#kept }
  }

  /** The page at `offset`, and where to go on. */
  take(told: Paging): ListStep {
    const { names } = told
    const print = key53(names.join('\n'))
    const last = this.#lastPage
    const isSame = names.length > 0 && last?.print === print && last.offset !== this.#offset
    this.#isTotalFalse ||= !isSame && this.#isContradicted(told)
    const page = this.#isTotalFalse ? { ...told, total: null } : told
    const { total } = page
    this.#pageNewCount = 0
    this.#size(page)
    const isMoved = this.#total !== undefined && this.#total !== total
    if (isMoved) this.#forget()
    this.#total = total
    this.#isRepeat = !isMoved && isSame
    if (this.#isRepeat) return this.#repeated(page)
    this.#lastPage = { offset: this.#offset, print }
    this.#lap.push(`${this.#offset}/${total}/${print}`)
    const keys = names.map(keyOf)
    this.#meetAll(keys)
    const isRounded = keys.some((key) => this.#lastKeys.has(key))
    this.#lastKeys = new Set(keys)
    if (total !== null && this.#metCount >= total) return WHOLE
    if (names.length === 0) {
      return total !== null && this.#offset < total ? { kind: 'end', gap: 'ended_early' } : this.#endLap()
    }
    const after = this.#offset + names.length
    // A page that begins where it was asked for is gone on with after its end, wherever that is: no item comes twice.
    return this.#goTo(isRounded ? Math.min(after, this.#pageEnd) : after)
  }

  /** Whether the last page taken was the one before once more. */
  get isRepeat(): boolean {
    return this.#isRepeat
  }

  /** Whether the last page taken had an item on it that was not met before. */
  get isPageNew(): boolean {
    return this.#pageNewCount > 0
  }

  /** Leaves the page at `offset` out. */
  skip(): void {
    this.#isLapWhole = false
    this.#offset = this.#pageEnd
  }

  /** Everything once more, as if nothing had been met. */
  again(): void {
    this.#isFirstReading = false
    this.#newCount = 0
    this.#forget()
    this.#nextLap()
    this.#laps = 1
  }

  /**
   * Whether the list was read whole twice in a row and nothing in the second reading was new. Then nothing is hidden that
   * stood in it throughout: as long as that had a place in the list, so many others would not have found one, unless one of
   * them came meanwhile.
   */
  get isReadTwice(): boolean {
    return this.#isLapRepeated || (!this.#isFirstReading && this.#newCount === 0)
  }

  /** Whether more items stand on the page than the list is said to have up to there. */
  #isContradicted({ names, total }: Paging): boolean {
    // A server that rounds offsets down gives a page that begins before others.
    const before = this.#offset % this.#limit === 0 ? this.#offset : 0
    return total !== null && names.length > 0 && total < before + names.length
  }

  get #pageEnd(): number {
    return (Math.floor(this.#offset / this.#limit) + 1) * this.#limit
  }

  /** A server may give fewer at once than it was asked for, or more: its pages are as long as it makes them. */
  #size({ names, total, limit }: Paging): void {
    if (this.#isSized || names.length === 0) return
    this.#isSized = true
    const isShort = names.length < this.#limit && names.length !== total
    const most = limit ?? (isShort ? names.length : this.#limit)
    this.#limit = names.length > this.#limit ? names.length : Math.min(most, this.#limit)
  }

  #goTo(offset: number): ListStep {
    if (this.#total !== null && this.#total !== undefined && offset >= this.#total) return this.#endLap()
    this.#offset = offset
    return { kind: 'page' }
  }

  /** The page before came again: the server rounds offsets down, or does not know them at all. */
  #repeated({ names, total, limit, hasMore }: Paging): ListStep {
    if (total !== null && this.#offset % this.#limit !== 0) return this.#goTo(this.#pageEnd)
    // It may be all that there is, or have been pushed on by as many new items before it.
    if (total === null) {
      const step = this.#endLap()
      const isFull = names.length >= (limit ?? this.#pageSize) || hasMore === true
      return step === WHOLE && isFull ? { kind: 'end', gap: 'page_repeats' } : step
    }
    return { kind: 'end', gap: total > names.length ? 'page_repeats' : null }
  }

  #endLap(): ListStep {
    const lap = this.#isLapWhole ? this.#lap.join(' ') : null
    const isEmpty = this.#total === null && this.#metCount === 0
    this.#isLapRepeated = lap !== null && lap === this.#lapBefore
    if (this.#isLapRepeated || isEmpty) return WHOLE
    if (this.#laps >= MOST_LAPS) return { kind: 'end', gap: 'list_moved' }
    this.#nextLap()
    this.#lapBefore = lap
    return { kind: 'lap' }
  }

  #nextLap(): void {
    this.#laps += 1
    this.#isStraight = false
    this.#offset = 0
    this.#lap = []
    this.#lapBefore = null
    this.#isLapWhole = true
    this.#lastPage = null
    this.#lastKeys = new Set()
  }

  #meetAll(keys: readonly number[]): void {
    const fresh = keys.filter((key) => this.#meet(key))
    this.#newCount += fresh.length
    this.#pageNewCount += fresh.length
    if (this.#met.size <= MOST_KEPT) this.#kept += keptKeys(fresh)
  }

  /** Answers whether it was never met before. */
  #meet(key: number): boolean {
    const stretch = this.#met.get(key)
    if (stretch === this.#stretch) return false
    this.#met.set(key, this.#stretch)
    this.#metCount += 1
    return stretch === undefined
  }

  #forget(): void {
    this.#stretch += 1
    this.#metCount = 0
    this.#lapBefore = null
    this.#isStraight = false
    this.#isLapWhole = this.#isLapWhole && this.#lap.length === 0
  }
}
