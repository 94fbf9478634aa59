import type { ProbeResult, ProbeStatus } from '../domain/probe.ts'
import type { SupportLevel } from '../domain/support-level.ts'
import type { Method, Rail, Scheme } from '../domain/words/route-words.ts'
import type { EventsDocument } from '../wire/api/events.ts'
import type { JudgementRequest } from '../wire/api/judgement.ts'
import type { HOST_SORTS } from '../wire/api/lists.ts'
import { fillPath, PATHS, type PathTemplate, type PathValues } from '../wire/paths.ts'
import type { Outline } from './answers/outline.ts'
import {
  decision,
  events,
  hosts,
  hostView,
  judgement,
  listingHistory,
  policy,
  postPage,
  probes,
  reviewPage,
  reviews,
  routePage,
  routes,
  sourcePage,
  sources,
  thread,
  why,
} from './answers/outlines.ts'
import { documentIn, ofHost, textIn } from './answers/read.ts'
import { statementPage, statements } from './answers/sellers.ts'
import { ask } from './ask.ts'
import { type ClientOptions, type Connection, createConnection } from './connection.ts'
import { logOf } from './log.ts'

export interface PageQuery {
  /** At most 200. */
  readonly limit?: number
  readonly cursor?: string
}

export interface HostsQuery extends PageQuery {
  readonly q?: string
  readonly rail?: Rail
  readonly network?: string
  /** Dollars, such as `0.05`. */
  readonly max_price?: string
  /** Hosts with a route whose newest live challenge compares so with what is listed. */
  readonly check?: ProbeStatus
  readonly result?: ProbeResult
  readonly requested?: 'day'
  /** Hosts that their seller retired: with the others, or alone; left out unless given. */
  readonly retired?: 'with' | 'only'
  readonly sort?: (typeof HOST_SORTS)[number]
}

/** Names one route of a host. */
export interface RouteQuery extends PageQuery {
  readonly method: Method
  readonly path: string
  readonly rail: Rail
  readonly scheme?: Scheme
}

interface EventsQuery {
  readonly host?: string
  /** One or several, comma separated. */
  readonly kind?: string
  /** The id of an announcement: those after it, in the order asked for. */
  readonly after?: string
  readonly order?: 'oldest' | 'newest'
  /** At most 200. */
  readonly limit?: number
}

type Query = Readonly<Record<string, string | number | undefined>>

/** Reads a directory. Rejects with `RefusedError` for what it refuses. */
export function createClient(options: ClientOptions) {
  const deps = createConnection(options)
  const get = <T>(outline: Outline<T>, path: string, query: object = {}): Promise<T> =>
    read(deps, outline, `${path}${queryOf({ ...query })}`)
  return {
    ...deps,
    /** The evidence log. */
    log: logOf(deps),
    /** Search and list hosts. */
    hosts: (query: HostsQuery = {}) => get(hosts, PATHS.apiHosts, query),
    /** The host view. */
    host: (host: string, query: { q?: string; method?: Method; cursor?: string } = {}) =>
      get(ofHost(hostView, host), at(PATHS.apiHost, { host }), query),
    routes: (host: string, query: PageQuery & { q?: string; method?: Method } = {}) =>
      get(ofHost(routes, host), at(PATHS.apiHostRoutes, { host }), query),
    probes: (host: string, query: PageQuery & { method?: Method; path?: string; rail?: Rail; vantage?: string } = {}) =>
      get(ofHost(probes, host), at(PATHS.apiHostProbes, { host }), query),
    reviews: (host: string, query: PageQuery & { level?: SupportLevel; method?: Method; path?: string } = {}) =>
      get(ofHost(reviews, host), at(PATHS.apiHostReviews, { host }), query),
    /** Where a seller is listed, since when, and why not; answers for a seller that no source names, too. */
    listingHistory: (host: string, query: PageQuery = {}) =>
      get(ofHost(listingHistory, host), at(PATHS.apiListingHistory, { host }), query),
    /** Why a host, or one path of it, is listed and probed as it is; also of one that nobody has named. */
    why: (host: string, query: { path?: string } = {}) => get(ofHost(why, host), at(PATHS.apiWhy, { host }), query),
    thread: (host: string, query: PageQuery = {}) => get(ofHost(thread, host), at(PATHS.thread, { host }), query),
    /** Everything about one route. */
    route: (host: string, query: RouteQuery) =>
      get(ofHost(routePage, host), at(PATHS.route, { host }), { ...query, format: 'json' }),
    /** Should I pay this? What is known of one route before paying for it. */
    decide: (route: { method: Method; url: string; rail: Rail }) => get(decision, PATHS.decide, route),
    /** The same, held against what its seller asks for now: what speaks against paying it. */
    judge: (asked: JudgementRequest) => send(deps, judgement, PATHS.decide, asked),
    review: (id: string) => get(reviewPage, at(PATHS.review, { id })),
    post: (id: string) => get(postPage, at(PATHS.post, { id })),
    /** Who speaks for a host, and what they say, newest first. */
    statements: (host: string, query: PageQuery = {}) => get(statements, at(PATHS.apiStatements, { host }), query),
    statement: (id: string) => get(statementPage, at(PATHS.statement, { id })),
    policy: () => get(policy, PATHS.apiPolicy),
    sources: () => get(sources, PATHS.apiSources),
    /** One source: its sweeps, and what the newest of them refused. */
    source: (name: string) => get(sourcePage, at(PATHS.apiSource, { name })),
    /** One page of announcements, in the order in which they were written, or back from the last one. */
    events: (query: EventsQuery = {}) => get(events, PATHS.events, { ...query, format: 'json' }),
  }
}

/** Escaped in full: what a program hands over need not be a host or an id. */
const at = <Template extends PathTemplate>(template: Template, values: PathValues<Template>): string =>
  fillPath(template, values, encodeURIComponent)

export type Client = ReturnType<typeof createClient>

/**
 * What to ask the next page with; `undefined` on the last one. Announcements go on `after` the last of a page, all others at its
 * `cursor`. The page is asked from the same directory, wherever `next` points.
 */
export function nextQuery(page: EventsDocument): { after: string } | undefined
export function nextQuery(page: { readonly next: string | null }): { cursor: string } | undefined
export function nextQuery({ next }: { readonly next: string | null }): object | undefined {
  const asked = next === null ? [] : [...new URL(next).searchParams]
  const on = asked.find(([name]) => name === 'cursor' || name === 'after')
  return on && Object.fromEntries([on])
}

function queryOf(query: Query): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value))
  return given.size === 0 ? '' : `?${given}`
}

const read = <T>(to: Connection, outline: Outline<T>, path: string): Promise<T> =>
  documentAt(to, outline, path, { headers: { Accept: 'application/json' } })

const send = <T>(to: Connection, outline: Outline<T>, path: string, body: object): Promise<T> =>
  documentAt(to, outline, path, {
    method: 'POST',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

const documentAt = <T>(to: Connection, outline: Outline<T>, path: string, init: RequestInit): Promise<T> =>
  ask(to, path, init, async (answer) => documentIn(outline, answer.status, await textIn(answer)))
