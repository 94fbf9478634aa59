import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { sleep } from '../async/sleep.ts'
import type { Ingesting } from '../ingest/ingester.ts'
import type { Fetch } from '../ingest/sweep/fetch.ts'
import type { Egress } from '../probe/egress.ts'
import type { Store } from '../store/store.ts'
import { nowUs } from './clock.ts'
import type { Config } from './config.ts'
import { isEndedProgram, programName } from './program-name.ts'

/** Sweeps ask for whole documents: a longer one is an error, not a cut one. */
const fetchThrough =
  (egress: Egress): Fetch =>
  ({ url, headers, maxBytes, deadlineMs }) =>
    egress.fetch({ method: 'GET', url, headers, deadlineMs, maxBodyBytes: maxBytes, overflow: 'error', isListed: true })

/** What sweeping needs, on this program's store and clock. */
export const ingestingOf = (config: Config, store: Store, egress: Egress): Ingesting => ({
  store,
  fetch: fetchThrough(egress),
  openLines: (path) => createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY }),
  allow: config.allowHosts,
  intervals: config.sweepIntervals,
  by: programName(),
  isEnded: isEndedProgram,
  now: nowUs,
  sleep,
  random: Math.random,
})
