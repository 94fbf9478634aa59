import cluster from 'node:cluster'
import { Problem } from '../../domain/problem.ts'
import { reasonOf } from '../../domain/store-trouble.ts'
import { SharedLimits } from '../../http/limits/shared-limits.ts'
import type { SharedPort } from '../../http/server/options.ts'
import type { Measured } from '../watching/instruments.ts'
import { readToWorker, type ToLeader, type ToWorker } from './messages.ts'
import { SeatCounts } from './seat-counts.ts'

/** Which of the web workers a process is, for the process itself. */
export const WORKER_VARIABLE = 'TOLLBOOK_WORKER'

/**
 * One web worker, as it sees the process that leads it. Whatever becomes of that one, Node ends a worker that has lost it.
 */
export class Member {
  readonly shared: SharedPort
  /** Resolves when it is told to stop. */
  readonly stopped: Promise<string>
  readonly #elsewhere = new SeatCounts()
  readonly #limits = new SharedLimits((taken) => this.#tell({ kind: 'taken', taken: [...taken] }))
  /** Hears up to where another worker has written. */
  onWrote: (place: number) => void = () => undefined
  #condition: Readonly<Record<string, unknown>> = {}
  #measure: () => Promise<Measured> = async () => []

  constructor(
    readonly number: number,
    processes: number,
    private readonly send: (message: ToLeader, sent?: () => void) => void,
  ) {
    this.shared = {
      processes,
      limits: this.#limits,
      seats: {
        elsewhere: (address) => this.#elsewhere.of(address),
        tell: (address, n) => this.#tell({ kind: 'seats', of: number, held: [[address, n]] }),
      },
    }
    this.stopped = new Promise((resolve) => {
      process.on('message', (message) => {
        const heard = readToWorker(message)
        if (heard?.kind === 'stop') resolve('stop')
        else if (heard !== undefined) this.#hear(heard)
      })
    })
    this.#tell({ kind: 'joined' })
  }

  /** What the leader says of the whole, for `/readyz`. */
  condition(): Readonly<Record<string, unknown>> {
    return this.#condition
  }

  serving(port: number, measure: () => Promise<Measured>): void {
    this.#measure = measure
    this.#tell({ kind: 'serving', port })
  }

  /** Others do not read what is older. */
  wrote(place: number): void {
    this.#tell({ kind: 'wrote', place })
  }

  /** Ends this process once the leader knows why. */
  async fail(error: unknown): Promise<never> {
    const { detail, hint } = error instanceof Problem ? error : { detail: reasonOf(error), hint: '' }
    await new Promise<void>((resolve) => this.send({ kind: 'failed', detail, hint }, resolve))
    process.exit(1)
  }

  #hear(message: ToWorker): void {
    switch (message.kind) {
      case 'taken':
        this.#limits.hear(message.taken)
        return
      case 'seats':
        this.#elsewhere.set(message.of, message.held)
        return
      case 'left':
        this.#elsewhere.forget(message.of)
        return
      case 'condition':
        this.#condition = message.condition
        return
      case 'wrote':
        this.onWrote(message.place)
        return
      case 'measure':
        void this.#measure().then((measured) => this.#tell({ kind: 'measured', id: message.id, measured }))
    }
  }

  #tell(message: ToLeader): void {
    this.send(message)
  }
}

/** This process as a web worker; `undefined` where it is none. */
export function joinCrew(env: NodeJS.ProcessEnv, processes: number): Member | undefined {
  const { worker } = cluster
  const number = Number(env[WORKER_VARIABLE])
  if (worker === undefined || !(number > 0)) return undefined
  // Without a leader there is nobody to tell, and the worker is about to end.
  return new Member(number, processes, (message, sent) => worker.send(message, () => sent?.()))
}
