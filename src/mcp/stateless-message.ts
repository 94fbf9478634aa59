import { z } from 'zod'

/** The revision of the protocol without a handshake: each request says of itself what the handshake said. */
export const STATELESS_VERSION = '2026-07-28'

/** What stands in `_meta` under the protocol's own names. */
const own = <N extends string>(name: N) => `io.modelcontextprotocol/${name}` as const
export const META_VERSION = own('protocolVersion')
export const META_CAPABILITIES = own('clientCapabilities')
export const META_SERVER = own('serverInfo')

// Codes of the protocol and of JSON-RPC.
export const INVALID_PARAMS = -32_602
export const METHOD_NOT_FOUND = -32_601
export const HEADER_MISMATCH = -32_020
export const UNSUPPORTED_VERSION = -32_022

const request = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int()]),
  method: z.string(),
  params: z.looseObject({ _meta: z.record(z.string(), z.unknown()).optional() }).optional(),
})
export type StatelessRequest = z.infer<typeof request>

/** A request of that revision, or of a later one; `undefined` for one of a revision with a handshake, and for whatever else. */
export function statelessRequest(
  message: unknown,
  older: readonly string[],
  header: string | null = null,
): StatelessRequest | undefined {
  const read = request.safeParse(message)
  if (!read.success) return undefined
  if (header === STATELESS_VERSION) return read.data
  const named = versionIn(read.data)
  return named === undefined || older.some((version) => version === named) ? undefined : read.data
}

export const versionIn = ({ params }: StatelessRequest): unknown => params?._meta?.[META_VERSION]

/** What a request is about, where its method has such a thing: the header `Mcp-Name` says it, too. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'resources/read': 'uri',
  'prompts/get': 'name',
}

function nameIn({ method, params }: StatelessRequest): string | undefined {
  const name = params?.[NAMED_BY[method] ?? '']
  return typeof name === 'string' ? name : undefined
}

const ENCODED = /^=\?base64\?(.*)\?=$/s
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

const encoded = (text: string): string =>
  PLAIN.test(text) && !ENCODED.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`

function decoded(text: string): string {
  const inside = ENCODED.exec(text)?.[1]
  return inside === undefined ? text : Buffer.from(inside, 'base64').toString()
}

/** The headers that a request goes with, over HTTP. */
export function headersOf(message: StatelessRequest): Record<string, string> {
  const [version, name] = [versionIn(message), nameIn(message)]
  return {
    ...(typeof version === 'string' && { 'MCP-Protocol-Version': version }),
    'Mcp-Method': encoded(message.method),
    ...(name !== undefined && { 'Mcp-Name': encoded(name) }),
  }
}

/** Why headers are not those of the request, or `undefined`. */
export function headerFault(message: StatelessRequest, headers: Headers): string | undefined {
  const version = versionIn(message)
  const due: [name: string, said: unknown][] = [
    ['MCP-Protocol-Version', version],
    ['Mcp-Method', message.method],
    ['Mcp-Name', nameIn(message)],
  ]
  for (const [name, said] of due) {
    const value = headers.get(name)
    if (said === undefined || typeof said !== 'string') continue
    if (value === null) return `the header ${name} is missing`
    if ((name === 'Mcp-Name' ? decoded(value) : value) !== said) return `the header ${name} is not what the body says`
  }
  return undefined
}
