import type { AllowHosts } from '../domain/host.ts'
import type { TimestampUs } from '../domain/time/timestamp.ts'
import {
  holderOf,
  leaseSource,
  readSource,
  releaseSource,
  renewSource,
  type SourceHolder,
  SourceLost,
} from '../store/facts/sweeps.ts'
import type { Store } from '../store/store.ts'
import { type SourceConfig, sourceOf } from './source.ts'
import { intervalOf, type SweepIntervals } from './source-settings.ts'
import type { Fetch } from './sweep/fetch.ts'
import type { SellerCalls } from './sweep/seller-calls.ts'
import { sellersIn, sweepsOn } from './sweep/stored-sweeps.ts'
import { sweep } from './sweep/sweep.ts'
import type { OpenLines } from './sweep/sweep-file.ts'
import type { SweepLimits } from './sweep/sweep-limits.ts'
import type { SweepNotice } from './sweep/sweep-run.ts'
import type { SweepOutcome } from './sweep/sweep-store.ts'

/** Everything sweeping needs from outside; `main` builds it once. */
export interface Ingesting {
  readonly store: Store
  readonly fetch: Fetch
  readonly openLines: OpenLines
  readonly allow: AllowHosts
  /** The way to sellers' own documents, shared by everything in the program that reads them. */
  readonly calls: SellerCalls
  readonly intervals: SweepIntervals
  /** This program, among all that share the store. */
  readonly by: string
  /** Whether another program has ended without giving back what it held; it is not waited for. Unset: nobody knows. */
  readonly isEnded?: (program: string) => boolean
  readonly now: () => TimestampUs
  /** Whether what is read now can be dated; unset: nobody doubts it. */
  readonly isClockRight?: () => Promise<boolean>
  /** Ends early, without an error, when the signal says so. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  readonly random: () => number
  readonly limits?: Partial<SweepLimits>
}

/** A program that died while sweeping is replaced after this. */
const LEASE_US = 15_000_000
const RENEW_MS = 4_000

interface SweepOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (notice: SweepNotice) => void
  /** Told who sweeps it instead. */
  readonly onBusy?: (holder: SourceHolder) => void
}

/** One sweep of one source now; `null` while another program sweeps it. */
export async function sweepOnce(
  ingesting: Ingesting,
  config: SourceConfig,
  options: SweepOptions = {},
): Promise<SweepOutcome | null> {
  const { store, by, now } = ingesting
  const lease = (ended?: string): Promise<boolean> =>
    leaseSource(store, config.name, by, now(), now() + LEASE_US, ended)
  if (!(await lease())) {
    const holder = await holderOf(store.read, config.name, now())
    const isFree = holder === null || ingesting.isEnded?.(holder.by) === true
    if (!isFree || !(await lease(holder?.by))) {
      if (holder !== null) options.onBusy?.(holder)
      return null
    }
  }
  const wrongClock = new AbortController()
  const renewing = setInterval(() => {
    void renewSource(store, config.name, by, now() + LEASE_US).catch(() => undefined)
    void isClockRight(ingesting).then((isRight) => isRight || wrongClock.abort())
  }, RENEW_MS)
  const signal = AbortSignal.any([wrongClock.signal, ...(options.signal ? [options.signal] : [])])
  let outcome: SweepOutcome | null = null
  try {
    outcome = await sweep(sourceOf(config), {
      store: sweepsOn(store, by),
      sellers: sellersIn(store),
      openLines: ingesting.openLines,
      fetch: ingesting.fetch,
      allow: ingesting.allow,
      calls: ingesting.calls,
      now,
      sleep: (ms) => ingesting.sleep(ms, signal),
      random: ingesting.random,
      signal,
      ...(options.onProgress && { onProgress: options.onProgress }),
      ...(ingesting.limits && { limits: ingesting.limits }),
    })
    return outcome
  } catch (error) {
    if (!(error instanceof SourceLost)) throw error
    const holder = await holderOf(store.read, config.name, now())
    if (holder !== null) options.onBusy?.(holder)
    return null
  } finally {
    clearInterval(renewing)
    await releaseSource(store, config.name, by, nextDueUs(ingesting, config, outcome))
  }
}

const isClockRight = async (ingesting: Ingesting): Promise<boolean> => (await ingesting.isClockRight?.()) ?? true

/** A sweep that did not come to its end is tried again sooner. */
const UNFINISHED_MS = 15 * 60_000

/** Nobody was known yet who could be asked: the lists of a new directory are still being read. */
const isOfNobody = (config: SourceConfig, outcome: SweepOutcome | null): boolean =>
  sourceOf(config).shape === 'sellers' && Object.keys(outcome?.answers ?? {}).length === 0

/** What is due much later than any sweep that ended now would make it was said by a clock that was ahead, or at another interval. */
function isDue({ now, intervals }: Ingesting, config: SourceConfig, dueUs: TimestampUs): boolean {
  const nowUs = now()
  return dueUs <= nowUs || dueUs > nowUs + intervalOf(intervals, config.name) * 1000 * LATEST
}

/** Of the interval. Machines whose clocks differ a little share a source: none of them takes the others' time for wrong. */
const LATEST = 2

/** A tenth earlier or later, so that many directories do not ask one source in the same minute. */
function nextDueUs(ingesting: Ingesting, config: SourceConfig, outcome: SweepOutcome | null): TimestampUs {
  const { now, intervals, random } = ingesting
  if (outcome?.error === 'interrupted') return now()
  const usualMs = intervalOf(intervals, config.name)
  const isDone = outcome?.status === 'complete' && !isOfNobody(config, outcome)
  const waitMs = isDone ? usualMs : Math.min(usualMs, UNFINISHED_MS)
  return now() + Math.round(waitMs * 1000 * (0.9 + 0.2 * random()))
}

/** How often a program looks whether a source is due. */
const LOOK_MS = 5_000

/** Sweeps every source whenever it is due, until the signal says stop. One sweep at a time per source; who else has one is told once. */
export async function ingestForever(
  ingesting: Ingesting,
  sources: readonly SourceConfig[],
  signal: AbortSignal,
  onOutcome: (outcome: SweepOutcome) => void,
  onTrouble: (source: string, error: unknown) => void,
  onBusy: (source: string, holder: SourceHolder) => void = () => undefined,
): Promise<void> {
  const forever = async (config: SourceConfig): Promise<void> => {
    let told: string | null = null
    const busy = (holder: SourceHolder): void => {
      if (told !== holder.by) onBusy(config.name, holder)
      told = holder.by
    }
    while (!signal.aborted) {
      try {
        const known = await readSource(ingesting.store.read, config.name)
        const isWanted = known === undefined || isDue(ingesting, config, known.due_us)
        if (isWanted && (await isClockRight(ingesting))) {
          const outcome = await sweepOnce(ingesting, config, { signal, onBusy: busy })
          if (outcome !== null) {
            told = null
            onOutcome(outcome)
          }
        }
      } catch (error) {
        onTrouble(config.name, error)
      }
      await ingesting.sleep(LOOK_MS, signal)
    }
  }
  await Promise.all(sources.map(forever))
}
