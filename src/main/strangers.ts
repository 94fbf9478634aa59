import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import type { Fetch } from '../ingest/fetch.ts'
import type { Ingesting } from '../ingest/ingester.ts'
import { createEgress, type Egress } from '../probe/egress.ts'
import { createProber, type Prober } from '../probe/prober.ts'
import { DEFAULT_PROBER, type ProberDoors } from '../probe/settings.ts'
import type { Store } from '../store/store.ts'
import type { Config } from './config.ts'
import { version } from './version.ts'

/** The one door to strangers' addresses that this program has. */
export const egressOf = (config: Config, baseUrl: string): Egress =>
  createEgress({ connectTo: config.connectTo, userAgent: userAgentOf(baseUrl) })

export const userAgentOf = (baseUrl: string): string => `Tollbook/${version()} (+${baseUrl}/probing)`

/** Sweeps ask for whole documents: a longer one is an error, not a cut one. */
const fetchThrough =
  (egress: Egress): Fetch =>
  ({ url, headers, maxBytes, deadlineMs }) =>
    egress.fetch({ method: 'GET', url, headers, deadlineMs, maxBodyBytes: maxBytes, overflow: 'error', isListed: true })

export const baseUrlOf = (config: Config, port = config.port): string => config.baseUrl ?? `http://localhost:${port}`

/** What sweeping needs, on this program's store and clock. */
export const ingestingOf = (config: Config, store: Store, egress: Egress): Ingesting => ({
  store,
  fetch: fetchThrough(egress),
  openLines: (path) => createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY }),
  allow: config.allowHosts,
  intervals: config.sweepIntervals,
  by: programName(),
  now: nowUs,
  sleep,
  random: Math.random,
})

/** A prober with this program's settings; `told` hears what it does. */
export const proberOf = (
  config: Config,
  store: Store,
  egress: Egress,
  told: Pick<ProberDoors, 'log' | 'onProbe' | 'onVisit'>,
): Prober =>
  createProber({ store, egress, nowUs, name: programName(), ...told }, { ...DEFAULT_PROBER, ...config.probing })

/** This program, unlike every other that shares its store. */
const programName = (): string => `${process.pid}-${Math.random().toString(36).slice(2)}`

/** Wall clock in microseconds. It follows a clock that is set, which a count from the program's start would not. */
export const nowUs = (): number => Date.now() * 1000 + Math.floor((performance.now() % 1) * 1000)

/** Ends early, without an error, when the signal says so. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, signal && { signal })
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}
