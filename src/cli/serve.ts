import { parseArgs } from 'node:util'
import { inTime } from '../async/in-time.ts'
import { ROLES, type Role, SERVE } from './catalogue/run.ts'
import { type Command, type CommandContext, usageProblem } from './command.ts'

/** The running program, as the command sees it. */
export interface Running {
  /** Where a browser on this machine finds it; `null` without the role `web`. */
  readonly address: string | null
  /** Lets requests under way finish within `mostMs`, then closes the store. */
  stop(mostMs: number): Promise<void>
}

export interface ServeDeps {
  start(roles: readonly Role[]): Promise<Running>
  /** Resolves with the next signal to end. */
  nextSignal(): Promise<string>
  /** Ends the program on the spot. */
  abort(): void
}

/** Requests under way get this long; the store then has until the program is ended in any case. */
const DRAIN_MS = 7_000
const END_MS = 9_500

/** `tollbook serve [--roles …]`: runs until it is told to stop, then lets requests finish. */
export const serveCommand = (deps: ServeDeps): Command => ({
  run: async (argv: string[], { out }: CommandContext): Promise<number> => {
    const { values } = parseArgs({ args: argv, options: SERVE.options })
    const named = values.roles.split(',')
    const roles = ROLES.filter((role) => named.includes(role))
    if (roles.length !== new Set(named).size) throw usageProblem(SERVE)
    // Listened for before anything is opened, so that no signal meets a half-built program.
    const told = deps.nextSignal()
    const running = await deps.start(roles)
    out.write(
      running.address === null ? `Tollbook runs ${roles.join(', ')}\n` : `Tollbook listens on ${running.address}\n`,
    )
    await told
    void deps.nextSignal().then(() => deps.abort())
    await inTime(running.stop(DRAIN_MS), END_MS, undefined)
    return 0
  },
})
