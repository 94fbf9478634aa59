import { counted } from '../domain/count.ts'
import { reasonOf } from '../domain/store-trouble.ts'
import type { Command } from './command.ts'
import { progressOn } from './terminal/progress.ts'

/** What one check found. `fix` says what to do about it. */
export type Finding =
  | { readonly state: 'ok'; readonly what: string }
  | { readonly state: 'warn' | 'fail'; readonly what: string; readonly fix: string }

export interface Check {
  readonly name: string
  run(): Promise<Finding>
}

const MARKS = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const

/** A check that breaks is a finding too: the others are still worth having. */
async function found(run: Check['run']): Promise<Finding> {
  try {
    return await run()
  } catch (error) {
    return { state: 'fail', what: `could not be looked at: ${reasonOf(error)}`, fix: 'tell the authors of tollbook' }
  }
}

/** What it all comes to. */
function verdict(failed: number, warned: number): string {
  const warnings = counted(warned, 'warning')
  if (failed > 0) return warned === 0 ? `${failed} to put right.` : `${failed} to put right, and ${warnings}.`
  return warned === 0 ? 'Nothing is in the way.' : `${warnings}, nothing in the way.`
}

/** One line per finding, and one under it where something is to be done. Answers 1 when anything failed. */
export const doctorCommand = (checks: () => readonly Check[]): Command => ({
  run: async (_argv, { out, err }) => {
    const all = checks()
    const progress = progressOn(err)
    const width = Math.max(...all.map(({ name }) => name.length))
    const states: Finding['state'][] = []
    const count = (state: Finding['state']): number => states.filter((one) => one === state).length
    for (const { name, run } of all) {
      progress.update(`checking ${name}`, states.length, all.length)
      const finding = await found(run)
      progress.end()
      out.write(`${MARKS[finding.state]}  ${name.padEnd(width)}  ${finding.what}\n`)
      if (finding.state !== 'ok') out.write(`      ${' '.repeat(width)}  → ${finding.fix}\n`)
      states.push(finding.state)
    }
    out.write(`${verdict(count('fail'), count('warn'))}\n`)
    return count('fail') === 0 ? 0 : 1
  },
})
