import { Bell } from '../async/bell.ts'
import type { TimestampUs } from '../domain/time/timestamp.ts'
import type { ClockWatch } from './clock-watch.ts'
import type { Connectivity } from './connectivity.ts'
import type { ProbeLog } from './log.ts'
import type { Saver } from './saver.ts'
import type { Visited } from './visit.ts'

/** A batch is saved when it holds so many entries, or when its first has waited so long. */
const BATCH_ENTRIES = 500
const BATCH_MS = 250
/** Entries that wait while the store has trouble; beyond it, probing stops until they are saved. */
const MOST_WAITING = 5_000
/** How long a host that could not be reached may wait for a sign that others can be. */
const DOUBT_MS = 1_000

interface Waiting {
  readonly visited: Visited
  readonly sinceMs: number
}

/**
 * The bounded buffer between probing and the store. Saves visits in batches; owns them from `add` on. What could not be
 * reached waits for a sign that we are online, and everything for one that the clock is right.
 */
export class Recorder {
  #queue: Waiting[] = []
  #queued = 0
  /** Being saved. */
  #batch: readonly Visited[] = []
  #isEnding = false
  #pumping: Promise<void> | null = null
  readonly #changed = new Bell()
  readonly #never = new AbortController().signal

  constructor(
    private readonly saver: Saver,
    private readonly connectivity: Connectivity,
    private readonly clock: ClockWatch,
    private readonly log: ProbeLog,
    /** Told when a batch has been saved and its hosts are free. */
    private readonly onSaved: () => void,
  ) {}

  /** Entries not saved yet. */
  get waiting(): number {
    return this.#queued + entriesOf(this.#batch)
  }

  get isFull(): boolean {
    return this.waiting >= MOST_WAITING
  }

  /** Something waits of hosts that are held no longer: they would be called again for what is seen already. */
  isOverdue(nowUs: TimestampUs): boolean {
    const isEnded = ({ turn }: Visited): boolean => turn.untilUs <= nowUs
    return this.#batch.some(isEnded) || this.#queue.some(({ visited }) => isEnded(visited))
  }

  /** Nothing is left to be saved, neither entries nor the ends of turns. */
  get isIdle(): boolean {
    return this.#pumping === null
  }

  add(visited: Visited): void {
    for (const { seen } of visited.probed) if (seen.isConnected) this.connectivity.saw(seen.endUs)
    this.#queue.push({ visited, sinceMs: performance.now() })
    this.#queued += visited.probed.length
    if (this.#queued >= BATCH_ENTRIES) this.#changed.ring()
    this.#pumping ??= this.#pump()
  }

  /** Nothing else is coming for now: what waits is saved at once. */
  hurry(): void {
    this.#changed.ring()
  }

  /** Resolves when everything is saved, or given up by the saver. */
  async end(): Promise<void> {
    this.#isEnding = true
    this.#changed.ring()
    await this.#pumping
  }

  async #pump(): Promise<void> {
    let isBehind = false
    while (this.#queue.length > 0) {
      if (!isBehind && !this.#isEnding) await this.#changed.wait(BATCH_MS, this.#never)
      const batch = this.#take((visited) => this.#isSure(visited))
      if (batch.length > 0) await this.#save(batch)
      else if (this.#isEnding || this.#isDoubtOld()) await this.#resolveDoubt()
      isBehind = batch.length > 0 && this.#queued >= BATCH_ENTRIES
    }
    this.#pumping = null
    this.onSaved()
  }

  async #save(batch: readonly Visited[]): Promise<void> {
    this.#batch = batch
    await this.saver.save(batch)
    this.#batch = []
    this.onSaved()
  }

  /** Whether its dates can be believed, and every failure to reach the host is known to be the host's. */
  #isSure({ probed }: Visited): boolean {
    if (this.clock.isDoubtful || this.clock.isWrong) return false
    return probed.every(({ seen }) => seen.isConnected || this.connectivity.isTheirs(seen.endUs))
  }

  #isDoubtOld(): boolean {
    const [oldest] = this.#queue
    return oldest !== undefined && performance.now() - oldest.sinceMs >= DOUBT_MS
  }

  /**
   * The clock was set, or nobody was reached since. With a wrong clock nothing is recorded, nor when the hosts may be called
   * again: their leases end. Else either others can be reached, or we are offline and none of it is recorded.
   */
  async #resolveDoubt(): Promise<void> {
    const isOfClock = this.clock.isDoubtful
    const isRight = await this.clock.isRight()
    if (!isRight) this.#take(() => true)
    if (!isRight || isOfClock) return
    if (await this.connectivity.check()) return
    this.log.warn({}, 'offline: neither hosts nor check addresses can be reached, so nothing is recorded')
    const unsure = this.#take((visited) => !this.#isSure(visited))
    await this.#save(
      unsure.map((visited) => ({ ...visited, probed: visited.probed.filter(({ seen }) => seen.isConnected) })),
    )
  }

  /** The longest waiting of those wanted, up to a batch. */
  #take(wanted: (visited: Visited) => boolean): Visited[] {
    const taken: Visited[] = []
    const left: Waiting[] = []
    let entries = 0
    for (const waiting of this.#queue) {
      if (entries >= BATCH_ENTRIES || !wanted(waiting.visited)) left.push(waiting)
      else {
        taken.push(waiting.visited)
        entries += waiting.visited.probed.length
      }
    }
    this.#queue = left
    this.#queued -= entries
    return taken
  }
}

const entriesOf = (visits: readonly Visited[]): number => visits.reduce((sum, { probed }) => sum + probed.length, 0)
