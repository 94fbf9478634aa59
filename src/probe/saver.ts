import { sleep } from '../async/sleep.ts'
import { failureFields, isUnready, takesNothing } from '../domain/store-trouble.ts'
import { byShard } from '../store/hosts/by-shard.ts'
import { type Observed, saveProbes } from '../store/probes/save-probes.ts'
import { endTurns } from '../store/schedule/schedule.ts'
import type { Store } from '../store/store.ts'
import { endedTurnsOf, observedBy } from './batch.ts'
import type { ProbeLog } from './log.ts'
import type { Visited } from './visit.ts'

const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 5_000
/** From this refusal on, a batch is saved in parts. A store that takes nothing from anybody refuses nothing. */
const PATIENT_REFUSALS = 3

/**
 * Saves batches of visits until the store has them, however long it is away. Saving again after an unclear answer
 * counts every entry once.
 */
export class Saver {
  #isTroubled = false

  constructor(
    private readonly store: Store,
    private readonly intervalUs: number,
    private readonly log: ProbeLog,
    /** Says when there is no time left: what is not saved then is given up, and its routes come back. */
    private readonly giveUp: AbortSignal,
  ) {}

  /** The store has not taken the last batch yet. */
  get isTroubled(): boolean {
    return this.#isTroubled
  }

  async save(visits: readonly Visited[]): Promise<void> {
    for (const part of byShard(this.store.dialect, visits, ({ turn }) => turn.hostId).values()) await this.#save(part)
  }

  async #save(visits: readonly Visited[], patience = PATIENT_REFUSALS): Promise<void> {
    const observed = observedBy(visits)
    let refusals = 0
    for (let tries = 1; ; tries++) {
      const error = await this.#try(visits, observed)
      if (error === null) return
      this.#setTrouble(error)
      if (!takesNothing(error)) refusals++
      const isTheirs = visits.length > 1 || !isUnready(error)
      if (refusals >= patience && isTheirs && (await this.#isStoreThere())) return this.#saveInParts(visits, error)
      await sleep(Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** tries), this.giveUp)
      if (this.giveUp.aborted) {
        this.log.error({ entries: observed.probes.length }, 'entries given up: the store did not take them in time')
        return
      }
    }
  }

  /** Answers why the store did not take it. */
  async #try(visits: readonly Visited[], observed: Observed): Promise<unknown> {
    try {
      const entries = await this.#write(visits, observed)
      if (entries > 0) this.log.warn({ entries }, 'entries left out: older than what is kept; look at the clock')
      this.#setTrouble(null)
      return null
    } catch (error) {
      return error
    }
  }

  #write(visits: readonly Visited[], observed: Observed): Promise<number> {
    const endedTurns = endedTurnsOf(visits, this.intervalUs)
    const newestUs = Math.max(...observed.probes.map((probe) => probe.atUs))
    return saveProbes(this.store, observed, {
      ...(observed.probes.length === 0 ? {} : { announceUs: newestUs }),
      also: (writer) => endTurns(writer, this.store.dialect, endedTurns),
    })
  }

  /** One host's answer that the store cannot hold must not keep all others' from being saved. */
  async #saveInParts(visits: readonly Visited[], error: unknown): Promise<void> {
    const [first] = visits
    if (visits.length > 1) {
      const half = Math.ceil(visits.length / 2)
      await this.#save(visits.slice(0, half), 1)
      await this.#save(visits.slice(half), 1)
    } else if (first) {
      this.log.error({ err: error, host: first.turn.host }, 'the store refuses the entries of this host')
      try {
        await this.#write(visits, { probes: [] })
      } catch (again) {
        // Its lease ends by itself.
        this.log.error({ err: again, host: first.turn.host }, 'the turn of this host could not be ended')
      }
      this.#setTrouble(null)
    }
  }

  async #isStoreThere(): Promise<boolean> {
    return this.store.ping().then(
      () => true,
      () => false,
    )
  }

  #setTrouble(error: unknown): void {
    const isTroubled = error !== null
    if (isTroubled && !this.#isTroubled)
      this.log.warn(failureFields(error), 'the store does not take entries; they wait')
    if (!isTroubled && this.#isTroubled) this.log.info({}, 'the store takes entries again')
    this.#isTroubled = isTroubled
  }
}
