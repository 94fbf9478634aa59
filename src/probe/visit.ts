import { sleep, untilStopped } from '../async/sleep.ts'
import type { Vantage } from '../domain/now/vantage.ts'
import type { Method } from '../domain/route.ts'
import type { TimestampUs } from '../domain/time/timestamp.ts'
import type { DidReading } from '../store/probes/offers/offer-input.ts'
import type { DueRoute, Turn } from '../store/schedule/schedule.ts'
import type { Crowds } from './crowds.ts'
import { didsOf, MOST_DIDS, readDidDocument } from './did-document.ts'
import type { Egress, EgressAnswer, EgressRequest } from './egress.ts'
import { isOptedOut, type Manners, pauseAsked, Spacing } from './politeness.ts'
import { isProbeable, type Probed, type ProbeLimits, probeRoute } from './probe-route.ts'
import { isAllowed } from './robots.ts'
import { isFresh, type KnownRobots, readRobots, refreshRobots } from './robots-file.ts'
import type { Standstill } from './standstill.ts'

export interface VisitDeps {
  readonly egress: Egress
  /** Shared by all visits. */
  readonly crowds: Crowds
  /** Of the program itself. */
  readonly standstill: Standstill
  readonly nowUs: () => TimestampUs
  /** Told of every probe as soon as it is over, before it is saved. */
  readonly onProbe: (seen: Probed) => void
}

export interface VisitRules {
  readonly vantage: Vantage | null
  readonly manners: Manners
  readonly methods: readonly Method[]
  readonly limits: ProbeLimits
  readonly intervalMs: number
}

/** Why a due route was not called. */
export type Skip = 'not_probeable' | 'robots' | 'opted_out'

/** What came of one host's turn. */
export interface Visited {
  readonly turn: Turn
  readonly probed: readonly { readonly route: DueRoute; readonly seen: Probed }[]
  readonly skipped: readonly { readonly route: DueRoute; readonly why: Skip }[]
  /** Nobody calls the host before this. */
  readonly notBeforeUs: TimestampUs
  readonly robots: KnownRobots
  /** Of the seller's DID documents, where its offers are signed. */
  readonly readings: readonly DidReading[]
}

/** Left of the lease when the last call of a turn ends: for saving it. */
const SAVING_US = 10_000_000
/** Of a call to a crowded address, before the turn ends. */
const MOST_TRIES = 3

/**
 * Calls the due routes of one host, one after another. Ends early when the host asks for a pause, when the lease would
 * not hold for another call, or when told to `stop`; `giveUp` also leaves a call that is under way.
 */
export async function visit(
  turn: Turn,
  deps: VisitDeps,
  rules: VisitRules,
  stop: AbortSignal,
  giveUp: AbortSignal,
): Promise<Visited> {
  const one = new Visit(turn, deps, rules, stop)
  await untilStopped(one.run(), giveUp)
  return one.visited()
}

/** The machine behind the host has had enough of us for now: nothing was sent. */
class Crowded extends Error {
  override readonly name = 'Crowded'
  constructor(readonly waitMs: number) {
    super('others are called at the same address')
  }
}

class Visit {
  readonly #probed: { route: DueRoute; seen: Probed }[] = []
  readonly #skipped: { route: DueRoute; why: Skip }[] = []
  readonly #readings: DidReading[] = []
  readonly #asked = new Set<string>()
  readonly #spacing: Spacing
  #robots: KnownRobots
  #pauseMs: number

  constructor(
    private readonly turn: Turn,
    private readonly deps: VisitDeps,
    private readonly rules: VisitRules,
    private readonly stop: AbortSignal,
  ) {
    this.#spacing = new Spacing(rules.manners.gapMs, stop)
    this.#robots = readRobots(turn.robots)
    this.#pauseMs = rules.manners.gapMs
  }

  /** What came of it until now. */
  visited(): Visited {
    const notBeforeUs = this.deps.nowUs() + this.#pauseMs * 1000
    const [probed, skipped, readings] = [[...this.#probed], [...this.#skipped], [...this.#readings]]
    return { turn: this.turn, probed, skipped, notBeforeUs, robots: this.#robots, readings }
  }

  async run(): Promise<void> {
    const { manners, methods, intervalMs } = this.rules
    const isOut = isOptedOut(manners.optOut, this.turn.host)
    if (isOut) this.#pauseMs = intervalMs
    for (const route of this.turn.routes) {
      const why = isOut ? 'opted_out' : isProbeable(route, methods) ? null : 'not_probeable'
      if (why !== null) this.#skipped.push({ route, why })
      else if (!(await this.#callUnlessCrowded(route))) return
    }
  }

  /** A turn at a crowded address ends, and what was due stays due. */
  async #callUnlessCrowded(route: DueRoute): Promise<boolean> {
    try {
      return await this.#call(route)
    } catch (error) {
      if (!(error instanceof Crowded)) throw error
      this.#pauseMs = Math.max(this.#pauseMs, error.waitMs)
      return false
    }
  }

  /** The same door, which waits a little and then throws `Crowded` where too many names lead to one machine. */
  readonly #door: Egress = {
    fetch: async (request) => {
      for (let tries = 0; ; tries++) {
        const { answer, waitMs } = await this.#try(request)
        if (waitMs === 0) return answer
        if (tries === MOST_TRIES || waitMs > this.rules.manners.gapMs || !this.#isTimeFor(2)) throw new Crowded(waitMs)
        await sleep(waitMs, this.stop)
      }
    },
  }

  async #try(request: EgressRequest): Promise<{ readonly answer: EgressAnswer; readonly waitMs: number }> {
    const { crowds, egress } = this.deps
    const taken: string[] = []
    let waitMs = 0
    const admit = (address: string): boolean => {
      waitMs = crowds.admit(this.turn.host, address)
      if (waitMs === 0) taken.push(address)
      return waitMs === 0
    }
    const answer = await egress.fetch({ ...request, admit })
    for (const address of taken) crowds.leave(address)
    return { answer, waitMs }
  }

  /** Answers whether the turn goes on. What was called while this program stood still is not recorded, and stays due. */
  async #call(route: DueRoute): Promise<boolean> {
    const { nowUs, onProbe, standstill } = this.deps
    const { methods, limits, vantage } = this.rules
    const { scheme, method, path, rail, routeId } = route
    if (!isFresh(this.#robots, scheme, nowUs())) {
      if (!this.#isTimeFor(2)) return false
      const polite = this.#spacing.through(this.#door)
      const patience = { nowUs, deadlineMs: limits.deadlineMs, isTime: () => this.#isTimeFor(1) }
      const found = await refreshRobots(polite, this.#robots, { scheme, host: this.turn.host }, patience)
      this.#robots = found.robots
      if (!this.#goesOnAfter(found.pauseMs)) return false
    }
    if (!isAllowed(this.#robots[scheme]?.rules ?? [], path)) {
      this.#skipped.push({ route, why: 'robots' })
      return true
    }
    await this.#spacing.turn()
    if (!this.#isTimeFor(1)) return false
    const ref = { host: this.turn.host, scheme, method, path, rail, at: { hostId: this.turn.hostId, routeId } }
    const beganMs = standstill.beat()
    const seen = await probeRoute({ egress: this.#door, nowUs, methods, limits, vantage }, ref)
    this.#spacing.done()
    if (standstill.since(beganMs)) {
      this.#goesOnAfter(pauseAsked(seen))
      return false
    }
    this.#probed.push({ route, seen })
    onProbe(seen)
    const didPauseMs = seen.offers.length > 0 ? await this.#readDids(seen) : null
    return this.#goesOnAfter(pauseAsked(seen) ?? didPauseMs)
  }

  /** A host that asks for a pause is left alone for so long. */
  #goesOnAfter(askedMs: number | null): boolean {
    if (askedMs !== null) this.#pauseMs = Math.max(this.#pauseMs, askedMs)
    return askedMs === null
  }

  /** Whose keys the offers of a probe are signed with, once a turn. Answers the pause that the host asked for. */
  async #readDids({ entry, offers }: Probed): Promise<number | null> {
    const { host, scheme, atUs } = entry
    for (const one of didsOf(host, offers)) {
      const isAsked = this.#asked.has(one.did) || this.#asked.size >= MOST_DIDS
      if (isAsked || !isAllowed(this.#robots[scheme]?.rules ?? [], one.path)) continue
      this.#asked.add(one.did)
      await this.#spacing.turn()
      if (!this.#isTimeFor(1)) return null
      const { deadlineMs } = this.rules.limits
      const at = { host, scheme, atUs }
      const { reading, pauseMs } = await readDidDocument(this.#door, one, at, this.deps.nowUs, deadlineMs)
      this.#spacing.done()
      if (reading) this.#readings.push(reading)
      if (pauseMs !== null) return pauseMs
    }
    return null
  }

  #isTimeFor(calls: number): boolean {
    const { limits, manners } = this.rules
    const callUs = (limits.deadlineMs + manners.gapMs) * 1000
    return !this.stop.aborted && this.deps.nowUs() + calls * callUs + SAVING_US <= this.turn.untilUs
  }
}
