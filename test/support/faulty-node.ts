import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/**
 * What the node's callers meet. `send` is the call that broadcasts a transaction: it reaches the node in the last two,
 * and only its answer is lost.
 */
export type Fault = 'none' | 'down' | 'hang' | 'reset after send' | 'hang after send'

export interface FaultyNode {
  readonly url: string
  fault: Fault
  /** Names of the calls that reached the node, in order. */
  readonly calls: string[]
  stop(): Promise<void>
}

/** Stands before a JSON-RPC node and can be cut at any time. */
export async function startFaultyNode(nodeUrl: string): Promise<FaultyNode> {
  const calls: string[] = []
  const server = createServer((call, answer) => {
    // A node that has gone takes its callers' connections with it.
    pass(call, answer).catch(() => call.socket.destroy())
  })
  const pass = async (call: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const body = await text(call)
    const method = /"method":"(\w+)"/.exec(body)?.[1] ?? ''
    const isSend = method.startsWith('eth_sendRawTransaction')
    if (node.fault === 'down') return void call.socket.destroy()
    if (node.fault === 'hang') return
    calls.push(method)
    const reply = await ask(nodeUrl, body)
    if (isSend && node.fault === 'hang after send') return
    if (isSend && node.fault === 'reset after send') return void call.socket.destroy()
    answer.writeHead(200, { 'content-type': 'application/json' }).end(reply)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const node: FaultyNode = {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    fault: 'none',
    calls,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return node
}

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === 'object' && address !== null ? address.port : 0

function ask(url: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    request(url, { method: 'POST', headers }, (answer) => void text(answer).then(resolve, reject))
      .once('error', reject)
      .end(body)
  })
}
