import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { IdleSockets } from './idle-sockets.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

async function world(isAnswering: (socket: Socket) => boolean = () => false) {
  const server: Server = createServer()
  const idle = new IdleSockets(isAnswering, () => performance.now(), { everyMs: 10, afterMs: 100 })
  server.on('connection', (socket) => {
    idle.add(socket)
    socket.on('error', () => undefined).resume()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(
    () => server.close(),
    () => idle.end(),
  )
  const open = async (): Promise<Socket> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    ends.push(() => socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  return { idle, open }
}

const for300Ms = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 300))

describe('a connection on which nothing more is asked', () => {
  it('is ended, and forgotten', async () => {
    const { idle, open } = await world()
    const socket = await open()
    socket.write('x')
    await once(socket.resume(), 'close')
    await expect.poll(() => [...idle.open]).toEqual([])
  })

  it('is kept while something is said on it', async () => {
    const { open } = await world()
    const socket = await open()
    const talking = setInterval(() => socket.write('x'), 20)
    await for300Ms()
    clearInterval(talking)
    expect(socket.closed).toBe(false)
    await once(socket.resume(), 'close')
  })

  it('is kept while an answer is being made, and while it never said anything', async () => {
    const { open } = await world(() => true)
    const [waiting, silent] = [await open(), await open()]
    waiting.write('x')
    await for300Ms()
    expect([waiting.closed, silent.closed]).toEqual([false, false])
  })
})
