import type { SellerHost } from '../../../domain/host.ts'
import { isVantage } from '../../../domain/now/vantage.ts'
import { problem } from '../../../domain/problem-kinds.ts'
import { LEVELS } from '../../../domain/review.ts'
import { LONGEST_PATH, METHODS, RAILS } from '../../../domain/route.ts'
import type { ListName } from '../../../render/list-words.ts'
import type {
  CountedPage,
  Directory,
  PageRequest,
  ProbeRequest,
  ReviewRequest,
  StatementsView,
} from '../../../views/directory.ts'
import type { PostView, ReviewView, RouteProbeView, RouteView } from '../../../views/host/host-view.ts'
import type { RouteFilter } from '../../../views/route/route-filter.ts'
import { level, method } from '../../../wire/api/values.ts'
import type { Parameter } from '../../openapi/operation.ts'
import { inQuery, methodOf, pathOf, railOf, vantageOf } from '../../openapi/parameters.ts'
import type { Parameters } from '../../parameters.ts'

/** One list of one host, which is read alike as JSON and as a page. */
export interface HostList<Filter, Found> {
  readonly name: ListName
  /** What it may be asked for beside its place; the next page is asked for the same. */
  readonly parameters: readonly Parameter[]
  filter(parameters: Parameters): Filter
  open(directory: Directory, host: SellerHost, asked: PageRequest & Filter): Promise<Found | undefined>
}

/** Everything there is. */
const UNFILTERED = { parameters: [], filter: () => ({}) }

export const ROUTES: HostList<RouteFilter, CountedPage<RouteView>> = {
  name: 'routes',
  parameters: [
    inQuery('q', 'Part of the path', { example: 'v1' }),
    inQuery('method', `One of ${METHODS.join(', ')}`, { schema: method, example: 'GET' }),
  ],
  filter: (parameters) => ({ q: parameters.search(), method: parameters.oneOf('method', METHODS) }),
  open: (directory, host, asked) => directory.routes(host, asked),
}

export const PROBES: HostList<Omit<ProbeRequest, keyof PageRequest>, CountedPage<RouteProbeView>> = {
  name: 'probes',
  parameters: [methodOf(), pathOf(), railOf(), vantageOf],
  filter: (parameters) => ({
    method: parameters.oneOf('method', METHODS),
    path: pathIn(parameters),
    rail: parameters.oneOf('rail', RAILS),
    vantage: parameters.parsed('vantage', '1 to 32 of a-z, 0-9 and -', (text) => (isVantage(text) ? text : undefined)),
  }),
  open: (directory, host, asked) => directory.probes(host, asked),
}

export const REVIEWS: HostList<Omit<ReviewRequest, keyof PageRequest>, CountedPage<ReviewView>> = {
  name: 'reviews',
  parameters: [inQuery('level', 'Support level', { schema: level, example: 'Signed' }), methodOf(), pathOf()],
  filter: (parameters) => ({
    level: parameters.oneOf('level', LEVELS),
    method: parameters.oneOf('method', METHODS),
    path: pathIn(parameters),
  }),
  open: (directory, host, asked) => directory.reviews(host, asked),
}

export const THREAD: HostList<object, CountedPage<PostView>> = {
  ...UNFILTERED,
  name: 'thread',
  open: (directory, host, asked) => directory.thread(host, asked),
}

export const STATEMENTS: HostList<object, StatementsView> = {
  ...UNFILTERED,
  name: 'statements',
  open: (directory, host, asked) => directory.statements(host, asked),
}

/** A route's path may be empty, so here an empty value says something. */
export function pathIn(parameters: Parameters): string | null {
  const path = parameters.exact('path')
  if (path === null || Buffer.byteLength(path) <= LONGEST_PATH) return path
  throw problem('invalid-parameter', `The parameter path must be at most ${LONGEST_PATH} bytes long.`, {
    more: { parameter: 'path' },
  })
}
