import { pipeline, type Readable, Transform, type Writable } from 'node:stream'
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { INVALID_REQUEST, notAMessage, PARSE_ERROR } from '../wire/bodies/json-rpc.ts'
import { bounded } from '../wire/bounded.ts'
import { createMcpServer, INITIALIZED_VERSIONS } from './server.ts'
import { answerStateless, refusal } from './stateless.ts'
import { headersOf, type StatelessRequest, statelessRequest } from './stateless-message.ts'
import type { ToolDeps } from './tool-deps.ts'

/** The two ends of a pipe to an MCP client. Nothing else may write to `output`. */
export interface Pipe {
  readonly input: Readable
  readonly output: Writable
}

/** Answers messages from the pipe until it ends. */
export async function mcpOnStdio(deps: ToolDeps, pipe: Pipe): Promise<void> {
  const server = createMcpServer(deps)
  const input = inWholeLines(pipe.input)
  const near = new StdioServerTransport(input, pipe.output)
  near.onerror = refusing(pipe, deps.onTrouble)
  const withHandshake = apart(near, async (message) => (await answerStateless(deps, message)).document, deps.onTrouble)
  const done = allAnswered(near, input)
  await server.connect(withHandshake)
  await done
  await server.close()
}

/** Hands messages from the pipe to a directory elsewhere, and its answers back, until the pipe ends. */
export async function bridgeStdio(to: URL, pipe: Pipe, onTrouble: (error: unknown) => void): Promise<void> {
  const input = inWholeLines(pipe.input)
  const near = new StdioServerTransport(input, pipe.output)
  const far: Transport = new StreamableHTTPClientTransport(to)
  const opening = new Set<string | number>()
  far.onmessage = (message: JSONRPCMessage) => {
    if (isJSONRPCResultResponse(message) && opening.delete(message.id)) {
      const { protocolVersion } = message.result
      if (typeof protocolVersion === 'string') far.setProtocolVersion?.(protocolVersion)
    }
    near.send(message).catch(onTrouble)
  }
  const withHandshake = apart(near, (message) => askElsewhere(to, message), onTrouble)
  withHandshake.onmessage = (message) => {
    if (isJSONRPCRequest(message) && isInitializeRequest(message)) opening.add(message.id)
    far.send(message).catch((error: unknown) => {
      onTrouble(error)
      if (!isJSONRPCRequest(message)) return
      const failure = { code: -32_000, message: failureOf(to, error) }
      near.send({ jsonrpc: '2.0', id: message.id, error: failure }).catch(onTrouble)
    })
  }
  near.onerror = refusing(pipe, onTrouble)
  const done = allAnswered(near, input)
  await far.start()
  await near.start()
  await done
  await Promise.all([near.close(), far.close()])
}

/** Answers requests of the revision without a handshake, and hands all other messages to what is connected to its answer. */
function apart(
  near: StdioServerTransport,
  answer: (message: StatelessRequest) => Promise<JSONRPCMessage>,
  onTrouble: (error: unknown) => void,
): Transport {
  const rest: Transport = {
    start: () => near.start(),
    close: () => near.close(),
    send: (message) => near.send(message),
  }
  near.onclose = () => rest.onclose?.()
  near.onmessage = (message) => {
    const stateless = statelessRequest(message, INITIALIZED_VERSIONS)
    if (stateless === undefined) rest.onmessage?.(message)
    else
      answer(stateless)
        .catch((error: unknown) => {
          onTrouble(error)
          const said = error instanceof Error ? error.message : 'No answer.'
          return refusal(stateless, INTERNAL_ERROR, said).document
        })
        .then((document) => near.send(document))
        .catch(onTrouble)
  }
  return rest
}

const INTERNAL_ERROR = -32_603

/** Of an answer; no more of it is read. */
const MOST_BYTES = 16_000_000

/** One request to a directory elsewhere, which keeps nothing of it either. */
async function askElsewhere(to: URL, message: StatelessRequest): Promise<JSONRPCMessage> {
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...headersOf(message),
  }
  const answer = await fetch(to, { method: 'POST', headers, body: JSON.stringify(message) }).catch((cause: unknown) => {
    throw new Error(`${to.origin} does not answer.`, { cause })
  })
  const text = await bounded(answer, MOST_BYTES).text()
  const document = jsonOf(text)
  const isAnswer = isJSONRPCResultResponse(document) || isJSONRPCErrorResponse(document)
  if (isAnswer && document.id === message.id) return document
  throw new Error(failureOf(to, new StreamableHTTPError(answer.status, text)))
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const LINE_FEED = 0x0a

/** What comes after the last line feed is a line, too: `printf` ends its one message without. */
function inWholeLines(input: Readable): Readable {
  let last: number | undefined = LINE_FEED
  const lines = new Transform({
    transform: (piece: Buffer, _encoding, done) => {
      last = piece.at(-1) ?? last
      done(null, piece)
    },
    flush: (done) => done(null, last === LINE_FEED ? null : '\n'),
  })
  // A pipe that breaks closes the lines as well, which ends the waiting.
  return pipeline(input, lines, () => undefined)
}

const problemSaid = z.object({ title: z.string(), detail: z.string(), hint: z.string() })

/** Why there is no answer, in the words of the directory where it refused. */
function failureOf({ origin }: URL, error: unknown): string {
  if (!(error instanceof StreamableHTTPError) || error.code === undefined) return `${origin} does not answer.`
  try {
    const { title, detail, hint } = problemSaid.parse(JSON.parse(error.message.slice(error.message.indexOf('{'))))
    return `${title}: ${detail} ${hint}`
  } catch {
    // A proxy in between answers in its own form.
    return `${origin} answered HTTP ${error.code}.`
  }
}

/** A line that is no message is answered in the form of the protocol; what else went wrong is somebody else's. */
const refusing =
  ({ output }: Pipe, onTrouble: (error: unknown) => void) =>
  (error: unknown): void => {
    const answer = (document: object) => output.write(`${JSON.stringify(document)}\n`)
    if (error instanceof SyntaxError) answer(notAMessage(PARSE_ERROR, 'The line is not JSON.'))
    else if (error instanceof z.core.$ZodError)
      answer(notAMessage(INVALID_REQUEST, 'The line is not one message of JSON-RPC; a batch is not taken.'))
    else onTrouble(error)
  }

/** How long answers that are still being made are waited for once the client sends nothing more. */
const MOST_WAIT_MS = 30_000

/** Resolves when the input has ended and every request that came in was answered. */
function allAnswered(transport: StdioServerTransport, input: Readable): Promise<void> {
  const open = new Set<string | number>()
  const { onmessage } = transport
  const send = transport.send.bind(transport)
  let isEnded = false
  return new Promise((resolve) => {
    const look = (): void => {
      if (isEnded && open.size === 0) resolve()
    }
    const end = (): void => {
      isEnded = true
      setTimeout(resolve, MOST_WAIT_MS).unref()
      look()
    }
    transport.onmessage = (message) => {
      if (isJSONRPCRequest(message)) open.add(message.id)
      onmessage?.(message)
    }
    transport.send = async (message) => {
      await send(message)
      if ('id' in message && message.id !== undefined && !('method' in message)) open.delete(message.id)
      look()
    }
    input.once('end', end)
    input.once('close', end)
  })
}
