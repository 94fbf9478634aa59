import { z } from 'zod'
import { METHODS, SCHEMES } from '../../../domain/route.ts'
import { HOST_SORTS, REQUESTED_WITHIN } from '../../../views/hosts-view.ts'
import { level, method, result } from '../../../wire/api/values.ts'
import { forms, json, type Operation } from '../operation.ts'
import { cursor, EXAMPLES, formatOf, host, inQuery, limit, methodOf, page, pathOf, railOf } from '../parameters.ts'

const OF_A_LIST = ['invalid-parameter', 'invalid-cursor', 'rate-limited'] as const
const OF_A_HOST = ['invalid-parameter', 'invalid-cursor', 'invalid-host', 'unknown-host', 'rate-limited'] as const

const search = [
  inQuery('q', 'Words of host names, paths, descriptions and sources; typing errors are forgiven', {
    example: 'example',
  }),
  railOf(),
  inQuery('network', 'A network such as base or eip155:8453', { example: 'base' }),
  inQuery('max_price', 'The highest price of one call, in dollars', { example: '0.05' }),
  inQuery('result', 'Hosts with at least one probe entry of this class', { schema: result, example: '402-correct' }),
  inQuery('requested', 'Hosts that requested payment in the last day', { schema: z.enum(REQUESTED_WITHIN) }),
  inQuery('sort', 'The order; best match first when q is given, else by name', {
    schema: z.enum(HOST_SORTS),
    example: 'newest',
  }),
  ...page,
]

const filter = [
  inQuery('q', 'Part of the path', { example: 'v1' }),
  inQuery('method', `One of ${METHODS.join(', ')}`, { schema: method, example: 'GET' }),
]

const view = [
  ...filter,
  inQuery('view', 'Adds the exact texts of the card style', { schema: z.enum(['cards']), example: 'cards' }),
  cursor,
]

export const HOST_OPERATIONS: readonly Operation[] = [
  {
    ...{ method: 'get', path: '/', id: 'home', tag: 'Hosts', isCached: true },
    summary: 'Search and browse hosts, as a page, Markdown or JSON',
    parameters: [...search, formatOf(['html', 'md', 'json'])],
    answers: { 200: forms({ html: 'text', md: 'text', json: 'Hosts' }, 'One page of hosts') },
    problems: [...OF_A_LIST, 'not-acceptable'],
  },
  {
    ...{ method: 'get', path: '/v1/hosts', id: 'listHosts', tag: 'Hosts', isCached: true },
    summary: 'Search and list hosts',
    description: 'All conditions that are given hold for one and the same route of a host.',
    parameters: search,
    answers: { 200: json('Hosts', 'One page of hosts') },
    problems: OF_A_LIST,
  },
  {
    ...{ method: 'get', path: '/v1/decide', id: 'decide', tag: 'Hosts', isCached: true },
    summary: 'Should I pay this? What is known of one route before paying for it',
    description:
      'Evidence, no score: listed and observed price, probe results of the last day, week and month with latency, reviews by support level, payees seen, and what is not known. The address may be concrete where the listed path is a template.',
    parameters: [
      methodOf({ required: true }),
      inQuery('url', 'Full address of the route', { required: true, example: EXAMPLES.url }),
      railOf({ required: true }),
      formatOf(['json', 'md']),
    ],
    answers: { 200: forms({ json: 'Decision', md: 'text' }, 'What is known, and what is not') },
    problems: ['invalid-parameter', 'unknown-host', 'unknown-route', 'not-acceptable', 'rate-limited'],
  },
  {
    ...{ method: 'get', path: '/hosts/{host}', id: 'hostPage', tag: 'Hosts', isCached: true },
    summary: 'The host view, as a page, Markdown or JSON',
    parameters: [host, ...view, formatOf(['html', 'md', 'json'])],
    answers: { 200: forms({ html: 'text', md: 'text', json: 'HostView' }, 'Everything about one host') },
    problems: [...OF_A_HOST, 'not-acceptable'],
  },
  {
    ...{ method: 'get', path: '/v1/hosts/{host}', id: 'getHost', tag: 'Hosts', isCached: true },
    summary: 'The host view',
    description:
      'At most 50 routes and, of each, the 5 newest probe entries and reviews; totals and `next` say what is left.',
    parameters: [host, ...view],
    answers: { 200: json('HostView', 'Everything about one host') },
    problems: OF_A_HOST,
  },
  {
    ...{ method: 'get', path: '/hosts/{host}/route', id: 'getRoute', tag: 'Hosts', isCached: true },
    summary: 'Everything about one route, as a page, Markdown or JSON',
    parameters: [
      host,
      methodOf({ required: true }),
      pathOf({ required: true }),
      railOf({ required: true }),
      inQuery('scheme', 'https unless given', { schema: z.enum(SCHEMES), example: 'https' }),
      limit,
      cursor,
      formatOf(['html', 'md', 'json']),
    ],
    answers: { 200: forms({ html: 'text', md: 'text', json: 'RoutePage' }, 'The route and one page of its entries') },
    problems: [...OF_A_HOST, 'not-found', 'not-acceptable'],
  },
  {
    ...{ method: 'get', path: '/v1/hosts/{host}/routes', id: 'listRoutes', tag: 'Hosts', isCached: true },
    summary: "A host's routes, by path and method",
    parameters: [host, ...filter, ...page],
    answers: { 200: json('Routes', 'One page of routes') },
    problems: OF_A_HOST,
  },
  {
    ...{ method: 'get', path: '/v1/hosts/{host}/probes', id: 'listProbes', tag: 'Hosts', isCached: true },
    summary: "A host's probe entries, newest first",
    parameters: [host, methodOf(), pathOf(), railOf(), ...page],
    answers: { 200: json('Probes', 'One page of entries') },
    problems: OF_A_HOST,
  },
  {
    ...{ method: 'get', path: '/v1/hosts/{host}/reviews', id: 'listReviews', tag: 'Reviews', isCached: true },
    summary: "A host's reviews, newest first",
    parameters: [
      host,
      inQuery('level', 'Support level', { schema: level, example: 'Signed' }),
      methodOf(),
      pathOf(),
      ...page,
    ],
    answers: { 200: json('Reviews', 'One page of reviews') },
    problems: OF_A_HOST,
  },
]
