import { setTimeout as wait } from 'node:timers/promises'
import { createEgress, parseConnectTo } from '../../src/probe/egress.ts'

/** How many strangers are asked at once, and where they are. */
export interface MemoryOrder {
  readonly port: number
  /** A seller that answers as sellers do. */
  readonly calmPort: number
  readonly inParallel: number
  readonly deadlineMs: number
}

export interface MemoryReport {
  /** Resident memory of this process: the most that was seen, over what it had before. */
  readonly grownMb: number
  readonly errors: readonly (string | null)[]
  readonly slowestMs: number
}

const MB = 1024 * 1024

async function measured({ port, calmPort, inParallel, deadlineMs }: MemoryOrder): Promise<MemoryReport> {
  const egress = createEgress({
    connectTo: parseConnectTo(`*.hostile.example::127.0.0.1:${port},*.calm.example::127.0.0.1:${calmPort}`),
    userAgent: 'tollbook-test/1 (+https://directory.example/probing)',
  })
  const askAll = (kind: string) =>
    Promise.all(
      Array.from({ length: inParallel }, (_, at) =>
        egress.fetch({ method: 'GET', url: `http://s${at}.${kind}.example/x`, deadlineMs, maxBodyBytes: 65_536 }),
      ),
    )
  // A prober at work has compiled its code and grown its heap already: that is not what hostile answers add.
  for (let round = 0; round < 5; round += 1) await askAll('calm')
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 5)
  const answers = await askAll('hostile')
  await wait(20)
  clearInterval(watch)
  return {
    grownMb: Math.round((Math.max(most, process.memoryUsage.rss()) - before) / MB),
    errors: answers.map((answer) => (answer.ok ? null : answer.error)),
    slowestMs: Math.max(...answers.map(({ latencyMs }) => latencyMs)),
  }
}

process.on('message', (order: MemoryOrder) => {
  void measured(order).then((report) => process.send?.(report))
})
process.once('disconnect', () => process.exit())
