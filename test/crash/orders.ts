import { writeSync } from 'node:fs'
import { z } from 'zod'

const orders = z.object({
  dataDir: z.string(),
  databaseUrl: z.string().optional(),
  /** Where files to import are written. */
  folder: z.string(),
  /** The first units to save. */
  appendFrom: z.int(),
  importFrom: z.int(),
  /** `before` is the control: it says that a unit is kept when its transaction has only been started. */
  acknowledge: z.enum(['after', 'before']),
})

/** What the program under test is told, as JSON in its first argument. */
export type Orders = z.infer<typeof orders>

export const ordersOf = (argv: readonly string[]): Orders => orders.parse(JSON.parse(argv[2] ?? ''))

const STANDARD_OUTPUT = 1
const speak = (line: string): void => {
  // In one system call, so that what was said stays said when the program is killed.
  writeSync(STANDARD_OUTPUT, `${line}\n`)
}

export const sayKept = (unit: number): void => speak(`kept ${unit}`)
export const saySaving = (): void => speak('saving')

/** What a program said in one line: a unit that is kept, or that an import begins to save. */
export function heardIn(line: string): number | 'saving' {
  const [, unit] = /^kept (\d+)$/.exec(line) ?? []
  if (unit !== undefined) return Number(unit)
  if (line === 'saving') return 'saving'
  throw new Error(`not understood: ${line}`)
}
