import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js'
import { createMcpServer, INITIALIZED_VERSIONS, instructionsOf, serverInfo } from './server.ts'
import {
  INVALID_PARAMS,
  META_CAPABILITIES,
  META_SERVER,
  METHOD_NOT_FOUND,
  STATELESS_VERSION,
  type StatelessRequest,
  UNSUPPORTED_VERSION,
  versionIn,
} from './stateless-message.ts'
import type { ToolDeps } from './tool-deps.ts'

/** An answer, and the HTTP status that the protocol has for it. */
export interface StatelessAnswer {
  readonly status: 200 | 400 | 404
  readonly document: JSONRPCMessage
}

const SUPPORTED = [STATELESS_VERSION, ...INITIALIZED_VERSIONS]

/** Tools change with the program alone. */
const FRESH_MS = 3_600_000
const CACHED = { ttlMs: FRESH_MS, cacheScope: 'public' } as const

/** Answers a request of the revision without a handshake; nothing is kept of it. */
export async function answerStateless(deps: ToolDeps, message: StatelessRequest): Promise<StatelessAnswer> {
  const { id, method, params } = message
  const version = versionIn(message)
  if (typeof version !== 'string') return refusal(message, INVALID_PARAMS, 'The _meta names no protocolVersion.')
  if (version !== STATELESS_VERSION) {
    const data = { supported: SUPPORTED, requested: version }
    return refusal(message, UNSUPPORTED_VERSION, 'Unsupported protocol version', data)
  }
  const capabilities = params?._meta?.[META_CAPABILITIES]
  if (typeof capabilities !== 'object' || capabilities === null)
    return refusal(message, INVALID_PARAMS, 'The _meta names no clientCapabilities.')
  const complete = (result: object, hints: object = {}): StatelessAnswer => ({
    status: 200,
    document: {
      jsonrpc: '2.0',
      id,
      result: { resultType: 'complete', ...result, ...hints, _meta: { [META_SERVER]: serverInfo(deps) } },
    },
  })
  switch (method) {
    case 'server/discover':
      return complete(
        { supportedVersions: SUPPORTED, capabilities: { tools: {} }, instructions: instructionsOf(deps) },
        CACHED,
      )
    case 'tools/list':
    case 'tools/call': {
      const answer = await askTools(deps, { jsonrpc: '2.0', id, method, ...(params && { params }) })
      if (!isJSONRPCResultResponse(answer)) return { status: 200, document: answer }
      return complete(answer.result, method === 'tools/list' ? CACHED : {})
    }
    default:
      return { ...refusal(message, METHOD_NOT_FOUND, 'Method not found'), status: 404 }
  }
}

/** What is wrong with a request, in the form of the protocol. */
export const refusal = (
  { id }: StatelessRequest,
  code: number,
  message: string,
  data?: Readonly<Record<string, unknown>>,
): StatelessAnswer => ({
  status: 400,
  document: { jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } },
})

/** One request to the tools. */
async function askTools(deps: ToolDeps, message: JSONRPCMessage): Promise<JSONRPCMessage> {
  const server = createMcpServer(deps)
  let answered: (answer: JSONRPCMessage) => void = () => undefined
  const answer = new Promise<JSONRPCMessage>((resolve) => {
    answered = resolve
  })
  const pipe: Transport = {
    start: async () => undefined,
    close: async () => undefined,
    send: async (said) => {
      if (isJSONRPCResultResponse(said) || isJSONRPCErrorResponse(said)) answered(said)
    },
  }
  await server.connect(pipe)
  try {
    pipe.onmessage?.(message)
    return await answer
  } finally {
    await server.close()
  }
}
