import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { PROBE_STATUSES, RESULTS } from '../domain/probe.ts'
import { problem } from '../domain/problem-kinds.ts'
import { METHODS, RAILS } from '../domain/route.ts'
import { decisionJson } from '../render/json/decision.ts'
import { hostJson } from '../render/json/host.ts'
import { judgementJson } from '../render/json/judgement.ts'
import { listingHistoryJson } from '../render/json/listing-history.ts'
import { hostsJson, threadJson } from '../render/json/pages.ts'
import { routePageJson } from '../render/json/route-page.ts'
import { decisionMarkdown } from '../render/markdown/decision.ts'
import { hostMarkdown } from '../render/markdown/host.ts'
import { hostsMarkdown } from '../render/markdown/hosts.ts'
import { judgementMarkdown } from '../render/markdown/judgement.ts'
import { listingHistoryMarkdown } from '../render/markdown/listing-history.ts'
import { codeSpan } from '../render/markdown/quote.ts'
import { routePageMarkdown } from '../render/markdown/route-page.ts'
import { threadBlocks } from '../render/markdown/thread.ts'
import { SORT_OF_REVIEWS } from '../render/words.ts'
import { judgementOf } from '../views/decision/open-judgement.ts'
import { MAX_PRICE, NETWORK, readTyped, searchAsked, sortAsked } from '../views/host/hosts-asked.ts'
import { HOST_SORTS, RETIRED } from '../views/host/hosts-view.ts'
import { hostView } from '../wire/api/host.ts'
import { judgement, judgementRequest } from '../wire/api/judgement.ts'
import { listingHistory } from '../wire/api/listing-history.ts'
import { hosts, thread } from '../wire/api/lists.ts'
import { routePage } from '../wire/api/route.ts'
import { offerIn, policyIn } from '../wire/bodies/decide-body.ts'
import { answered, READS } from './answer.ts'
import {
  askedBefore,
  cursorIn,
  hostInput,
  hostNamed,
  pageInput,
  routeInput,
  routeNamed,
  unknownHost,
  unknownRoute,
} from './inputs.ts'
import { argumentsOf, outlineOf } from './outline.ts'
import type { ToolDeps } from './tool-deps.ts'

const OUTPUTS = {
  hosts: outlineOf(hosts),
  hostView: outlineOf(hostView),
  // Cards are for pages.
  routePage: outlineOf(routePage.omit({ card: true })),
  listingHistory: outlineOf(listingHistory),
  thread: outlineOf(thread),
  judgement: outlineOf(judgement.partial({ offer: true, allow: true, findings: true })),
}

/** Tools that show evidence. */
export function registerReadTools(server: McpServer, deps: ToolDeps): void {
  registerSearch(server, deps)
  registerHost(server, deps)
  registerRoute(server, deps)
  registerListingHistory(server, deps)
  registerThread(server, deps)
  registerDecision(server, deps)
}

/** Named here as in addresses. */
const searchInput = {
  q: z.string().max(200).optional().describe('Words of host names, paths, descriptions and sources'),
  rail: z.enum(RAILS).optional().describe('Only with a route on this rail'),
  network: z.string().max(100).optional().describe('Only with a route on this network: base, eip155:8453'),
  max_price: z.string().optional().describe('Highest price of a call in dollars, such as 0.05'),
  result: z.enum(RESULTS).optional().describe('Only with a probe entry of this class'),
  check: z.enum(PROBE_STATUSES).optional().describe('Only with a route whose price check is so'),
  retired: z.enum(RETIRED).optional().describe('Retired or moved hosts: with others or alone'),
  sort: z.enum(HOST_SORTS).optional().describe(`Best match first when q is given, else by name. ${SORT_OF_REVIEWS}`),
}

const searchedBefore = z.object({ ...searchInput, requested: z.literal('day').optional() })

function registerSearch(server: McpServer, deps: ToolDeps): void {
  const inputSchema = argumentsOf({
    ...searchInput,
    requested_in_last_day: z.boolean().default(false).describe('Only with a request for payment in the last day'),
    ...pageInput,
  })
  const config = {
    title: 'Search seller hosts',
    description: 'Finds hosts that sell paid API routes, with counts of their evidence.',
    inputSchema,
    outputSchema: OUTPUTS.hosts,
    annotations: READS,
  }
  server.registerTool('search_hosts', config, (given) =>
    answered(deps, async () => {
      const asked = { ...askedBefore(searchedBefore, given.cursor), ...given }
      const q = searchAsked(asked.q ?? null)
      const query = {
        q,
        rail: asked.rail ?? null,
        network: readTyped(NETWORK, asked.network ?? null),
        maxPrice: readTyped(MAX_PRICE, asked.max_price ?? null),
        result: asked.result ?? null,
        requested: asked.requested_in_last_day ? ('day' as const) : (asked.requested ?? null),
        check: asked.check ?? null,
        retired: asked.retired ?? null,
        sort: sortAsked(asked.sort ?? null, q),
        limit: asked.limit,
        cursor: cursorIn(asked.cursor),
      }
      const home = await deps.directory.home(query)
      const document = hostsJson(deps.site, query, { ...home, items: home.rows })
      return { document, markdown: hostsMarkdown(deps.site, home) }
    }),
  )
}

const routesInput = {
  q: z.string().max(200).optional().describe('Only routes whose path has this part'),
  method: z.enum(METHODS).optional().describe('Only routes with this method'),
}

function registerHost(server: McpServer, deps: ToolDeps): void {
  const config = {
    title: 'Show one host',
    description:
      'Everything about one seller host: stored route facts, machine-observed probe history, agent reviews, discussion thread.',
    inputSchema: argumentsOf({ host: hostInput, ...routesInput, ...pageInput }),
    outputSchema: OUTPUTS.hostView,
    annotations: READS,
  }
  server.registerTool('get_host', config, (given) =>
    answered(deps, async () => {
      const asked = { ...askedBefore(z.object(routesInput), given.cursor), ...given }
      const host = hostNamed(asked.host, deps)
      const filter = { q: searchAsked(asked.q ?? null), method: asked.method ?? null }
      const view = await deps.directory.hostView(host, {
        limit: asked.limit,
        cursor: cursorIn(asked.cursor),
        ...filter,
      })
      if (view === undefined) throw await unknownHost(deps, host)
      const document = hostJson(deps.site, view, { cards: false })
      return { document, markdown: hostMarkdown(deps.site, view, { cards: false }) }
    }),
  )
}

function registerRoute(server: McpServer, deps: ToolDeps): void {
  const config = {
    title: 'Show one route',
    description: 'Everything about one paid route: listing rows, probe entries newest first, reviews.',
    inputSchema: argumentsOf({ ...routeInput, ...pageInput }),
    outputSchema: OUTPUTS.routePage,
    annotations: READS,
  }
  server.registerTool('get_route', config, (asked) =>
    answered(deps, async () => {
      const { directory, site } = deps
      const named = routeNamed(asked, deps)
      const page = { limit: asked.limit, cursor: cursorIn(asked.cursor) }
      // A concrete address is found through the template that is listed.
      const listed = (await directory.decision(named.host, named))?.route
      const view = listed && (await directory.route(named.host, listed, page))
      if (view === undefined) throw await unknownRoute(deps, named)
      return { document: routePageJson(site, view), markdown: routePageMarkdown(site, view) }
    }),
  )
}

function registerListingHistory(server: McpServer, deps: ToolDeps): void {
  const config = {
    title: 'Where is this seller listed?',
    description:
      "Which listing sources named a host and its routes, from when to when, and what was refused of the seller's own documents, with reasons. For sellers who ask why they are not listed.",
    inputSchema: argumentsOf({ host: hostInput, ...pageInput }),
    outputSchema: OUTPUTS.listingHistory,
    annotations: READS,
  }
  server.registerTool('get_listing_history', config, (asked) =>
    answered(deps, async () => {
      const host = hostNamed(asked.host, deps)
      const view = await deps.directory.listingHistory(host, { limit: asked.limit, cursor: cursorIn(asked.cursor) })
      if (view === undefined) throw await unknownHost(deps, host)
      const query = new URLSearchParams({ limit: String(asked.limit) })
      return {
        document: listingHistoryJson(deps.site, view, query),
        markdown: listingHistoryMarkdown(deps.site, view),
      }
    }),
  )
}

function registerThread(server: McpServer, deps: ToolDeps): void {
  const config = {
    title: 'Read a discussion thread',
    description: "Posts of a host's buyer discussion thread, oldest first. Each was signed and paid for by its wallet.",
    inputSchema: argumentsOf({ host: hostInput, ...pageInput }),
    outputSchema: OUTPUTS.thread,
    annotations: READS,
  }
  server.registerTool('get_thread', config, (asked) =>
    answered(deps, async () => {
      const { directory, site } = deps
      const host = hostNamed(asked.host, deps)
      const page = await directory.thread(host, { limit: asked.limit, cursor: cursorIn(asked.cursor) })
      if (page === undefined) throw await unknownHost(deps, host)
      const { items: posts, total, next } = page
      const blocks = [`# Thread of ${codeSpan(host)}`, ...threadBlocks(site, { host, thread: { posts, total, next } })]
      const query = new URLSearchParams({ limit: String(asked.limit) })
      return { document: threadJson(site, host, page, query), markdown: `${blocks.join('\n\n')}\n` }
    }),
  )
}

function registerDecision(server: McpServer, deps: ToolDeps): void {
  const config = {
    title: 'Should I pay this?',
    description:
      'What is known of one route before paying for it: listed and observed price, probe results of the last day, week and month, latency, reviews by support level, payees seen, and what is not known. Evidence, no score. With the offer of a live 402 answer it also says what speaks against paying that, and whether to stop.',
    inputSchema: argumentsOf({
      ...routeInput,
      offer: judgementRequest.shape.offer.optional(),
      policy: judgementRequest.shape.policy,
    }),
    outputSchema: OUTPUTS.judgement,
    annotations: READS,
  }
  server.registerTool('should_i_pay', config, (asked) =>
    answered(deps, async () => {
      const named = routeNamed(asked, deps)
      if (asked.policy !== undefined && asked.offer === undefined)
        throw problem('invalid-parameter', 'A policy is held against an offer: give the offer, too.')
      if (asked.offer !== undefined) {
        const { url, method, rail } = asked
        const judging = { offer: offerIn(asked.offer), policy: policyIn(asked.policy) }
        const judged = await judgementOf(deps.directory, { address: named, url, method, rail, ...judging })
        return { document: judgementJson(deps.site, judged), markdown: judgementMarkdown(deps.site, judged) }
      }
      const view = await deps.directory.decision(named.host, named)
      if (view === undefined) throw await unknownRoute(deps, named)
      return { document: decisionJson(deps.site, view), markdown: decisionMarkdown(deps.site, view) }
    }),
  )
}
