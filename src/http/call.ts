import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { AllowHosts } from '../domain/host.ts'
import type { ProbingManners } from '../render/html/probing.tsx'
import type { Site } from '../render/site.ts'
import type { Directory } from '../views/directory.ts'
import type { PageCache } from './cache.ts'
import type { Front } from './front.ts'
import type { Head } from './head.ts'

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
}
