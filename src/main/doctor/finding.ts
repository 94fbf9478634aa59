import type { Finding } from '../../cli/doctor.ts'

export const ok = (what: string): Finding => ({ state: 'ok', what })
export const warn = (what: string, fix: string): Finding => ({ state: 'warn', what, fix })
export const fail = (what: string, fix: string): Finding => ({ state: 'fail', what, fix })

/** How long anybody else is waited for. */
export const DEADLINE_MS = 10_000
