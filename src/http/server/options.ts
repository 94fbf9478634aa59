import type { Logger } from 'pino'
import type { Threads } from '../../acts/posts/threads.ts'
import type { Reviews } from '../../acts/reviews/reviews.ts'
import type { Sellers } from '../../acts/sellers/sellers.ts'
import type { AllowHosts } from '../../domain/host.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { EvidenceLog } from '../../log/evidence-log.ts'
import type { ProbingManners } from '../../render/html/pages/probing.tsx'
import type { Site } from '../../render/site.ts'
import type { Directory } from '../../views/directory.ts'
import type { PolicyTerms } from '../../views/policy-view.ts'
import type { StreamSettings } from '../events/event-streams.ts'
import type { SharedSeats } from '../events/seats.ts'
import type { RateLimits } from '../limits/rates.ts'
import type { SharedLimits } from '../limits/shared-limits.ts'
import type { WriteLimits } from '../limits/write-limits.ts'
import type { LoggedClient, TrustedProxies } from './client-address.ts'

/** What requests are answered with. */
export interface ListenerOptions {
  readonly site: Site
  readonly directory: Directory
  readonly allow: AllowHosts
  /** `null`: no limits. */
  readonly limits: RateLimits | null
  readonly trusted: TrustedProxies | null
  readonly log: Logger
  /** Milliseconds from any fixed moment on. */
  readonly nowMs: () => number
  /** A text that no other process has, for the ids of requests. */
  readonly random: () => string
  readonly cacheBytes?: number
  readonly probing: ProbingManners
  readonly reviews: Reviews
  readonly sellers: Sellers
  /** Shared with whatever else counts writes of wallets. */
  readonly writeLimits?: WriteLimits
  readonly threads: Threads
  readonly policy: () => PolicyTerms
  /** Wall clock. */
  readonly nowUs: () => TimestampUs
  readonly securityContact?: string | undefined
  readonly evidenceLog?: () => Promise<EvidenceLog | null>
  /** Speaks the Model Context Protocol, with addresses of the site that it is given. */
  readonly mcp?: (site: Site) => (request: Request) => Promise<Response>
  readonly streamSettings?: StreamSettings
  /** Of several processes behind one port: what they keep together. */
  readonly shared?: SharedPort | undefined
  /** What else `/readyz` says, e.g. that the prober is offline. */
  readonly condition?: () => Readonly<Record<string, unknown>>
  /** Told of every answer. */
  readonly onAnswer?: OnAnswer
  /** Whether the lines of requests say where they came from. */
  readonly logClients?: LoggedClient
  /** A connection on which nothing has moved for so long is ended, unless we are the ones who are late. */
  readonly stalledMs?: number
}

/** How several processes behind one port share what one alone would have: limits by telling, room by equal parts. */
export interface SharedPort {
  readonly processes: number
  readonly limits: SharedLimits
  readonly seats: SharedSeats
}

/** Hears of an answer that was sent; without a time when its bytes came out of the cache. */
export type OnAnswer = (method: string, status: number, ms: number | null) => void
