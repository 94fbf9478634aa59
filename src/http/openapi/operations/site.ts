import { z } from 'zod'
import { EVENT_KINDS } from '../../../domain/event.ts'
import { forms, json, type Operation, text } from '../operation.ts'
import { cursor, EXAMPLES, formatOf, host, inPath, inQuery, limit, page } from '../parameters.ts'

const OF_A_HOST = ['invalid-host', 'unknown-host', 'rate-limited'] as const

const FOLLOWING: readonly Operation[] = [
  {
    ...{ method: 'get', path: '/v1/events', id: 'listEvents', tag: 'Following' },
    summary: 'Announcements in the order in which they were written: JSON pages, or server-sent events',
    description:
      'As text/event-stream it stays open and goes on after Last-Event-ID or `after`. With `kind` a page may be short, or empty, and still have a next one.',
    parameters: [
      inQuery('host', 'Of this host only', { example: EXAMPLES.host }),
      inQuery('kind', `Of these kinds only, comma separated: ${EVENT_KINDS.join(', ')}`, { example: 'review,post' }),
      inQuery('after', 'The id of an announcement: those after it'),
      limit,
      // Without it a client that takes anything is given the stream, which does not end.
      { ...formatOf(['json', 'stream']), required: true },
    ],
    answers: {
      200: {
        description: 'Announcements',
        content: { 'application/json': 'Events', 'text/event-stream': 'text' },
      },
    },
    problems: ['invalid-parameter', 'unknown-host', 'not-acceptable', 'too-many-streams', 'rate-limited'],
  },
  {
    ...{ method: 'get', path: '/feed.atom', id: 'feed', tag: 'Following', isCached: true },
    summary: 'Atom feed of the whole directory',
    parameters: page,
    answers: { 200: text('application/atom+xml', 'Newest first') },
    problems: ['invalid-parameter', 'invalid-cursor', 'rate-limited'],
  },
  {
    ...{ method: 'get', path: '/hosts/{host}/feed.atom', id: 'hostFeed', tag: 'Following', isCached: true },
    summary: 'Atom feed of one host',
    parameters: [host, limit, cursor],
    answers: { 200: text('application/atom+xml', 'Newest first') },
    problems: ['invalid-parameter', 'invalid-cursor', ...OF_A_HOST],
  },
  {
    ...{ method: 'get', path: '/hosts/{host}/badge.svg', id: 'badge', tag: 'Following', isCached: true },
    summary: 'Badge with the probe results of the last 30 days',
    parameters: [host],
    answers: { 200: text('image/svg+xml', 'The badge') },
    problems: OF_A_HOST,
  },
  {
    ...{ method: 'get', path: '/hosts/{host}/badge.json', id: 'badgeJson', tag: 'Following', isCached: true },
    summary: 'The same for shields.io',
    parameters: [host],
    answers: { 200: json('Badge', 'An endpoint badge') },
    problems: OF_A_HOST,
  },
]

const DIRECTORY: readonly Operation[] = [
  {
    ...{ method: 'get', path: '/policy', id: 'policyPage', tag: 'Directory' },
    summary: 'Price of a post, who is paid, which reviews count, rate limits; as a page',
    parameters: [formatOf(['html', 'json'])],
    answers: { 200: forms({ html: 'text', json: 'Policy' }, 'The policy') },
    problems: ['not-acceptable', 'rate-limited'],
  },
  {
    ...{ method: 'get', path: '/v1/policy', id: 'getPolicy', tag: 'Directory' },
    summary: 'Price of a post, who is paid, which reviews count, rate limits',
    answers: { 200: json('Policy', 'The policy') },
    problems: ['rate-limited'],
  },
  {
    ...{ method: 'get', path: '/sources', id: 'sourcesPage', tag: 'Directory', isCached: true },
    summary: 'Listing sources and their last sweeps, as a page',
    parameters: [formatOf(['html', 'json'])],
    answers: { 200: forms({ html: 'text', json: 'Sources' }, 'The sources') },
    problems: ['not-acceptable', 'rate-limited'],
  },
  {
    ...{ method: 'get', path: '/v1/sources', id: 'listSources', tag: 'Directory', isCached: true },
    summary: 'Listing sources and their last sweeps',
    answers: { 200: json('Sources', 'The sources') },
    problems: ['rate-limited'],
  },
  {
    ...{ method: 'get', path: '/probing', id: 'probingPage', tag: 'Directory' },
    summary: 'How this directory probes, for sellers',
    answers: { 200: text('text/html', 'A page') },
    problems: ['rate-limited'],
  },
  {
    ...{ method: 'get', path: '/problems', id: 'listProblems', tag: 'Directory' },
    summary: 'Every kind of problem that a request can be answered with',
    parameters: [formatOf(['html', 'json'])],
    answers: { 200: forms({ html: 'text', json: 'ProblemKinds' }, 'The kinds') },
    problems: ['not-acceptable', 'rate-limited'],
  },
  {
    ...{ method: 'get', path: '/problems/{slug}', id: 'getProblem', tag: 'Directory' },
    summary: 'One kind of problem: where the `type` of a problem leads',
    parameters: [inPath('slug', 'Its name', 'unknown-host'), formatOf(['html', 'json'])],
    answers: { 200: forms({ html: 'text', json: 'ProblemKind' }, 'The kind') },
    problems: ['not-found', 'not-acceptable', 'rate-limited'],
  },
  {
    ...{ method: 'get', path: '/robots.txt', id: 'robots', tag: 'Directory' },
    summary: 'For crawlers',
    answers: { 200: text('text/plain', 'Everything may be read') },
  },
  {
    ...{ method: 'get', path: '/sitemap.xml', id: 'sitemap', tag: 'Directory', isCached: true },
    summary: 'The list of the sitemap’s parts',
    answers: { 200: text('application/xml', 'A sitemap index') },
  },
  {
    ...{ method: 'get', path: '/sitemaps/{part}', id: 'sitemapPart', tag: 'Directory' },
    summary: 'One part of the sitemap',
    parameters: [inPath('part', 'As the index names it', '1-of-1.xml')],
    answers: { 200: text('application/xml', 'A sitemap') },
    problems: ['not-found'],
  },
  {
    ...{ method: 'get', path: '/.well-known/security.txt', id: 'securityContact', tag: 'Directory' },
    summary: 'Where to report a weakness',
    answers: { 200: text('text/plain', 'RFC 9116') },
  },
  {
    ...{ method: 'get', path: '/icon.svg', id: 'icon', tag: 'Directory' },
    summary: 'The icon',
    answers: { 200: text('image/svg+xml', 'An image') },
  },
]

const AGENTS: readonly Operation[] = [
  {
    ...{ method: 'get', path: '/openapi.json', id: 'openapi', tag: 'Agents', isCached: true },
    summary: 'This document',
    answers: { 200: json('json', 'OpenAPI 3.1') },
  },
  {
    ...{ method: 'get', path: '/docs', id: 'docs', tag: 'Agents', isCached: true },
    summary: 'This document as a page',
    answers: { 200: text('text/html', 'A page') },
  },
  {
    ...{ method: 'get', path: '/llms.txt', id: 'llms', tag: 'Agents', isCached: true },
    summary: 'What this directory is and how to use it, for language models',
    answers: { 200: text('text/markdown', 'Markdown, as llmstxt.org describes it') },
  },
  {
    ...{ method: 'post', path: '/mcp', id: 'mcp', tag: 'Agents' },
    summary: 'Model Context Protocol, streamable HTTP without sessions',
    description:
      'One JSON-RPC message per request, answered as JSON. Tools read the evidence and prepare reviews and posts; none spends anything. A request from a page of another origin is refused.',
    parameters: [
      {
        ...{ name: 'Accept', in: 'header', required: true, schema: z.string() },
        description: 'application/json, text/event-stream',
      },
    ],
    body: { schema: 'json', example: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
    answers: {
      200: json('json', 'The JSON-RPC answer'),
      202: { description: 'A notification was taken' },
    },
    problems: ['invalid-json', 'origin-refused', 'body-too-large', 'unsupported-media-type', 'rate-limited'],
  },
]

const OPERATING: readonly Operation[] = [
  {
    ...{ method: 'get', path: '/healthz', id: 'alive', tag: 'Operating' },
    summary: 'The process is alive',
    answers: { 200: json('Alive', 'It is') },
  },
  {
    ...{ method: 'get', path: '/readyz', id: 'ready', tag: 'Operating' },
    summary: 'The store answers',
    answers: { 200: json('Ready', 'It does') },
    problems: ['not-ready'],
  },
]

export const SITE_OPERATIONS: readonly Operation[] = [...FOLLOWING, ...DIRECTORY, ...AGENTS, ...OPERATING]
