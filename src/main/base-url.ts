import type { Ledger } from '../acts/posts/ledger.ts'
import { RAILS } from '../domain/route.ts'
import { isSet } from '../payment/rail.ts'
import type { Site } from '../render/site.ts'
import type { Config } from './config.ts'

/** What the directory calls itself in everything that it sends. */
export const baseUrlOf = (config: Config, port = config.port): string => config.baseUrl ?? `http://localhost:${port}`

/** How the command is called where this program stands. In a checkout `npx` would build and link first, for minutes. */
export const CALLED = import.meta.url.includes('/node_modules/') ? 'npx tollbook' : 'node bin/tollbook.js'

/** What pages say about themselves. Who reads a directory on loopback sits at this machine and has what runs it. */
export function siteOf(config: Config, rails: Ledger['rails'], port = config.port): Site {
  const baseUrl = baseUrlOf(config, port)
  const isHere = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(baseUrl)
  const set = RAILS.filter((rail) => isSet(rails[rail]))
  return { baseUrl, notice: config.notice, rails: set, ...(isHere && { command: CALLED }) }
}
