import cluster, { type Worker } from 'node:cluster'
import type { Logger } from 'pino'
import { inTime } from '../../async/in-time.ts'
import { sleep } from '../../async/sleep.ts'
import { Problem } from '../../domain/problem.ts'
import { reasonOf } from '../../domain/store-trouble.ts'
import { LimitsSoFar } from '../../http/limits/shared-limits.ts'
import type { Measured } from '../watching/instruments.ts'
import { CrewFigures } from './crew-figures.ts'
import { freePort } from './free-port.ts'
import { WORKER_VARIABLE } from './member.ts'
import { readToLeader, type ToLeader, type ToWorker } from './messages.ts'
import { closeWhatIsOnTheWay } from './on-the-way.ts'
import { SeatCounts } from './seat-counts.ts'

export interface CrewOptions {
  readonly size: number
  readonly port: number
  readonly bind: string | undefined
  readonly log: Logger
  /** What `/readyz` adds beside the workers themselves. */
  condition(): Readonly<Record<string, unknown>>
}

interface Place {
  readonly number: number
  worker: Worker | undefined
  isServing: boolean
  servingSinceMs: number
  /** Ends in a row, none of which had served for a while. */
  ends: number
}

/** A worker that ends is started again after so long, twice as long each time while it does not come up. */
const RESTART_MS = 100
const LONGEST_RESTART_MS = 5_000
const STEADY_MS = 10_000
const CONDITION_MS = 1_000
const MEASURE_MS = 1_000
/** Longer than workers are given for what is under way, and less than the program as a whole. */
const KILL_MS = 1_000

/**
 * The web workers behind one port, and what they keep together. One that ends is started again; all end with this process,
 * however that ends, because Node ends a worker that has lost it.
 */
export class Crew {
  readonly port: number
  readonly #options: CrewOptions
  readonly #places: readonly Place[]
  readonly #limits = new LimitsSoFar(() => performance.now())
  readonly #seats = new SeatCounts()
  readonly #stopping = new AbortController()
  readonly #figures = new CrewFigures()
  readonly #measuring = new Map<number, () => void>()
  #measures = 0
  #deaths = 0
  #told = ''
  #onServing: () => void = () => undefined
  #onFailed: (problem: Problem) => void = () => undefined

  private constructor(options: CrewOptions, port: number) {
    this.#options = options
    this.port = port
    this.#places = Array.from({ length: options.size }, (_, n) => ({
      ...{ number: n + 1, worker: undefined, isServing: false, servingSinceMs: 0, ends: 0 },
    }))
  }

  /** None of them runs yet. Workers that are started again have to open the port that the first ones had. */
  static async prepare(options: CrewOptions): Promise<Crew> {
    return new Crew(options, options.port === 0 ? await freePort(options.bind) : options.port)
  }

  /** Resolves when all of them serve; rejects with what the first of them that cannot says. */
  async start(): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => {
        this.#onServing = resolve
        this.#onFailed = reject
        for (const place of this.#places) this.#fork(place)
      })
    } catch (error) {
      await this.drain(0)
      throw error
    }
    this.#onFailed = ({ detail }) => this.#options.log.error({ reason: detail }, 'a web worker could not start')
    const telling = setInterval(() => this.#tellCondition(), CONDITION_MS).unref()
    this.#stopping.signal.addEventListener('abort', () => clearInterval(telling))
  }

  get size(): number {
    return this.#options.size
  }

  get serving(): number {
    return this.#places.filter(({ isServing }) => isServing).length
  }

  /** How many have ended without being told to. */
  get deaths(): number {
    return this.#deaths
  }

  /** The leader keeps no pages; its workers measure their own. */
  cacheBytes(): number {
    return 0
  }

  /** What `/readyz` says of them. */
  condition(): { readonly web_workers: { readonly serving: number; readonly of: number } } {
    return { web_workers: { serving: this.serving, of: this.size } }
  }

  /** The figures of all workers, those that have ended too; of one that does not answer in time what it said before. */
  async measure(): Promise<Measured[]> {
    const asked = this.#places.filter(({ isServing }) => isServing)
    const answers = asked.map((place) => {
      const id = this.#measures++
      const answer = new Promise<void>((resolve) => this.#measuring.set(id, resolve))
      send(place, { kind: 'measure', id })
      return inTime(answer, MEASURE_MS, undefined).finally(() => this.#measuring.delete(id))
    })
    await Promise.all(answers)
    return this.#figures.all()
  }

  /** Lets requests under way finish; resolves when the last worker has ended. */
  async drain(mostMs: number): Promise<void> {
    this.#stopping.abort()
    const ended = this.#places.map(async (place) => {
      const { worker } = place
      if (worker === undefined || worker.isDead()) return
      const exit = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
      send(place, { kind: 'stop' })
      await inTime(exit, mostMs + KILL_MS, undefined)
      worker.process.kill('SIGKILL')
      await exit
    })
    await Promise.all(ended)
  }

  #fork(place: Place): void {
    let worker: Worker
    try {
      worker = cluster.fork({ [WORKER_VARIABLE]: String(place.number), PORT: String(this.port) })
    } catch (error) {
      void this.#notStarted(place, error)
      return
    }
    // A machine that has no process or memory left says so in either way, and of what never was there is no end to hear.
    if (worker.process.pid === undefined) {
      worker.once('error', (error) => void this.#notStarted(place, error))
      return
    }
    place.worker = worker
    this.#figures.begin(worker.id)
    closeWhatIsOnTheWay(worker)
    worker.on('message', (message) => {
      const heard = readToLeader(message)
      if (heard !== undefined) this.#hear(place, worker, heard)
    })
    // Of a message to one that has just ended.
    worker.on('error', () => undefined)
    worker.once('exit', (code, signal) => void this.#ended(place, worker, code, signal))
  }

  async #ended(place: Place, worker: Worker, code: number | null, signal: string | null): Promise<void> {
    const wasServing = place.isServing
    const hadServed = wasServing && performance.now() - place.servingSinceMs > STEADY_MS
    place.isServing = false
    this.#figures.end(worker.id)
    this.#seats.forget(place.number)
    this.#tellOthers(place, { kind: 'left', of: place.number })
    this.#tellCondition()
    if (this.#stopping.signal.aborted) return
    this.#deaths += 1
    const { log } = this.#options
    log.error({ worker: place.number, pid: worker.process.pid, code, signal }, 'a web worker ended, another is started')
    const ended = `web worker ${place.number} ended with ${signal ?? code}`
    if (!wasServing) this.#onFailed(new Problem('worker', 500, 'Worker', ended, ''))
    place.ends = hadServed ? 0 : place.ends + 1
    await this.#forkAgain(place)
  }

  async #notStarted(place: Place, error: unknown): Promise<void> {
    place.worker = undefined
    if (this.#stopping.signal.aborted) return
    const reason = reasonOf(error)
    this.#options.log.error({ worker: place.number, reason }, 'a web worker cannot be started, it is tried again')
    this.#onFailed(new Problem('worker', 500, 'Worker', `web worker ${place.number} cannot be started: ${reason}`, ''))
    place.ends += 1
    await this.#forkAgain(place)
  }

  async #forkAgain(place: Place): Promise<void> {
    await sleep(Math.min(LONGEST_RESTART_MS, RESTART_MS * 2 ** place.ends), this.#stopping.signal)
    if (!this.#stopping.signal.aborted) this.#fork(place)
  }

  #hear(place: Place, worker: Worker, message: ToLeader): void {
    switch (message.kind) {
      case 'joined':
        this.#welcome(place)
        return
      case 'taken':
        this.#limits.add(message.taken)
        this.#tellOthers(place, message)
        return
      case 'seats':
        this.#seats.set(place.number, message.held)
        this.#tellOthers(place, message)
        return
      case 'wrote':
        this.#tellOthers(place, message)
        return
      case 'serving':
        place.isServing = true
        place.servingSinceMs = performance.now()
        this.#tellCondition()
        if (this.#places.every(({ isServing }) => isServing)) this.#onServing()
        return
      case 'failed':
        this.#onFailed(new Problem('worker', 500, 'Worker', message.detail, message.hint))
        return
      case 'measured':
        this.#figures.hear(worker.id, message)
        this.#measuring.get(message.id)?.()
    }
  }

  /** One that joins later knows what the others know. */
  #welcome(place: Place): void {
    send(place, { kind: 'condition', condition: this.#whole() })
    send(place, { kind: 'taken', taken: this.#limits.all() })
    for (const seats of this.#seats.all()) send(place, { kind: 'seats', ...seats })
  }

  #tellOthers(place: Place, message: ToWorker): void {
    for (const other of this.#places) if (other !== place) send(other, message)
  }

  #whole(): Readonly<Record<string, unknown>> {
    return { ...this.#options.condition(), ...this.condition() }
  }

  #tellCondition(): void {
    const condition = this.#whole()
    const text = JSON.stringify(condition)
    if (text === this.#told) return
    this.#told = text
    for (const place of this.#places) send(place, { kind: 'condition', condition })
  }
}

function send({ worker }: Place, message: ToWorker): void {
  if (worker?.isConnected()) worker.send(message, () => undefined)
}
