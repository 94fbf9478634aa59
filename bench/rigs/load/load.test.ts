import { createServer, type RequestListener, type Server } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { listenOnLoopback } from '../loopback.ts'
import { load } from './load.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

function listening(answer: RequestListener): Promise<number> {
  const server = createServer(answer)
  servers.push(server)
  return listenOnLoopback(server)
}

const request = 'GET /page HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'

describe('load', () => {
  it('counts the answers that a real server gave, at most one under way on each connection', async () => {
    let [given, underWay, most] = [0, 0, 0]
    const port = await listening((_, response) => {
      underWay += 1
      most = Math.max(most, underWay)
      setImmediate(() => {
        underWay -= 1
        given += 1
        response.writeHead(200, { 'Content-Length': '100000' }).end(Buffer.alloc(100_000))
      })
    })
    const { answers, bytes } = await load({ port, request, status: 200, connections: 4, ms: 200 })
    expect(answers).toBeGreaterThan(0)
    expect(answers).toBeLessThanOrEqual(given)
    expect(most).toBeLessThanOrEqual(4)
    expect(bytes).toBeGreaterThan(answers * 100_000)
  })

  it('sends several requests in turn', async () => {
    const asked: string[] = []
    const port = await listening((incoming, response) => {
      asked.push(incoming.url ?? '')
      response.writeHead(200, { 'Content-Length': '0' }).end()
    })
    const requests = ['/a', '/b', '/c'].map((path) => request.replace('/page', path))
    await load({ port, request: requests, status: 200, connections: 1, ms: 100 })
    expect(asked.slice(0, 4)).toEqual(['/a', '/b', '/c', '/a'])
  })

  it('fails when the server answers something else or hangs up', async () => {
    const busy = await listening((_, response) => response.writeHead(503, { 'Content-Length': '0' }).end())
    await expect(load({ port: busy, request, status: 200, connections: 2, ms: 5000 })).rejects.toThrow('answered 503')
    const rude = await listening((_, response) => response.socket?.destroy())
    await expect(load({ port: rude, request, status: 200, connections: 2, ms: 5000 })).rejects.toThrow('closed')
  })
})
