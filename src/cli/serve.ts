import { parseArgs } from 'node:util'
import { type Command, type CommandContext, usageProblem } from './command.ts'

/** The running program, as the command sees it. */
export interface Running {
  /** Where a browser on this machine finds it; `null` without the role `web`. */
  readonly address: string | null
  /** Lets requests under way finish within `mostMs`, then closes the store. */
  stop(mostMs: number): Promise<void>
}

export interface ServeDoors {
  start(roles: readonly Role[]): Promise<Running>
  /** Resolves with the next signal to end. */
  nextSignal(): Promise<string>
  /** Ends the program on the spot. */
  abort(): void
}

/** What a program does: any number of programs share a store on Postgres, one holds all roles on SQLite. */
export const ROLES = ['web', 'ingest', 'probe'] as const
export type Role = (typeof ROLES)[number]

const usage = `tollbook serve           run the directory; --roles ${ROLES.join(',')} names what this program does`
/** Requests under way get this long; the store then has until the program is ended in any case. */
const DRAIN_MS = 7_000
const END_MS = 9_500

/** `tollbook serve [--roles …]`: runs until it is told to stop, then lets requests finish. */
export const serveCommand = (doors: ServeDoors): Command => ({
  usage,
  run: async (argv: string[], { out }: CommandContext): Promise<number> => {
    const { values } = parseArgs({ args: argv, options: { roles: { type: 'string', default: ROLES.join(',') } } })
    const named = values.roles.split(',')
    const roles = ROLES.filter((role) => named.includes(role))
    if (roles.length !== new Set(named).size) throw usageProblem(usage)
    // Listened for before anything is opened, so that no signal meets a half-built program.
    const told = doors.nextSignal()
    const running = await doors.start(roles)
    out.write(
      running.address === null ? `Tollbook runs ${roles.join(', ')}\n` : `Tollbook listens on ${running.address}\n`,
    )
    await told
    void doors.nextSignal().then(() => doors.abort())
    await Promise.race([running.stop(DRAIN_MS), after(END_MS)])
    return 0
  },
})

const after = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
