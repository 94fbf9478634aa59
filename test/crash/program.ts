import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { cleanEnvironment, ROOT } from '../support/program.ts'
import type { Orders } from './orders.ts'

/** A program under test, from outside: what it said, and the means to kill it. */
export class Program {
  readonly #child: ChildProcess
  readonly #closed: Promise<void>
  #complaints = ''
  #heard: (line: string) => void = () => undefined
  #ended: (error: Error) => void = () => undefined

  /** Adds every unit it says is kept to `kept`. */
  constructor(name: 'append' | 'import', orders: Orders, kept: Set<number>) {
    const path = resolve(ROOT, 'dist/test/crash', `${name}.js`)
    if (!existsSync(path)) throw new Error('dist is missing or old: npm run build comes first')
    const child = spawn(process.execPath, [path, JSON.stringify(orders)], {
      env: cleanEnvironment({}),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    running.add(this)
    child.stderr.on('data', (chunk) => {
      this.#complaints = `${this.#complaints}${chunk}`.slice(-2000)
    })
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [, unit] = /^kept (\d+)$/.exec(line) ?? []
      if (unit !== undefined) kept.add(Number(unit))
      this.#heard(line)
    })
    this.#closed = new Promise((done) =>
      child.once('close', () => {
        running.delete(this)
        this.#ended(new Error(`${name} has ended: ${this.#complaints}`))
        done()
      }),
    )
  }

  /** Resolves when it has said `lines` more. */
  says(lines: number): Promise<void> {
    let left = lines
    return new Promise((done, failed) => {
      this.#ended = failed
      this.#heard = () => {
        left--
        if (left <= 0) done()
      }
      if (left === 0) done()
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

const running = new Set<Program>()

/** Nothing outlives a test, however it ends. */
export const killAll = async (): Promise<void> => {
  await Promise.all([...running].map((program) => program.kill()))
}
