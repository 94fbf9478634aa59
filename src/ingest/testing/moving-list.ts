import type { Fetch } from '../sweep/fetch.ts'

/** In [0, 1). */
export type Random = () => number

/** mulberry32: small, fast and the same on every machine. */
export function randomOf(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

export const MOVES = ['shrinks', 'grows', 'replaces', 'moves one', 'swaps two', 'shuffles', 'repeats', 'rests'] as const
export type Move = (typeof MOVES)[number]

export interface Manners {
  /** Offsets are rounded down to a multiple of the limit. */
  readonly isFlooring: boolean
  /** It gives no more than this at once. */
  readonly most: number
  readonly saysLimit: boolean
  readonly saysTotal: boolean
  /** What it may do between two requests, one of them at a time. */
  readonly moves: readonly Move[]
  /** How often, of all requests. */
  readonly chance: number
}

const itemOf = (number: number) => ({
  resource: `https://api.seller.example/v1/${number}`,
  type: 'http',
  accepts: [{ scheme: 'exact', network: 'base', amount: '10000', asset: '0x0', payTo: '0x0' }],
})

/** A facilitator whose list moves while it is read. */
export class MovingList {
  /** Those that stood in it from the first request, or the last `watch`, to the last. */
  throughout: Set<number>
  readonly offsets: number[] = []
  private next: number
  private repeat = false

  constructor(
    private list: number[],
    private readonly manners: Manners,
    private readonly random: Random,
  ) {
    this.throughout = new Set(list)
    this.next = list.length
  }

  /** From now on. */
  watch(): void {
    this.throughout = new Set(this.list)
  }

  readonly fetch: Fetch = async ({ url }) => {
    const asked = new URL(url).searchParams
    const body = Buffer.from(JSON.stringify(this.page(Number(asked.get('offset')), Number(asked.get('limit')))))
    if (this.random() < this.manners.chance) this.move(this.pick(this.manners.moves))
    return { ok: true, status: 200, headers: [], body }
  }

  private page(asked: number, limit: number): unknown {
    this.offsets.push(asked)
    const { isFlooring, most, saysLimit, saysTotal } = this.manners
    const length = Math.min(limit, most)
    const offset = isFlooring ? asked - (asked % length) : asked
    const numbers = this.list.slice(offset, offset + length)
    // A page that names one item twice and another not at all.
    if (this.repeat && numbers.length > 1) numbers[this.at(numbers)] = numbers[this.at(numbers)] ?? 0
    this.repeat = false
    const pagination = { ...(saysLimit && { limit: length }), ...(saysTotal && { total: this.list.length }) }
    return { items: numbers.map(itemOf), pagination }
  }

  private at = (values: readonly unknown[]): number => Math.floor(this.random() * values.length)
  private pick = <T>(values: readonly T[]): T | undefined => values[this.at(values)]

  private shrink(some: number): void {
    for (let n = 0; n < some && this.list.length > 0; n += 1) {
      for (const gone of this.list.splice(this.at(this.list), 1)) this.throughout.delete(gone)
    }
  }

  private grow(some: number): void {
    const place = this.pick([0, this.list.length, this.at(this.list)]) ?? 0
    for (let n = 0; n < some; n += 1) this.list.splice(place, 0, this.next++)
  }

  private move(move: Move | undefined): void {
    const { list } = this
    const some = 1 + Math.floor(this.random() * 4)
    switch (move) {
      case 'shrinks':
        this.shrink(some)
        return
      case 'grows':
        this.grow(some)
        return
      // Some go and as many come, so the total does not tell.
      case 'replaces': {
        const before = list.length
        this.shrink(some)
        this.grow(before - list.length)
        return
      }
      case 'moves one': {
        const taken = list.splice(this.at(list), 1)
        list.splice(this.pick([0, list.length, this.at(list)]) ?? 0, 0, ...taken)
        return
      }
      case 'swaps two': {
        const [one, other] = [this.at(list), this.at(list)]
        const [first, second] = [list[one], list[other]]
        if (first !== undefined) list[other] = first
        if (second !== undefined) list[one] = second
        return
      }
      case 'shuffles':
        this.list = list
          .map((number) => ({ number, place: this.random() }))
          .sort((a, b) => a.place - b.place)
          .map(({ number }) => number)
        return
      case 'repeats':
        this.repeat = true
        return
      case 'rests':
      case undefined:
        return
    }
  }
}
