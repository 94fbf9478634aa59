import type { IncomingMessage } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Threads } from '../acts/posts/threads.ts'
import type { Reviews } from '../acts/reviews/reviews.ts'
import type { Sellers } from '../acts/sellers/sellers.ts'
import type { AllowHosts } from '../domain/host.ts'
import type { TimestampUs } from '../domain/time/timestamp.ts'
import type { EvidenceLog } from '../log/evidence-log.ts'
import type { ProbingManners } from '../render/html/pages/probing.tsx'
import type { Site } from '../render/site.ts'
import type { Directory } from '../views/directory.ts'
import type { PolicyTerms } from '../views/policy-view.ts'
import type { PageCache } from './cache/cache.ts'
import type { Front } from './cache/front.ts'
import type { EventStreams } from './events/event-streams.ts'
import type { WriteLimits } from './limits/write-limits.ts'
import type { Head } from './server/head.ts'
import type { OnTrouble } from './trouble.ts'

/** One request on its way through the application. */
export interface Call {
  readonly id: string
  readonly head: Head
}

export interface AppEnv {
  Bindings: HttpBindings & { readonly call: Call }
}

export type AppContext = Context<AppEnv>

export type Handler = (context: AppContext) => Response | Promise<Response>

/** What the routes share; built once. */
export interface Services {
  readonly site: Site
  readonly directory: Directory
  readonly cache: PageCache
  readonly front: Front
  /** Names that this operator allows beyond public ones. */
  readonly allow: AllowHosts
  readonly probing: ProbingManners
  readonly condition: () => Readonly<Record<string, unknown>>
  readonly reviews: Reviews
  readonly sellers: Sellers
  readonly writeLimits: WriteLimits
  /** `null`: the operator has set no key. */
  readonly evidenceLog: () => Promise<EvidenceLog | null>
  readonly threads: Threads
  readonly onTrouble: OnTrouble
  /** Asked for each time: a rail learns its network when its node first answers. */
  readonly policy: () => PolicyTerms
  /** Wall clock. */
  readonly nowUs: () => TimestampUs
  readonly streams: EventStreams
  /** The address that a request came from, as far as trusted proxies tell. */
  readonly clientOf: (incoming: IncomingMessage, head: Head) => string
  /** Answers one message of the Model Context Protocol; its body is read and small. */
  readonly mcp: ((request: Request) => Promise<Response>) | undefined
  /** An address for reports of weaknesses. */
  readonly securityContact: string | undefined
}
