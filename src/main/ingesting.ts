import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Logger } from 'pino'
import { sleep } from '../async/sleep.ts'
import { failureFields } from '../domain/store-trouble.ts'
import { formatTimestamp } from '../domain/time/timestamp.ts'
import { type Ingesting, ingestForever } from '../ingest/ingester.ts'
import type { Fetch } from '../ingest/sweep/fetch.ts'
import { SellerCalls } from '../ingest/sweep/seller-calls.ts'
import type { SweepOutcome } from '../ingest/sweep/sweep-store.ts'
import { ClockWatch } from '../probe/clock-watch.ts'
import type { Egress } from '../probe/egress.ts'
import { readRefusals } from '../store/facts/refusals.ts'
import { isEndedProgram, programName } from '../store/program-name.ts'
import type { Store } from '../store/store.ts'
import { nowUs } from './clock.ts'
import type { Config } from './config.ts'
import { sellerMannersOf } from './sellers/manners.ts'

/** Sweeps ask for whole documents: a longer one is an error, not a cut one. */
const fetchThrough =
  (egress: Egress): Fetch =>
  ({ url, headers, maxBytes, deadlineMs }) =>
    egress.fetch({ method: 'GET', url, headers, deadlineMs, maxBodyBytes: maxBytes, overflow: 'error', isListed: true })

/** What sweeping needs, on this program's store and clock. */
export const ingestingOf = (config: Config, store: Store, egress: Egress, log?: Logger): Ingesting => ({
  store,
  fetch: fetchThrough(egress),
  openLines: (path) => createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY }),
  allow: config.allowHosts,
  calls: new SellerCalls(sellerMannersOf(config, store, egress)),
  intervals: config.sweepIntervals,
  by: programName(),
  isEnded: isEndedProgram,
  now: nowUs,
  isClockRight: clockCheckOf(config, egress, log),
  sleep,
  random: Math.random,
})

function clockCheckOf({ probing }: Config, egress: Egress, log: Logger | undefined): () => Promise<boolean> {
  const clock = new ClockWatch({
    ...{ egress, addresses: probing.checkAddresses, nowUs },
    onWrong: (seconds) => log?.warn({ seconds }, 'the clock is not that of others: nothing is swept, set it'),
    onRight: () => log?.info({}, 'the clock is right again'),
  })
  return () => clock.isRight()
}

/** What is told of sweeps. */
export interface IngestTold {
  readonly log: Logger
  swept(outcome: SweepOutcome): void
}

/** Sweeps every source whenever it is due, until the signal says stop. */
export function ingestWith(
  config: Config,
  store: Store,
  egress: Egress,
  signal: AbortSignal,
  { log, swept }: IngestTold,
): Promise<void> {
  const tell = async (outcome: SweepOutcome): Promise<void> => {
    const { source, status, seen, stored, refused, error } = outcome
    const level = status === 'complete' || error === 'interrupted' ? 'info' : 'warn'
    const lines = await refusedLines(store, config, source)
    log[level]({ source, status, seen, stored, refused, error, ...(lines && { refused_lines: lines }) }, 'sweep')
  }
  return ingestForever(
    ingestingOf(config, store, egress, log),
    config.sources,
    signal,
    (outcome) => {
      swept(outcome)
      tell(outcome).catch((error: unknown) =>
        log.error({ source: outcome.source, ...failureFields(error) }, 'sweep trouble'),
      )
    },
    (source, error) => log.error({ source, ...failureFields(error) }, 'sweep trouble'),
    (source, { by, untilUs }) => log.info({ source, by, until: formatTimestamp(untilUs) }, 'another program sweeps it'),
  )
}

/** Of a file, which is the operator's own to put right. */
const MOST_LINES = 20

async function refusedLines(store: Store, { sources }: Config, source: string): Promise<string[] | undefined> {
  if (sources.find(({ name }) => name === source)?.kind !== 'file') return undefined
  const refused = [...(await readRefusals(store.read, source)).values()].flat()
  return refused.length === 0 ? undefined : refused.slice(0, MOST_LINES)
}
