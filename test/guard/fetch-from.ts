import { connect } from 'node:net'
import { Agent, fetch as undiciFetch } from 'undici'

/** A whole fetch, which follows where it is led, to one port: whatever name is asked for, the sample sellers answer. */
export function fetchFrom(port: number): typeof fetch {
  const dispatcher = new Agent({
    connect: (_, callback) => {
      const socket = connect({ host: '127.0.0.1', port })
      socket.once('connect', () => callback(null, socket))
      socket.once('error', (error) => callback(error, null))
    },
  })
  // Undici's own fetch and the one of Node are the same program with two sets of types.
  return async (input, init) => {
    const request = new Request(input, init)
    const body = request.body === null ? null : Buffer.from(await request.arrayBuffer())
    const answer = await undiciFetch(request.url, {
      method: request.method,
      headers: [...request.headers],
      body,
      dispatcher,
    })
    const copy = new Response(await answer.arrayBuffer(), { status: answer.status, headers: [...answer.headers] })
    return Object.defineProperty(copy, 'url', { value: answer.url })
  }
}
