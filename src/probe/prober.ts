import { sleep } from '../async/sleep.ts'
import { failureFields } from '../domain/store-trouble.ts'
import { type StoredVantage, storedVantage } from '../store/probes/vantages.ts'
import { enrol } from '../store/schedule/enrol.ts'
import type { Round } from '../store/schedule/schedule.ts'
import { ClockWatch } from './clock-watch.ts'
import { Connectivity } from './connectivity.ts'
import { Crowds } from './crowds.ts'
import { ProberRun } from './prober-run.ts'
import type { ProberDeps, ProberSettings } from './settings.ts'

export interface ProberStatus {
  /** `offline`: we reach nobody, `clock`: ours is wrong, so nothing is recorded. `store`: the store has trouble, entries wait. */
  readonly state: 'stopped' | 'working' | 'offline' | 'clock' | 'store'
  /** Hosts being visited. */
  readonly visiting: number
  /** Entries not saved yet. */
  readonly waiting: number
}

/** Claims routes that are due from its vantage, probes them and keeps what was seen. Any number of probers share one store. */
export interface Prober {
  /** Probes what is due until told to stop; then lets calls end and saves what they saw. */
  run(stop: AbortSignal): Promise<void>
  /** Gives every route its place in the schedule; `run` does so by itself. */
  enrolAll(stop: AbortSignal): Promise<void>
  /** Probes everything in scope once, or what it can until told to stop; ends when we are offline or our clock is wrong. */
  round(round: Round, stop: AbortSignal): Promise<void>
  /** The number of its vantage, whose schedule it works on. */
  vantageId(): Promise<number>
  status(): ProberStatus
}

/** How often new routes are looked for: this often, and never for more than a hundredth of the time. */
const ENROL_EVERY_MS = 1_000
const ENROL_REST = 99
const AFTER_TROUBLE_MS = 10_000

export function createProber(deps: ProberDeps, settings: ProberSettings): Prober {
  const connectivity = new Connectivity(deps.egress, settings.checkAddresses, deps.nowUs)
  const clock = new ClockWatch({
    ...{ egress: deps.egress, addresses: settings.checkAddresses, nowUs: deps.nowUs },
    onWrong: (seconds) => deps.log.warn({ seconds }, 'the clock is not that of others: nothing is recorded, set it'),
    onRight: () => deps.log.info({}, 'the clock is right again'),
  })
  const crowds = new Crowds({
    gapMs: settings.manners.gapMs,
    nowMs: () => performance.now(),
    onCrowd: (address, names) => {
      deps.log.warn({ address, names }, 'many seller hosts lead to one address, which is called no more often for it')
      deps.onCrowd?.(address)
    },
  })
  let run: ProberRun | null = null
  /** When the last walk over the schedule began: one that begins earlier is by a clock that was set back. */
  let walkedUs = Number.POSITIVE_INFINITY

  const work = async (round: Round | null, stop: AbortSignal): Promise<void> => {
    run = new ProberRun({ ...deps, crowds, clock }, settings, connectivity, round, stop)
    await run.run()
    run = null
  }

  const ownVantage = (): Promise<StoredVantage> => storedVantage(deps.store, settings.vantage)

  /** Answers how long it looked, without giving places. */
  const enrolFor = async (vantage: StoredVantage, stop: AbortSignal): Promise<number> => {
    const { methods, intervalMs } = settings
    let lookedMs = 0
    const startUs = deps.nowUs()
    const isDoubtful = startUs < walkedUs
    walkedUs = startUs
    for (let after: number | null = -1; after !== null && !stop.aborted; ) {
      const options = { vantage, methods, intervalUs: intervalMs * 1000, nowUs: deps.nowUs(), isDoubtful }
      const step = await enrol(deps.store, after, options)
      lookedMs += step.lookedMs
      after = step.after
      // Others get their turn: on SQLite a read holds up everything else.
      if (after !== null) await sleep(1, stop)
    }
    return lookedMs
  }

  const keepEnrolling = async (stop: AbortSignal): Promise<void> => {
    while (!stop.aborted) {
      let restMs = AFTER_TROUBLE_MS
      try {
        // By a wrong clock nothing would be due for a long time.
        const lookedMs = (await clock.isRight()) ? await enrolFor(await ownVantage(), stop) : 0
        restMs = Math.max(ENROL_EVERY_MS, ENROL_REST * lookedMs)
      } catch (error) {
        deps.log.warn(failureFields(error), 'new routes could not be looked for')
      }
      await sleep(restMs, stop)
    }
  }

  return {
    run: async (stop) => {
      const enrolling = keepEnrolling(stop)
      await work(null, stop)
      await enrolling
    },
    enrolAll: async (stop) => {
      await enrolFor(await ownVantage(), stop)
    },
    round: work,
    vantageId: async () => (await ownVantage()).id,
    status: () => {
      const working = run?.isStoreTroubled ? 'store' : 'working'
      const able = connectivity.isOffline ? 'offline' : clock.isWrong ? 'clock' : null
      return {
        state: able ?? (run === null ? 'stopped' : working),
        visiting: run?.visiting ?? 0,
        waiting: run?.waiting ?? 0,
      }
    },
  }
}
