import { mkdirSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { sleep } from '../../async/sleep.ts'
import { reasonOf } from '../../domain/store-trouble.ts'
import { EvidenceLog } from '../../log/evidence-log.ts'
import { originOf, seedIn } from '../../log/key.ts'
import { logHistory } from '../../log/log-history.ts'
import { Sequencer, storedTiles } from '../../log/sequencer.ts'
import { readTreeHead, type StoredCosignature, saveCosignatures } from '../../log/stored/tree.ts'
import { parseVkey } from '../../log/tlog/index.ts'
import { Witnesses, type WitnessOutcome, witnessNames } from '../../log/witnesses.ts'
import type { Store } from '../../store/store.ts'
import { nowUs } from '../clock.ts'
import type { Config } from '../config.ts'

/** So often at most witnesses are asked. */
const WITNESS_MS = 1000
/** A witness gets so long; nothing but cosignatures waits for it. */
const PATIENCE_MS = 2000

export interface LogKeeping {
  /** `null` where no key is set: nothing is signed then, and entries wait until one is. */
  open(): Promise<EvidenceLog | null>
  /** Makes the log grow until it is told to stop. */
  keep(signal: AbortSignal): Promise<void>
  /** Why the newest checkpoint is not published; `null`: it is; `undefined` where this program keeps no log. */
  unpublished(): string | null | undefined
}

export interface LogKeepingOptions {
  readonly config: Config
  readonly store: Store
  readonly log: Logger
  /** Known once the server listens. */
  readonly baseUrl: () => Promise<string>
}

/** On SQLite the key is made at first start; processes on Postgres must be given one, the same to all. */
export const logSeedOf = (config: Config, store: Pick<Store, 'file'>): Uint8Array | null =>
  config.logKey ?? (store.file === null ? null : seedIn(config.dataDir))

export function createLogKeeping({ config, store, log, baseUrl }: LogKeepingOptions): LogKeeping {
  let opening: Promise<EvidenceLog | null> | undefined
  let kept: EvidenceLog | null = null
  const open = (): Promise<EvidenceLog | null> => {
    opening ??= baseUrl().then((address) =>
      EvidenceLog.open({
        ...{ store, seed: logSeedOf(config, store), origin: originOf(address), folder: folderOf(config) },
        ...{ witnesses: witnessNames(config.logWitnesses), nowUs },
      }),
    )
    return opening
  }
  return {
    open,
    unpublished: () => kept?.unpublished,
    keep: async (signal) => {
      const evidenceLog = await open()
      kept = evidenceLog
      const told = {
        onProgress: (hosts: number) => log.info({ hosts }, 'hosts whose history is still to be logged'),
        onTrouble: (error: unknown) =>
          log.warn({ reason: reasonOf(error) }, 'history could not be logged, trying again'),
      }
      const history = logHistory(store, signal, told)
      if (evidenceLog === null) log.warn('no LOG_KEY is set: the evidence log is not signed')
      else await keepGrowing({ config, store, log }, evidenceLog, signal)
      await history
    },
  }
}

/** Where the newest signed checkpoint is kept; `null` where this program may write no files. */
function folderOf({ dataDir }: Config): string | null {
  try {
    mkdirSync(dataDir, { mode: 0o700 })
  } catch {
    // There already, or not to be made: the next line tells.
  }
  return statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() === true ? dataDir : null
}

async function keepGrowing(
  { config, store, log }: Pick<LogKeepingOptions, 'config' | 'store' | 'log'>,
  evidenceLog: EvidenceLog,
  signal: AbortSignal,
): Promise<void> {
  const witnesses = new Witnesses(config.logWitnesses, { fetch: globalThis.fetch, mostMs: PATIENCE_MS })
  const watch = new Watch(store, evidenceLog, witnesses, log)
  // A store that was put back, or an empty one in its place, may be unknown to its own file: witnesses remember.
  if (config.logWitnesses.length > 0) await watch.ask()
  // The store knows by then whose key it is, whatever comes; what fails here fails again below, and is told there.
  await evidenceLog.mayGrow().catch(() => false)
  let isGrown = false
  const sequencer = new Sequencer({
    ...{ store, nowUs, by: `${hostname()}/${process.pid}`, mayGrow: () => evidenceLog.mayGrow() },
    onGrown: () => {
      isGrown = true
    },
    onTrouble: (error) => log.warn({ reason: reasonOf(error) }, 'the evidence log could not grow, trying again'),
  })
  const cosigning = async (): Promise<void> => {
    while (!signal.aborted) {
      if (isGrown && config.logWitnesses.length > 0) {
        isGrown = false
        await watch.ask()
      }
      // What could not be written is tried again; a store that is away is told elsewhere.
      await evidenceLog.publish().catch(() => undefined)
      watch.tellFault()
      await sleep(WITNESS_MS, signal)
    }
  }
  await Promise.all([sequencer.run(signal), cosigning()])
}

const cosignatureOf = (outcome: WitnessOutcome, size: number): readonly StoredCosignature[] =>
  outcome.kind === 'cosigned'
    ? [{ witness: parseVkey(outcome.vkey).name, size, line: outcome.line, atUs: outcome.timeS * 1_000_000 }]
    : []

/** Shows checkpoints to witnesses and keeps what they say. */
class Watch {
  #hasToldFault = false
  #told: string | null = null

  constructor(
    readonly store: Store,
    readonly evidenceLog: EvidenceLog,
    readonly witnesses: Witnesses,
    readonly log: Logger,
  ) {}

  async ask(): Promise<void> {
    const { store, evidenceLog, witnesses } = this
    try {
      const signed = await evidenceLog.newest()
      if (signed === null) return
      const outcomes = await witnesses.cosign(signed.note, storedTiles(store))
      await saveCosignatures(
        store,
        outcomes.flatMap((outcome) => cosignatureOf(outcome, signed.size)),
      )
      for (const outcome of outcomes) await this.#look(outcome)
    } catch (error) {
      this.log.warn({ reason: reasonOf(error) }, 'witnesses could not be asked')
    }
  }

  async #look(outcome: WitnessOutcome): Promise<void> {
    const witness = parseVkey(outcome.vkey).name
    if (outcome.kind === 'failed') this.log.warn({ witness, reason: outcome.reason }, 'a witness has not cosigned')
    if (outcome.kind !== 'ahead') return
    // Another program may have shown it what this one had not read yet.
    const { size: now } = await readTreeHead(this.store.read)
    if (outcome.size > now)
      this.evidenceLog.refuse(`the store has ${now} entries of the log, and ${witness} has seen ${outcome.size}`)
  }

  tellFault(): void {
    const { fault, unpublished } = this.evidenceLog
    if (fault === null && unpublished !== this.#told) {
      this.#told = unpublished
      if (unpublished === null) this.log.info('the evidence log is published again')
      else this.log.error({ reason: unpublished }, 'the newest checkpoint is not published, trying again')
    }
    if (fault === null || this.#hasToldFault) return
    this.#hasToldFault = true
    this.log.error(
      { reason: fault },
      'the evidence log is not signed any more: restore a newer backup or begin a new log (docs/log.md)',
    )
  }
}
