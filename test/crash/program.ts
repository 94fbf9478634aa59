import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { cleanEnvironment, joined } from '../support/program.ts'
import { heardIn, type Orders } from './orders.ts'
import { isAppended } from './units.ts'

const running = new Set<Program>()

/** The program under test from outside: what it said, and the means to kill it. */
export class Program {
  /** All that it wrote to standard error. */
  complaints = ''
  readonly #child: ChildProcess
  readonly #closed: Promise<void>
  #heardOfImport: () => void = () => undefined
  #ended: () => void = () => undefined

  /** Adds every unit it says is kept to `said`. */
  constructor(orders: Orders, said: Set<number>, name: 'crash-child' | 'crash-seller-child' = 'crash-child') {
    const child = spawn(process.execPath, [joined(name), JSON.stringify(orders)], {
      env: cleanEnvironment({}),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    running.add(this)
    child.stderr.on('data', (chunk) => {
      this.complaints += chunk
    })
    createInterface({ input: child.stdout }).on('line', (line) => {
      const heard = heardIn(line)
      if (heard !== 'saving') said.add(heard)
      if (heard === 'saving' || !isAppended(heard)) this.#heardOfImport()
    })
    this.#closed = new Promise((done) =>
      child.once('close', () => {
        running.delete(this)
        this.#ended()
        done()
      }),
    )
  }

  /** Resolves when its import has said `lines` more. */
  saysOfImport(lines: number): Promise<void> {
    let left = lines
    return new Promise((done, failed) => {
      this.#ended = () => failed(new Error(`the program has ended: ${this.complaints}`))
      this.#heardOfImport = () => {
        left--
        if (left === 0) done()
      }
    })
  }

  /** Holds still: nothing more is said or written until `go`. */
  hold(): void {
    this.#child.kill('SIGSTOP')
  }

  go(): void {
    this.#child.kill('SIGCONT')
  }

  /** kill -9. Resolves when all that it said has been heard. */
  async kill(): Promise<void> {
    this.#ended = () => undefined
    this.#child.kill('SIGKILL')
    await this.#closed
  }
}

/** Nothing outlives a test, however it ends. */
export const killAll = async (): Promise<void> => {
  await Promise.all([...running].map((program) => program.kill()))
}
