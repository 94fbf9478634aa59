import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { FULL_HOST, HOST } from '../../render/testing/sample-views.ts'
import { ask, MemoryDirectory, startSample } from '../testing/samples.ts'
import type { ServerOptions, WebServer } from './server.ts'

const open: WebServer[] = []
afterEach(async () => {
  for (const web of open.splice(0)) await web.drain(1000)
})

async function world(more: Partial<ServerOptions> = {}) {
  const directory = new MemoryDirectory()
  directory.put(HOST, FULL_HOST)
  const web = await startSample({ directory, stalledMs: 200, ...more })
  open.push(web)
  return { directory, web }
}

const request = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`

describe('a reader who does not read', () => {
  it.each([
    ['however much was asked for', ''],
    ['also of cached pages behind an answer that it had', request('/healthz')],
  ])('is let go, %s', async (_, first) => {
    const { web } = await world()
    await ask(web.port, `/hosts/${HOST}`)
    const socket = connect(web.port, '127.0.0.1', () => {
      socket.pause()
      socket.write(first + request(`/hosts/${HOST}`).repeat(3000))
    })
    const gone = new Promise<void>((resolve) => {
      socket.on('error', () => undefined)
      socket.on('close', () => resolve())
    })
    // A paused client learns that it was let go when it says something.
    const talking = setInterval(() => socket.write('\r\n'), 50)
    await gone
    clearInterval(talking)
    expect(socket.bytesRead).toBeLessThan(50_000_000)
    expect((await ask(web.port, '/healthz')).status).toBe(200)
  })

  it('is told apart from one whose answer takes long to make', async () => {
    const slow = new MemoryDirectory()
    slow.put(HOST)
    const view = slow.hostView.bind(slow)
    slow.hostView = async (host) => {
      await new Promise((resolve) => setTimeout(resolve, 700))
      return view(host)
    }
    const { web } = await world({ directory: slow })
    expect((await ask(web.port, `/hosts/${HOST}`)).status).toBe(200)
  })
})

describe('a client that leaves', () => {
  it('is no error in the log, and its line does not say 200', async () => {
    const slow = new MemoryDirectory()
    slow.put(HOST)
    let isAsked = (): void => undefined
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve
    })
    slow.hostView = async () => {
      isAsked()
      await new Promise((resolve) => setTimeout(resolve, 100))
      throw new Error('nobody is there any more')
    }
    const statuses: number[] = []
    const { web } = await world({ directory: slow, onAnswer: (_method, status) => statuses.push(status) })
    const socket = connect(web.port, '127.0.0.1', () => socket.write(request(`/hosts/${HOST}`)))
    await asked
    socket.destroy()
    await expect.poll(() => web.lines.filter((line) => line.includes('"request"'))).toHaveLength(1)
    await new Promise((resolve) => setTimeout(resolve, 150))
    const lines = web.lines.map((line) => JSON.parse(line))
    expect(lines.map(({ level, status, aborted }) => ({ level, status, aborted }))).toEqual([
      { level: 30, status: 499, aborted: true },
    ])
    expect(statuses).toEqual([499])
  })

  it('in the middle of its body is no error either', async () => {
    const { web } = await world()
    const head =
      'POST /v1/reviews HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{'
    const socket = connect(web.port, '127.0.0.1', () =>
      socket.write(head, () => setTimeout(() => socket.destroy(), 50)),
    )
    await expect.poll(() => web.lines.length).toBeGreaterThan(0)
    await new Promise((resolve) => setTimeout(resolve, 100))
    for (const line of web.lines) expect(JSON.parse(line)).toMatchObject({ level: 30 })
    expect(web.lines.join()).not.toContain('"status":200')
  })
})
