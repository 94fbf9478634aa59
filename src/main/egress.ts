import { createEgress, type Egress } from '../probe/egress.ts'
import { PATHS } from '../wire/paths.ts'
import type { Config } from './config.ts'
import { version } from './version.ts'

/** The one door to strangers' addresses that this program has. */
export const egressOf = (config: Config, baseUrl: string): Egress =>
  createEgress({ connectTo: config.connectTo, userAgent: userAgentOf(baseUrl) })

export const userAgentOf = (baseUrl: string): string => `Tollbook/${version()} (+${baseUrl}${PATHS.probing})`
