import { writeSync } from 'node:fs'
import { z } from 'zod'

const orders = z.object({
  dataDir: z.string(),
  databaseUrl: z.string().optional(),
  /** Where files to import are written. */
  folder: z.string(),
  /** The first unit to save. */
  from: z.int(),
  /** `before` is the control: it says that a unit is kept when its transaction has only been started. */
  acknowledge: z.enum(['after', 'before']),
})

/** What a program under test is told, as JSON in its first argument. */
export type Orders = z.infer<typeof orders>

export const ordersOf = (argv: readonly string[]): Orders => orders.parse(JSON.parse(argv[2] ?? ''))

const STANDARD_OUTPUT = 1
/** In one system call, so that what was said stays said when the program is killed. */
export const say = (line: string): void => {
  writeSync(STANDARD_OUTPUT, `${line}\n`)
}

const PAUSE_MS = 20
/** A server that comes back does so long before. */
const MOST_TRIES = 1500

/** Does it again until it succeeds: a server that was killed comes back. */
export async function persistently(work: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await work()
      return
    } catch (error) {
      process.stderr.write(`${error}\n`)
      if (tries === MOST_TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
}
