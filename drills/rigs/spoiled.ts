import type { Endpoint } from '../../src/http/endpoint.ts'
import type { Parameter } from '../../src/http/openapi/operation.ts'
import type { Seeded } from '../../test/crash/seeded.ts'
import type { RawRequest } from './raw-request.ts'
import { spoiledBodies } from './spoiled-bodies.ts'

/** Values that no parameter can have, or that somebody may hope one has. */
const VALUES = [
  ...[
    '',
    '+',
    '0',
    '-1',
    '1e999',
    '9'.repeat(400),
    'null',
    '[]',
    '{}',
    '*',
    'a,b,,c',
    'a'.repeat(300),
    'a'.repeat(4200),
  ],
  ...['%00', '%0a', '%0d%0aX:%20y', '%ff', '%ed%a0%80', '%E2%80%AE', '%F0%9F%92%A9', '%25', '%', '%zz'],
  ...['..%2f..%2fetc%2fpasswd', '__proto__', 'constructor', "';drop%20table%20hosts;--", '%3Cscript%3E', '$%7Bx%7D'],
  ...['localhost', '127.0.0.1', '[::1]', '0x7f.1', 'xn--', 'a..b', '.', 'api.example.com:99999', 'API.EXAMPLE.COM'],
]
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'BREW', 'get']
const HEADERS: readonly (readonly [string, string])[] = [
  ['Accept', ';;q=,'],
  ['Accept', 'image/png'],
  ['Accept', 'application/json;q=9'],
  ['Accept-Encoding', 'identity;q=0, *;q=0'],
  ['If-None-Match', '"'.repeat(2000)],
  ['Last-Event-ID', 'nonsense'],
  ['Content-Length', '-1'],
  ['Content-Length', '5, 5'],
  ['Transfer-Encoding', 'gzip, chunked'],
  ['Transfer-Encoding', 'chunked'],
  ['Expect', 'wonders'],
  ['Upgrade', 'h2c'],
  ['Host', 'second.example'],
  ['X-Request-Id', '\u00ff'.repeat(300)],
  ['X-Long', 'x'.repeat(40_000)],
  ['Forwarded', 'for="[::1]"'],
  ['X-Forwarded-For', '1.2.3.4, not-an-address'],
  ['Range', 'bytes=9-1'],
  ['Origin', 'null'],
  ['Cookie', 'a=b'],
]
const CREDENTIALS = [
  'garbage',
  '',
  'e30=',
  'bnVsbA==',
  'W10=',
  'eyJ4NDAyVmVyc2lvbiI6Mn0=',
  'Payment e30',
  'x'.repeat(20_000),
]

const BASE: readonly (readonly [string, string])[] = [
  ['Host', 'tollbook.example'],
  ['Accept', 'application/json, text/event-stream'],
  ['Connection', 'close'],
]
const JSON_TYPE = ['Content-Type', 'application/json'] as const

/** The address of an endpoint by its own examples, with some parameters as they should not be. */
function targetOf({ path, parameters = [] }: Endpoint, changed: ReadonlyMap<string, string> = new Map()): string {
  const value = ({ name, example }: Parameter): string => changed.get(name) ?? encodeURIComponent(example ?? 'x')
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, parameter) => text.replace(`{${parameter.name}}`, value(parameter)), path as string)
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && (parameter.required || changed.has(parameter.name)))
    .map((parameter) => `${parameter.name}=${value(parameter)}`)
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`
}

const withBody = (body: Buffer | null): RawRequest['headers'] =>
  body === null ? [] : [JSON_TYPE, ['Content-Length', String(body.byteLength)]]

/** Every way in which an endpoint is asked wrongly, one fault at a time; then `extra` with several at once. */
export function spoiledRequests(endpoint: Endpoint, extra: number, random: Seeded): RawRequest[] {
  const { method, path, parameters = [], body } = endpoint
  const verb = method.toUpperCase()
  const good = body === undefined ? null : Buffer.from(JSON.stringify(body.example ?? {}))
  const request = (what: string, more: Partial<RawRequest> = {}): RawRequest => {
    const sent = more.body === undefined ? good : more.body
    const headers = [...BASE, ...(more.headers ?? withBody(sent))]
    return { method: verb, target: targetOf(endpoint), ...more, body: sent, headers, what: `${verb} ${path}: ${what}` }
  }
  const written = parameters.filter(({ in: place }) => place !== 'header')
  const spoiled = [
    ...METHODS.filter((other) => other !== verb).map((other) => request(`as ${other}`, { method: other })),
    ...written.flatMap(({ name }) =>
      VALUES.map((value) =>
        request(`${name}=${value.slice(0, 20)}`, { target: targetOf(endpoint, new Map([[name, value]])) }),
      ),
    ),
    ...written.map(({ name }) => request(`${name} twice`, { target: `${targetOf(endpoint)}?${name}=a&${name}=b` })),
    request('an unknown parameter', { target: `${targetOf(endpoint)}?unknown[]=1&__proto__=2` }),
    ...HEADERS.map((header) => request(header.join(' ').slice(0, 30), { headers: [...withBody(good), header] })),
    ...parameters
      .filter(({ isCredential }) => isCredential)
      .flatMap(({ name }) =>
        CREDENTIALS.map((value) =>
          request(`${name}: ${value.slice(0, 20)}`, { headers: [...withBody(good), [name, value]] }),
        ),
      ),
    ...spoiledBodies(body?.example).map(({ what, bytes, headers }) =>
      request(what, { body: bytes, headers: headers ?? withBody(bytes) }),
    ),
  ]
  const pick = <T>(list: readonly T[], otherwise: T): T => list[random.between(0, list.length - 1)] ?? otherwise
  const mixed = Array.from({ length: extra }, (_, n) => {
    const target = targetOf(endpoint, new Map(written.map(({ name }) => [name, pick(VALUES, '')])))
    const { body, method } = pick(spoiled, request(''))
    const headers = [...withBody(body), ...Array.from({ length: random.between(0, 3) }, () => pick(HEADERS, JSON_TYPE))]
    return request(`several at once ${n}`, { target, body, method, headers })
  })
  return [...spoiled, ...mixed]
}
