import { parseArgs } from 'node:util'
import { inTime } from '../async/in-time.ts'
import { ALL_ROLES, type Role, SERVE } from './catalogue/run.ts'
import { type Command, misuse } from './command.ts'

/** The running program, as the command sees it. */
export interface Running {
  /** Where a browser on this machine finds it; `null` without the role `web`. */
  readonly address: string | null
  /** Where others find it, when that is said. */
  readonly baseUrl: string | null
  /** Lets requests under way finish within `mostMs`, then closes the store. */
  stop(mostMs: number): Promise<void>
}

export interface ServeDeps {
  start(roles: readonly Role[]): Promise<Running>
  /** Resolves with the next signal to end. */
  nextSignal(): Promise<string>
  /** Ends the program on the spot. */
  abort(): void
  /** Says that it runs: a line of the log, or to the person at the terminal. */
  announce(text: string, fields: Readonly<Record<string, unknown>>): void
}

/** Requests under way get this long; the store then has until the program is ended in any case. */
const DRAIN_MS = 7_000
const END_MS = 9_500

/** `tollbook serve [--roles …]`: runs until it is told to stop, then lets requests finish. */
export const serveCommand = (deps: ServeDeps): Command => ({
  run: async (argv: string[]): Promise<number> => {
    const { values } = parseArgs({ args: argv, options: SERVE.options })
    const roles = rolesIn(values.roles)
    // Listened for before anything is opened, so that no signal meets a half-built program.
    let isTold = false
    const told = deps.nextSignal().then(() => {
      isTold = true
    })
    const running = await deps.start(roles).catch((error: unknown) => {
      // Web workers that were told at the same moment, and ended before they served.
      if (isTold) return null
      throw error
    })
    if (running === null) return 0
    const { address, baseUrl, stop } = running
    const listens = address === null ? `Tollbook runs ${roles.join(', ')}` : `Tollbook listens on ${address}`
    const text = address === null || baseUrl === null ? listens : `${listens} as ${baseUrl}`
    deps.announce(text, { roles, address, base_url: baseUrl })
    await told
    void deps.nextSignal().then(() => deps.abort())
    await inTime(stop(DRAIN_MS), END_MS, undefined)
    return 0
  },
})

function rolesIn(text: string): readonly Role[] {
  const named = text.split(',').map((role) => role.trim())
  const unknown = named.filter((name) => !ALL_ROLES.some((role) => role === name))
  if (unknown.length === 0) return ALL_ROLES.filter((role) => named.includes(role))
  const detail = `there is no role ${unknown.map((name) => name || '""').join(', ')}`
  throw misuse(detail, `roles are ${ALL_ROLES.join(', ')}`)
}
