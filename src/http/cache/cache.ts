import { inTime } from '../../async/in-time.ts'
import type { SellerHost } from '../../domain/host.ts'
import { isAway } from '../../domain/store-trouble.ts'
import type { Directory, OnVersion } from '../../views/directory.ts'
import { Outage } from './outage.ts'
import { BytePage, type Rendered } from './page.ts'

/** How a page is found again and made anew. */
export interface PageSource {
  /** The same for every request that gets the same page. */
  readonly key: string
  /** Whose version decides whether the page still stands; `null` for pages over many hosts. */
  readonly host: SellerHost | null
  /** `render` says of which version of the host the page is: then nobody asks for it before there is a page that may stand. */
  readonly saysVersion?: true
  /** `undefined`: there is no such page. */
  render(onVersion: OnVersion): Promise<Rendered | undefined>
}

/** A place in the cache. It outlives the pages in it, so that the front can hold on to it. */
export interface Slot {
  readonly key: string
  /** `undefined` while being made for the first time, and after it was dropped to save room. */
  page: BytePage | undefined
  /** The epoch at which the page was last known to stand. */
  epoch: number
  /** Looked at since the eviction last came by. */
  used: boolean
}

/** The page in a slot, if it stands at this epoch, which is looked at for pages that change. */
export const standingIn = ({ page, epoch }: Slot, now: () => number): BytePage | undefined =>
  page?.isImmutable || epoch === now() ? page : undefined

interface Held extends Slot {
  version: number | undefined
  /** The page is made anew after that, whatever the version. */
  untilMs: number
  /** When the page was last known to stand. */
  checkedMs: number
  bytes: number
  making: Making | undefined
}

interface Making {
  readonly epoch: number
  readonly beganMs: number
  readonly promise: Promise<BytePage | undefined>
}

interface Made {
  readonly page: BytePage
  readonly standsForMs?: number | undefined
  readonly version: number | undefined
}

export interface Found {
  readonly slot: Slot
  readonly page: BytePage
  /** Of a page that nobody could look at again because the store is away: how long ago it was known to stand. */
  readonly staleMs?: number
}

export const MOST_CACHE_BYTES = 64 * 1024 * 1024
/** What a slot costs beside its bytes: maps, headers, hashes. Keeps many tiny pages from being free. */
const SLOT_BYTES = 2048

/** Who has an older copy waits no longer for a store that is silent, and nobody who comes later waits at all. */
const PATIENCE_MS = 5000
const LATE = Symbol('late')

/**
 * Pages as bytes, bounded in bytes. A page stands while the epoch is the one at which it was checked; when that has
 * moved, the host's version decides. While the store is away a page is answered as it was. Eviction is by second chance,
 * an LRU in which a hit only sets a flag.
 */
export class PageCache {
  readonly #slots = new Map<string, Held>()
  #bytes = 0
  readonly #outage: Outage

  constructor(
    private readonly directory: Pick<Directory, 'hostVersion' | 'switches'>,
    readonly epoch: () => number,
    private readonly mostBytes: number = MOST_CACHE_BYTES,
    private readonly nowMs: () => number = () => performance.now(),
    private readonly patienceMs = PATIENCE_MS,
  ) {
    this.#outage = new Outage(nowMs)
  }

  get bytes(): number {
    return this.#bytes
  }

  /** The page as it stands now: kept, renewed or made. Everybody who asks for it meanwhile waits for the same making. */
  async open(source: PageSource): Promise<Found | undefined> {
    const epoch = this.epoch()
    const slot = this.#slots.get(source.key) ?? this.#add(source.key)
    slot.used = true
    const standing = standingIn(slot, () => epoch)
    if (standing !== undefined) return { slot, page: standing }
    const before = slot.page
    if (before !== undefined && this.#outage.isOn) {
      if (this.#outage.takeTurn(this.patienceMs)) void this.#orLate(slot, source, epoch).catch(() => undefined)
      return this.#stale(slot, before)
    }
    const page =
      before === undefined ? await this.#making(slot, source, epoch).promise : await this.#orLate(slot, source, epoch)
    if (page === LATE) return before && this.#stale(slot, before)
    return page && { slot, page }
  }

  /** A making that began before the epoch moved may miss what moved it: only those who began it get its result. */
  #making(slot: Held, source: PageSource, epoch: number): Making {
    return slot.making?.epoch === epoch ? slot.making : this.#begin(slot, source, epoch)
  }

  /** `LATE` when the store is away or silent; what it says later is installed all the same. */
  async #orLate(slot: Held, source: PageSource, epoch: number): Promise<BytePage | undefined | typeof LATE> {
    const { promise } = this.#making(slot, source, epoch)
    try {
      const made = await inTime<BytePage | undefined | typeof LATE>(promise, this.patienceMs, LATE)
      if (made === LATE) this.#outage.noticed()
      else this.#outage.over()
      return made
    } catch (error) {
      if (!isAway(error)) throw error
      this.#outage.noticed()
      return LATE
    }
  }

  #stale(slot: Held, page: BytePage): Found {
    return { slot, page, staleMs: this.nowMs() - slot.checkedMs }
  }

  #begin(slot: Held, source: PageSource, epoch: number): Making {
    const promise = this.#make(slot, source).then(
      (made) => this.#install(slot, making, made),
      (error: unknown) => {
        this.#forget(slot, making)
        throw error
      },
    )
    const making: Making = { epoch, beganMs: this.nowMs(), promise }
    slot.making = making
    return making
  }

  async #make(slot: Held, source: PageSource): Promise<Made | undefined> {
    const before = slot.page
    const switches = this.directory.switches()
    // The version is read before the page: a write in between shows as a newer version next time and is never missed.
    const isAsked = source.host !== null && (before !== undefined || !source.saysVersion)
    let version = isAsked ? await this.directory.hostVersion(source.host) : undefined
    if (isAsked && version === undefined) return undefined
    const isYoung = this.nowMs() < slot.untilMs
    if (before !== undefined && version !== undefined && version === slot.version && before === slot.page && isYoung) {
      return { page: before, version }
    }
    const rendered = await source.render((said) => {
      version ??= said
    })
    if (rendered === undefined) return undefined
    const page: BytePage = new BytePage(rendered, (bytes) => this.#grow(slot, page, bytes))
    // Two copies of the store may be of two moments: a page that is older than its version would never be looked at again.
    const isOfOne = this.directory.switches() === switches
    return { page, version: isOfOne ? version : undefined, standsForMs: rendered.standsForMs }
  }

  #install(slot: Held, making: Making, made: Made | undefined): BytePage | undefined {
    if (slot.making !== making) return made?.page
    if (made?.page !== slot.page) this.#empty(slot)
    this.#forget(slot, making, made === undefined)
    if (made === undefined) return undefined
    slot.epoch = making.epoch
    slot.checkedMs = making.beganMs
    this.#outage.over()
    if (made.page === slot.page) return made.page
    slot.page = made.page
    slot.version = made.version
    slot.untilMs = making.beganMs + (made.standsForMs ?? Number.POSITIVE_INFINITY)
    this.#grow(slot, made.page, SLOT_BYTES + 2 * slot.key.length + made.page.byteLength)
    return made.page
  }

  #add(key: string): Held {
    const slot: Held = {
      key,
      page: undefined,
      epoch: Number.NaN,
      used: true,
      version: undefined,
      untilMs: Number.POSITIVE_INFINITY,
      checkedMs: Number.NEGATIVE_INFINITY,
      bytes: 0,
      making: undefined,
    }
    this.#slots.set(key, slot)
    return slot
  }

  /** Ends a making; a slot that it leaves without a page goes. */
  #forget(slot: Held, making: Making, gone = slot.page === undefined): void {
    if (slot.making !== making) return
    slot.making = undefined
    if (gone) this.#slots.delete(slot.key)
  }

  /** Lets the bytes go even where the front still holds the slot. */
  #empty(slot: Held): void {
    slot.page = undefined
    slot.version = undefined
    this.#bytes -= slot.bytes
    slot.bytes = 0
  }

  #grow(slot: Held, page: BytePage, bytes: number): void {
    if (slot.page !== page) return
    slot.bytes += bytes
    this.#bytes += bytes
    this.#evict()
  }

  #evict(): void {
    // Twice around: the first time takes the flags away, the second time finds somebody without one.
    for (let left = 2 * this.#slots.size; left > 0 && this.#bytes > this.mostBytes; left -= 1) {
      const next = this.#slots.values().next()
      if (next.done) return
      const slot = next.value
      this.#slots.delete(slot.key)
      if (slot.used || slot.making !== undefined) {
        slot.used = false
        this.#slots.set(slot.key, slot)
      } else this.#empty(slot)
    }
  }
}
