import { parseArgs } from 'node:util'
import { type Command, type CommandContext, usageProblem } from './command.ts'

/** The running program, as the command sees it. */
export interface Running {
  /** Where a browser on this machine finds it. */
  readonly address: string
  /** Lets requests under way finish within `mostMs`, then closes the store. */
  stop(mostMs: number): Promise<void>
}

export interface ServeDoors {
  start(): Promise<Running>
  /** Resolves with the next signal to end. */
  nextSignal(): Promise<string>
  /** Ends the program on the spot. */
  abort(): void
}

const usage = 'tollbook serve           web pages and API; --roles web names what this process does'
const ROLES: readonly string[] = ['web']
/** Requests under way get this long; the store then has until the program is ended in any case. */
const DRAIN_MS = 7_000
const END_MS = 9_500

/** `tollbook serve [--roles web]`: runs until it is told to stop, then lets requests finish. */
export const serveCommand = (doors: ServeDoors): Command => ({
  usage,
  run: async (argv: string[], { out }: CommandContext): Promise<number> => {
    const { values } = parseArgs({ args: argv, options: { roles: { type: 'string', default: ROLES.join(',') } } })
    if (!values.roles.split(',').every((role) => ROLES.includes(role))) throw usageProblem(usage)
    // Listened for before anything is opened, so that no signal meets a half-built program.
    const told = doors.nextSignal()
    const running = await doors.start()
    out.write(`Tollbook listens on ${running.address}\n`)
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
