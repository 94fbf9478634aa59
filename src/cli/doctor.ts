import type { Command } from './command.ts'
import { progressOn } from './terminal/progress.ts'

/** What one check found. `fix` says what to do about it. */
export type Finding =
  | { readonly state: 'ok'; readonly what: string }
  | { readonly state: 'warn' | 'fail'; readonly what: string; readonly fix: string }

export interface Check {
  readonly name: string
  /** Rejects with nothing: what goes wrong is a finding. */
  run(): Promise<Finding>
}

const MARKS = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const

/** One line per finding, and one under it where something is to be done. Answers 1 when anything failed. */
export const doctorCommand = (checks: () => readonly Check[]): Command => ({
  run: async (_argv, { out, err }) => {
    const all = checks()
    const progress = progressOn(err)
    const width = Math.max(...all.map(({ name }) => name.length))
    let failed = 0
    let done = 0
    for (const { name, run } of all) {
      progress.update(`checking ${name}`, done++, all.length)
      const finding = await run()
      progress.end()
      out.write(`${MARKS[finding.state]}  ${name.padEnd(width)}  ${finding.what}\n`)
      if (finding.state !== 'ok') out.write(`      ${' '.repeat(width)}  → ${finding.fix}\n`)
      if (finding.state === 'fail') failed++
    }
    out.write(failed === 0 ? 'Nothing is in the way.\n' : `${failed} to put right.\n`)
    return failed === 0 ? 0 : 1
  },
})
