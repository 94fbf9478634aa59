import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cleanEnvironment, joined, ROOT } from '../../test/support/program.ts'
import { guarded } from './serve.ts'

export interface WriterOrders {
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly by: string
  readonly from: number
  readonly isHasty: boolean
}

/** What programs said before they were killed. */
export class Heard {
  readonly saved = new Set<number>()
  /** Roots by size: more than one is what must never be. */
  readonly published = new Map<number, Set<string>>()
  #fresh = new Set<number>()

  /** What was published since this was asked last. */
  news(): ReadonlyMap<number, Set<string>> {
    const sizes = [...this.#fresh]
    this.#fresh = new Set()
    return new Map(sizes.map((size) => [size, this.published.get(size) ?? new Set()]))
  }

  take(line: string): void {
    const [word, number = '', root = ''] = line.split(' ')
    if (word === 'saved') this.saved.add(Number(number))
    if (word === 'published') {
      const roots = this.published.get(Number(number)) ?? new Set()
      this.published.set(Number(number), roots.add(root))
      this.#fresh.add(Number(number))
    }
  }
}

export interface LogWriter {
  /** Resolves when it has said that it is ready. */
  readonly ready: Promise<void>
  /** kill -9. Resolves when all that it said has been heard. */
  kill(): Promise<void>
}

export function startWriter(orders: WriterOrders, heard: Heard): LogWriter {
  const child: ChildProcess = guarded(
    spawn(process.execPath, [joined('log-writer'), JSON.stringify(orders)], {
      ...{ cwd: ROOT, env: cleanEnvironment({}), stdio: ['ignore', 'pipe', 'inherit'] },
    }),
  )
  const closed = once(child, 'close')
  let rest = ''
  const ready = new Promise<void>((done) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      const lines = `${rest}${chunk}`.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (line === 'ready') done()
        heard.take(line)
      }
    })
    child.once('close', () => done())
  })
  return {
    ready,
    kill: async () => {
      child.kill('SIGKILL')
      await closed
    },
  }
}
