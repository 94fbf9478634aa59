import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { IdleSockets } from './idle-sockets.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

async function world(isAnswering: (socket: Socket) => boolean = () => false, nowMs = () => performance.now()) {
  const server: Server = createServer()
  let heard = ''
  let looks = 0
  const atLook = (): number => {
    looks++
    return nowMs()
  }
  const idle = new IdleSockets(isAnswering, atLook, { everyMs: 10, afterMs: 100 })
  server.on('connection', (socket) => {
    idle.add(socket)
    socket
      .on('error', () => undefined)
      .on('data', (chunk) => {
        heard += chunk
      })
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
  /** Counted: on a busy machine looks come late, and one alone does not see that nothing came since the one before. */
  const someLooks = async (): Promise<void> => {
    const before = looks
    await expect.poll(() => looks - before, { interval: 5 }).toBeGreaterThan(3)
  }
  return { idle, open, heard: () => heard, someLooks }
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

  it('is kept for as long after an answer that ended while nobody could look', async () => {
    let [isAnswering, nowMs] = [true, 0]
    const { open, someLooks } = await world(
      () => isAnswering,
      () => nowMs,
    )
    const socket = await open()
    socket.write('x')
    await someLooks()
    isAnswering = false
    nowMs = 200
    await someLooks()
    expect(socket.closed).toBe(false)
    nowMs = 300
    await once(socket.resume(), 'close')
  })

  it('is kept when a request came in time that a busy program has not read yet', async () => {
    let nowMs = 0
    const { open, heard, someLooks } = await world(undefined, () => nowMs)
    const socket = await open()
    socket.write('x')
    await expect.poll(heard).toBe('x')
    await someLooks()
    // From here on timers come first, before what has arrived.
    await new Promise((resolve) => setImmediate(resolve))
    socket.write('y')
    nowMs = 100
    const busyUntilMs = performance.now() + 30
    while (performance.now() < busyUntilMs);
    await someLooks()
    expect([heard(), socket.closed]).toEqual(['xy', false])
    nowMs = 200
    await once(socket.resume(), 'close')
  })
})
