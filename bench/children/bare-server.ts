import { createServer } from 'node:http'
import { answering } from '../rigs/child.ts'
import { listenOnLoopback } from '../rigs/loopback.ts'

/** An answer as another server gave it. */
export interface BareAnswer {
  readonly status: number
  /** Flat list of names and values, in their order, without those that Node adds by itself. */
  readonly headers: readonly string[]
  readonly bodyBase64: string
  readonly keepAliveMs: number
}

let answer = { status: 503, headers: [''], body: Buffer.alloc(0) }

// The least that `node:http` can do: it looks at nothing of the request. Ending with an empty body would cost it double.
const server = createServer((_request, response) => {
  response.writeHead(answer.status, answer.headers)
  if (answer.body.length === 0) response.end()
  else response.end(answer.body)
})
const port = await listenOnLoopback(server)

answering<BareAnswer, { port: number }>(async ({ status, headers, bodyBase64, keepAliveMs }) => {
  answer = { status, headers: [...headers], body: Buffer.from(bodyBase64, 'base64') }
  server.keepAliveTimeout = keepAliveMs
  return { port }
})
