import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { ENDPOINTS } from '../../src/http/endpoints.ts'
import { COMPONENTS, type ComponentName } from '../../src/http/openapi/components.ts'
import type { OpenapiDocument, OpenapiOperation, OpenapiParameter } from '../../src/wire/openapi.ts'
import type { FilledProgram } from '../support/filled-program.ts'
import { LARGE, QUIET, startFilled } from './filled.ts'

let server: FilledProgram
let document: OpenapiDocument
const ajv = new Ajv2020({ strict: false, allErrors: true })

const isDocument = (value: unknown): value is OpenapiDocument =>
  typeof value === 'object' && value !== null && 'openapi' in value && value.openapi === '3.1.1'

beforeAll(async () => {
  server = await startFilled()
  const served: unknown = await (await fetch(`${server.address}/openapi.json`)).json()
  if (!isDocument(served)) throw new Error('this is no OpenAPI document')
  document = served
  ajv.addSchema({ ...document, $id: 'tollbook:api' })
})
afterAll(() => server.stop())

const GETS = ENDPOINTS.filter(({ method }) => method === 'get')

const operationAt = (path: string): OpenapiOperation => {
  const operation = document.paths[path]?.get
  if (operation === undefined) throw new Error(`${path} is not in the document`)
  return operation
}

/** An address of an operation, its parameters filled in from the examples of the document alone. */
function addressOf(path: string, parameters: readonly OpenapiParameter[]): string {
  let filled = path
  const query = new URLSearchParams()
  for (const { name, in: place, example } of parameters) {
    if (example === undefined) continue
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(example))
    if (place === 'query') query.set(name, String(example))
  }
  return `${server.address}${filled}${query.size === 0 ? '' : `?${query}`}`
}

/** Asks as a generated client would, and holds the answer against the document's own schema. */
async function drive(path: string, address: string, accept: string): Promise<unknown> {
  const answer = await fetch(address, { headers: { accept } })
  const declared = operationAt(path).responses[String(answer.status)]
  const mediaType = answer.headers.get('content-type')?.split(';')[0] ?? ''
  expect([address, answer.status, declared?.content?.[mediaType] === undefined ? 'undeclared' : 'declared']).toEqual([
    address,
    200,
    'declared',
  ])
  expect([address, unnamed(answer, declared?.headers)]).toEqual([address, []])
  const text = await answer.text()
  expect(text.length).toBeGreaterThan(0)
  if (mediaType !== 'application/json') return text
  const body: unknown = JSON.parse(text)
  const schema = declared?.content?.[mediaType]?.schema ?? {}
  const reference = schema.$ref
  const isValid = ajv.validate(typeof reference === 'string' ? { $ref: `tollbook:api${reference}` } : schema, body)
  expect([address, isValid, ajv.errors]).toEqual([address, true, null])
  return body
}

/** Headers that a program may go on with. */
const TELLING = ['ETag', 'Link', 'Location', 'Retry-After']

const unnamed = (answer: Response, headers: Readonly<Record<string, unknown>> = {}): string[] =>
  TELLING.filter((name) => answer.headers.has(name) && !Object.hasOwn(headers, name))

describe('a client that knows nothing but the OpenAPI document', () => {
  it.each(GETS.map(({ path }) => path))('gets from %s what the document says', async (path) => {
    const { parameters, responses } = operationAt(path)
    // A message is of `text` or of `text_sha256`: one of two is more than OpenAPI can say.
    const needed = parameters.filter(({ required, name }) => required || name === 'text')
    const mediaTypes = Object.keys(responses['200']?.content ?? {}).filter((type) => type !== 'text/event-stream')
    for (const mediaType of mediaTypes) await drive(path, addressOf(path, needed), mediaType)
    // Every other parameter that has an example, alone.
    for (const parameter of parameters.filter((one) => !needed.includes(one) && one.name !== 'format')) {
      if (parameter.example !== undefined) await drive(path, addressOf(path, [...needed, parameter]), '*/*')
    }
  })

  it.each(GETS.map(({ path }) => path))('is told how %s answers what is known or wrong', async (path) => {
    const { parameters, responses } = operationAt(path)
    const needed = parameters.filter(({ required, name }) => required || name === 'text')
    const etag = (await fetch(addressOf(path, needed))).headers.get('etag')
    const said = [Object.hasOwn(responses['200']?.headers ?? {}, 'ETag'), '304' in responses]
    expect(said).toEqual([etag !== null, etag !== null])
    if (etag !== null) {
      const again = await fetch(addressOf(path, needed), { headers: { 'if-none-match': etag } })
      expect(again.status).toBe(304)
      expect(unnamed(again, responses['304']?.headers)).toEqual([])
    }
    for (const { name } of parameters.filter((one) => one.in === 'query')) {
      const address = new URL(addressOf(path, needed))
      for (const value of ['a', 'b']) address.searchParams.append(name, value)
      expect([name, (await fetch(address)).status, '400' in responses]).toEqual([name, 400, true])
    }
  })

  it('gets problems as the document describes them', async () => {
    for (const path of ['/v1/hosts/unknown.example.org', '/v1/hosts/127.0.0.1', '/v1/reviews/none', '/nowhere']) {
      const answer = await fetch(`${server.address}${path}`)
      expect(answer.headers.get('content-type')).toContain('application/problem+json')
      const body = await answer.json()
      expect(ajv.validate({ $ref: 'tollbook:api#/components/schemas/Problem' }, body)).toBe(true)
    }
  })

  it('gets the routes that a review may have meant as the document describes them', async () => {
    const review = { url: 'https://api.example.com/v1/xy', method: 'GET', rail: 'x402', rating: 5, text: 'As listed.' }
    const body = JSON.stringify(review)
    const send = (accept: string) =>
      fetch(`${server.address}/v1/reviews`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept },
        body,
      })
    const answer = await send('application/json')
    const problem = await answer.json()
    const near = { method: 'GET', url: 'https://api.example.com/v1/x', rail: 'x402' }
    expect([answer.status, problem]).toMatchObject([404, { near_matches: expect.arrayContaining([near]) }])
    expect(ajv.validate({ $ref: 'tollbook:api#/components/schemas/Problem' }, problem)).toBe(true)
    expect(await (await send('text/html')).text()).toContain('<code>GET https://api.example.com/v1/x</code> on x402')
  })

  it('is told the price of a post by 402 or that the rail is not set up, and is never charged', async () => {
    for (const path of ['/v1/thread/{host}', '/mpp/v1/thread/{host}']) {
      const body = document.paths[path]?.post?.requestBody?.content['application/json']?.example
      const answer = await fetch(`${server.address}${path.replace('{host}', 'api.example.com')}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      expect(answer.status).toBe(503)
      expect(await answer.json()).toMatchObject({ charged: false, hint: expect.any(String) })
    }
  })
})

/** Parses, and holds what the schema knows against all that was sent: a member without a schema is a difference. */
async function strictly(name: ComponentName, address: string): Promise<unknown> {
  const body: unknown = await (await fetch(`${server.address}${address}`)).json()
  const schema: z.ZodType = COMPONENTS[name]
  expect([address, schema.parse(body)]).toEqual([address, body])
  return body
}

describe('every JSON answer', () => {
  const HOST = 'api.example.com'
  const ROUTE = 'method=GET&url=https%3A%2F%2Fapi.example.com%2Fv1%2Fx&rail=x402'
  it.each<[ComponentName, string]>([
    ['Hosts', '/v1/hosts'],
    ['Hosts', '/v1/hosts?limit=1'],
    ['Hosts', '/?format=json&q=example'],
    ['HostView', `/v1/hosts/${HOST}`],
    ['HostView', `/v1/hosts/${HOST}?view=cards`],
    ['HostView', `/hosts/${HOST}?format=json&q=v1`],
    ['HostView', `/v1/hosts/${LARGE}`],
    ['HostView', `/v1/hosts/${QUIET}`],
    ['Routes', `/v1/hosts/${LARGE}/routes?limit=2`],
    ['Probes', `/v1/hosts/${HOST}/probes`],
    ['Reviews', `/v1/hosts/${HOST}/reviews`],
    ['Thread', `/v1/thread/${HOST}`],
    ['Statements', `/v1/hosts/${HOST}/statements`],
    ['StatementPage', `/v1/statements/f0e1d2c3b4a5968778695a4b3c2d1e0f`],
    ['ClaimMessage', `/v1/claims/message?host=${HOST}&wallet=0x1111111111111111111111111111111111111111`],
    ['RoutePage', `/hosts/${HOST}/route?method=GET&path=%2Fv1%2Fx&rail=x402&format=json`],
    ['RoutePage', `/hosts/${HOST}/route?method=GET&path=%2Fv1%2Fx&rail=x402&format=json&limit=1`],
    ['Decision', `/v1/decide?${ROUTE}`],
    ['Decision', `/v1/decide?method=GET&url=https%3A%2F%2F${QUIET}%2Fv1%2Fcity%2Fparis&rail=x402`],
    ['ReviewPage', '/v1/reviews/verified'],
    ['ReviewPage', '/v1/reviews/unsigned'],
    ['ReviewPage', '/v1/reviews/hidden'],
    ['PostPage', '/v1/posts/hidden'],
    ['SigningMessage', `/v1/thread/${HOST}/message?text=hello`],
    ['SigningMessage', `/v1/reviews/message?${ROUTE}&rating=4&text=hello`],
    ['Policy', '/v1/policy'],
    ['EvidenceLog', '/log?format=json'],
    ['Sources', '/v1/sources'],
    ['SourcePage', '/v1/sources/bazaar'],
    ['ListingHistory', `/v1/hosts/${HOST}/listing-history`],
    ['ListingHistory', `/hosts/${LARGE}/listing-history?format=json&limit=2`],
    ['Why', `/v1/hosts/${HOST}/why?path=%2Fv1%2Fx`],
    ['Why', '/hosts/unknown.example.org/why?format=json'],
    ['Events', '/v1/events?format=json'],
    ['Badge', `/hosts/${HOST}/badge.json`],
    ['ProblemKinds', '/problems?format=json'],
    ['ProblemKind', '/problems/unknown-host?format=json'],
    ['Problem', '/v1/hosts/unknown.example.org'],
    ['Alive', '/healthz'],
    ['Ready', '/readyz'],
  ])('has exactly the members of %s: %s', async (name, address) => {
    expect(await strictly(name, address)).toBeTypeOf('object')
  })

  it.each(['api.example.com', 'unknown.example.org'])(
    'of an offer for %s has exactly the members of its schema',
    async (host) => {
      const example = document.paths['/v1/decide']?.post?.requestBody?.content['application/json']?.example
      const answer = await fetch(`${server.address}/v1/decide`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(example).replace('api.example.com', host),
      })
      const body: unknown = await answer.json()
      expect(answer.status).toBe(200)
      expect(COMPONENTS.Judgement.parse(body)).toEqual(body)
    },
  )

  it('of a submitted review has exactly the members of its schema', async () => {
    const example = document.paths['/v1/reviews']?.post?.requestBody?.content['application/json']?.example
    const answer = await fetch(`${server.address}/v1/reviews`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(example),
    })
    const body: unknown = await answer.json()
    expect(answer.status).toBe(201)
    expect(COMPONENTS.ReviewPage.parse(body)).toEqual(body)
  })
})
