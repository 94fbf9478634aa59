import { Bell } from '../async/bell.ts'
import { later, sleep } from '../async/sleep.ts'
import { failureFields } from '../domain/store-trouble.ts'
import { storedVantage } from '../store/probes/vantages.ts'
import { isAnyLeft } from '../store/schedule/round.ts'
import { claimTurns, giveBackTurns, nextTurnUs, type Round, type Turn } from '../store/schedule/schedule.ts'
import type { ClockWatch } from './clock-watch.ts'
import type { Connectivity } from './connectivity.ts'
import type { Crowds } from './crowds.ts'
import { Recorder } from './recorder.ts'
import { Saver } from './saver.ts'
import type { ProberDeps, ProberSettings } from './settings.ts'
import { Standstill } from './standstill.ts'
import { visit } from './visit.ts'

/** How long nothing due waits until somebody looks again. */
const IDLE_MS = 500
const OFFLINE_EVERY_MS = 2_000
const TROUBLE_MS = 1_000
/** After being told to stop: for calls under way, and from then on for saving. */
const CALLS_END_MS = 3_000
const SAVING_END_MS = 3_000

/** One prober at work, from its start until everything it saw is saved. Holds the leases of the turns it has claimed. */
export class ProberRun {
  readonly #bell = new Bell()
  /** Claimed, not begun: a claim costs one transaction, so they are claimed some at a time. */
  readonly #ready: Turn[] = []
  readonly #visits = new Set<Promise<void>>()
  readonly #giveUpCalls: AbortSignal
  readonly #saver: Saver
  readonly #recorder: Recorder
  readonly #standstill: Standstill
  #claims = 0
  #isStoreTroubled = false
  /** The last claim took all there was. */
  #isCaughtUp = false

  constructor(
    private readonly deps: ProberDeps & { readonly crowds: Crowds; readonly clock: ClockWatch },
    private readonly settings: ProberSettings,
    private readonly connectivity: Connectivity,
    /** `null`: whatever is due, for ever. */
    private readonly scope: Round | null,
    private readonly stop: AbortSignal,
  ) {
    const { store, log } = deps
    this.#giveUpCalls = later(stop, CALLS_END_MS)
    const giveUpSaving = later(stop, CALLS_END_MS + SAVING_END_MS)
    this.#saver = new Saver(store, settings.intervalMs * 1000, log, giveUpSaving)
    this.#recorder = new Recorder(this.#saver, connectivity, deps.clock, log, () => this.#bell.ring())
    this.#standstill = new Standstill(deps.nowMs ?? (() => performance.now()), (ms) =>
      log.warn({ ms }, 'this program stood still: calls that were under way are not recorded'),
    )
  }

  get isStoreTroubled(): boolean {
    return this.#isStoreTroubled || this.#saver.isTroubled
  }

  get visiting(): number {
    return this.#visits.size
  }

  get waiting(): number {
    return this.#recorder.waiting
  }

  run(): Promise<void> {
    return this.#standstill.during(this.#work())
  }

  async #work(): Promise<void> {
    while (!this.stop.aborted) {
      const isAble = !this.connectivity.isOffline && (await this.deps.clock.isRight())
      if (!isAble && this.scope !== null) break
      if (this.connectivity.isOffline) await this.#awaitNetwork()
      else if (!isAble) await sleep(OFFLINE_EVERY_MS, this.stop)
      else if (await this.#isWorkLeft()) await this.#bell.wait(IDLE_MS, this.stop)
      else break
    }
    for (const turn of this.#ready.splice(0)) this.#begin(turn)
    await Promise.all(this.#visits)
    await this.#recorder.end()
  }

  /** Begins what can begin now. Answers `false` when a round has nothing left to wait for. */
  async #isWorkLeft(): Promise<boolean> {
    try {
      await this.#claim()
      while (this.#ready.length > 0 && this.#visits.size < this.settings.concurrency) {
        const turn = this.#ready.shift()
        if (turn) this.#begin(turn)
      }
      if (this.scope === null || this.#visits.size > 0 || !this.#recorder.isIdle) return true
      const { leaseMs, manners } = this.settings
      const scope = { ...this.scope, vantageId: await this.#vantageId() }
      return await isAnyLeft(this.deps.store, scope, this.deps.nowUs() + (leaseMs + manners.gapMs) * 1000)
    } catch (error) {
      if (!this.#isStoreTroubled) this.deps.log.warn(failureFields(error), 'the store does not give out work')
      this.#isStoreTroubled = true
      await sleep(TROUBLE_MS, this.stop)
      return true
    }
  }

  async #vantageId(): Promise<number> {
    return (await storedVantage(this.deps.store, this.settings.vantage)).id
  }

  /** Nothing new is claimed while entries cannot be saved: their own hosts would be claimed again. */
  async #claim(): Promise<void> {
    const { store, nowUs, name } = this.deps
    const { concurrency, routesPerTurn, leaseMs } = this.settings
    const wanted = Math.ceil(concurrency * 1.5) - this.#visits.size - this.#ready.length
    const isBehind = this.#saver.isTroubled || this.#recorder.isFull || this.#recorder.isOverdue(nowUs())
    if (isBehind || wanted < concurrency / 4) return
    const vantageId = await this.#vantageId()
    if (this.#claims === 0) await this.#giveBack(vantageId)
    if (this.#isCaughtUp && ((await nextTurnUs(store, vantageId)) ?? Number.POSITIVE_INFINITY) > nowUs()) return
    const turns = await claimTurns(store, {
      lease: `${name}/${this.#claims++}`,
      vantageId,
      nowUs: nowUs(),
      leaseUs: leaseMs * 1000,
      mostHosts: wanted,
      routesPerHost: routesPerTurn,
      within: this.scope && { ...this.scope, vantageId },
    })
    if (this.#isStoreTroubled) this.deps.log.info({}, 'the store gives out work again')
    this.#isStoreTroubled = false
    this.#isCaughtUp = turns.length < wanted
    this.#ready.push(...turns)
  }

  /** What probers held that have ended without a word. */
  async #giveBack(vantageId: number): Promise<void> {
    const { store, isEnded } = this.deps
    const { leaseMs, manners } = this.settings
    if (isEnded === undefined) return
    const nowUs = this.deps.nowUs()
    await giveBackTurns(store, {
      vantageId,
      nowUs,
      leaseUs: leaseMs * 1000,
      notBeforeUs: nowUs + manners.gapMs * 1000,
      isEnded: (lease) => isEnded(lease.slice(0, lease.lastIndexOf('/'))),
    })
  }

  #begin(turn: Turn): void {
    const { egress, crowds, nowUs, log, onProbe = () => undefined, onVisit = () => undefined } = this.deps
    const deps = { egress, crowds, nowUs, onProbe, standstill: this.#standstill }
    const visiting = visit(turn, deps, this.settings, this.stop, this.#giveUpCalls)
      .then((visited) => {
        this.#recorder.add(visited)
        onVisit(visited)
      })
      // A fault of this program in one visit: the host comes back when its lease ends.
      .catch((error: unknown) => log.error({ err: error, host: turn.host }, 'a visit failed'))
      .finally(() => {
        this.#visits.delete(visiting)
        if (this.#visits.size === 0) this.#recorder.hurry()
        this.#bell.ring()
      })
    this.#visits.add(visiting)
  }

  async #awaitNetwork(): Promise<void> {
    await sleep(OFFLINE_EVERY_MS, this.stop)
    if (!this.stop.aborted && (await this.connectivity.check())) this.deps.log.info({}, 'online again')
  }
}
