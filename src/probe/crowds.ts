import { networkOf, unmapped } from '../wire/ip-network.ts'

/** What one address and one network are spared, as parts of the rest that a host has. */
const ADDRESS_PART = 1 / 10
const NETWORK_PART = 1 / 40
/** Calls under way at once. */
const MOST_AT_ADDRESS = 8
const MOST_IN_NETWORK = 32
/** When somebody who was sent away comes back at the latest, to be sent away again if need be. */
const LONGEST_WAIT_MS = 20_000
/** So many names at one address are worth a word to the operator. */
const MANY_NAMES = 50
const MOST_REMEMBERED = 20_000

interface Place {
  /** No call begins before this. */
  freeMs: number
  /** Up to here turns are promised to those who were sent away. */
  promisedMs: number
  underWay: number
}

export interface CrowdsOptions {
  /** The rest between two requests to one host. 0: sellers of one's own, nobody is spared. */
  readonly gapMs: number
  readonly nowMs: () => number
  /** Told once of every address that many names lead to. */
  readonly onCrowd: (address: string, names: number) => void
}

/**
 * Many names may lead to one machine: whoever lists them must not be able to aim us at it. Keeps the calls to one address,
 * and to its /24 or /64, apart whatever their names. Large hosts of many sellers live at few addresses, so these rests
 * are shorter than that of a single name.
 */
export class Crowds {
  readonly #places = new Map<string, Place>()
  readonly #names = new Map<string, Set<string>>()

  constructor(private readonly options: CrowdsOptions) {}

  /** Takes a place for a call that begins now and answers 0, or says in how many milliseconds to come back. */
  admit(name: string, address: string): number {
    const { gapMs, nowMs } = this.options
    this.#notice(name, unmapped(address))
    if (gapMs === 0) return 0
    const now = nowMs()
    const wanted = this.#of(address)
    const isFull = wanted.some(({ place, most }) => place.underWay >= most)
    const freeMs = Math.max(...wanted.map(({ place }) => place.freeMs), isFull ? now + gapMs : now)
    if (freeMs > now) return this.#later(wanted, freeMs, now)
    for (const { place, restMs } of wanted) {
      place.freeMs = now + restMs
      place.underWay += 1
    }
    return 0
  }

  /** A call that was admitted is over. */
  leave(address: string): void {
    if (this.options.gapMs === 0) return
    for (const { place } of this.#of(address)) place.underWay = Math.max(0, place.underWay - 1)
  }

  /** Those who are sent away come back one after the other, and not all at once. */
  #later(wanted: readonly { readonly place: Place; readonly restMs: number }[], freeMs: number, now: number): number {
    const promisedMs = Math.max(freeMs, ...wanted.map(({ place, restMs }) => place.promisedMs + restMs))
    for (const { place } of wanted) place.promisedMs = promisedMs
    if (promisedMs - now <= LONGEST_WAIT_MS) return Math.ceil(promisedMs - now)
    for (const { place } of wanted) place.promisedMs = now
    return LONGEST_WAIT_MS
  }

  #of(address: string) {
    const { gapMs } = this.options
    return [
      { place: this.#place(unmapped(address)), restMs: gapMs * ADDRESS_PART, most: MOST_AT_ADDRESS },
      { place: this.#place(networkOf(address, 64)), restMs: gapMs * NETWORK_PART, most: MOST_IN_NETWORK },
    ]
  }

  #place(key: string): Place {
    const known = this.#places.get(key)
    if (known !== undefined) return known
    if (this.#places.size >= MOST_REMEMBERED) this.#forget()
    const place = { freeMs: 0, promisedMs: 0, underWay: 0 }
    this.#places.set(key, place)
    return place
  }

  #forget(): void {
    const now = this.options.nowMs()
    for (const [key, { freeMs, underWay }] of this.#places)
      if (underWay === 0 && freeMs <= now) this.#places.delete(key)
  }

  #notice(name: string, address: string): void {
    const names = this.#names.get(address) ?? new Set()
    if (names.size >= MANY_NAMES) return
    names.add(name)
    if (this.#names.size >= MOST_REMEMBERED && !this.#names.has(address)) this.#names.clear()
    this.#names.set(address, names)
    if (names.size === MANY_NAMES) this.options.onCrowd(address, names.size)
  }
}
