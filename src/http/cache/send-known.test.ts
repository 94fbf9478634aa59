import { afterEach, describe, expect, it } from 'vitest'
import { HOST } from '../../render/testing/sample-views.ts'
import type { WebServer } from '../server/server.ts'
import { exchange, MemoryDirectory, startSample } from '../testing/samples.ts'

const open: WebServer[] = []
afterEach(async () => {
  for (const web of open.splice(0)) await web.drain(1000)
})

async function world(): Promise<WebServer> {
  const directory = new MemoryDirectory()
  directory.put(HOST)
  const web = await startSample({ directory })
  open.push(web)
  return web
}

const PAGE = `/hosts/${HOST}?format=md`
const request = (start: string, ...lines: string[]): string => [start, 'Host: a', ...lines, '', ''].join('\r\n')

/** Without what differs from one answer to the next, its lines in no order. */
const likeness = (answer: string): string[] =>
  answer
    .replace(/X-Request-Id: \S+/, 'X-Request-Id:')
    .replace(/Date: [^\r]+ GMT/, 'Date:')
    .split('\r\n')
    .sort()

const LAST = 'Connection: close'
const LAST_REQUEST = request('GET /healthz HTTP/1.1', LAST)

/** The answer on a connection that is kept, and the one to a request after it. */
const answers = async (web: WebServer, asked: string): Promise<string[]> =>
  (await exchange(web.port, asked + LAST_REQUEST)).split(/(?=HTTP\/1\.1 )/)

describe('a cached answer', () => {
  it('is the one that the application gives, to GET, HEAD and a client that has the page', async () => {
    const web = await world()
    const etag = /ETag: (\S+)/.exec(await exchange(web.port, request(`GET ${PAGE} HTTP/1.1`, LAST)))?.[1]
    for (const [start, ...lines] of [
      [`GET ${PAGE} HTTP/1.1`],
      [`HEAD ${PAGE} HTTP/1.1`],
      [`GET ${PAGE} HTTP/1.1`, `If-None-Match: ${etag}`],
    ]) {
      // An address that nobody asked for with these headers before, and again.
      const asked = request(start ?? '', ...lines, `Accept: text/${lines.length}-${start?.length}`)
      const [[first], [second, next]] = [await answers(web, asked), await answers(web, asked)]
      expect(likeness(second ?? '')).toEqual(likeness(first ?? ''))
      expect(second).toMatch(/^HTTP\/1\.1 (200 OK|304 Not Modified)\r\n/)
      expect(second).toContain('\r\nKeep-Alive: timeout=5\r\n')
      expect(next).toMatch(/"status":"ok"/)
    }
  })

  it('closes the connection where the client wants that, and says so', async () => {
    const web = await world()
    await exchange(web.port, request(`GET ${PAGE} HTTP/1.1`, LAST))
    for (const asked of [request(`GET ${PAGE} HTTP/1.1`, LAST), request(`GET ${PAGE} HTTP/1.0`)]) {
      const answer = await exchange(web.port, asked)
      expect(answer).toContain('\r\nConnection: close\r\n')
      expect(answer).not.toContain('Keep-Alive')
    }
  })

  it('has its own id each time, or the one that the client gave', async () => {
    const web = await world()
    const asked = request(`GET ${PAGE} HTTP/1.1`)
    await answers(web, asked)
    const given = request(`GET ${PAGE} HTTP/1.1`, 'X-Request-Id: mine')
    const text = await exchange(web.port, asked + asked + asked + given + LAST_REQUEST)
    const ids = [...text.matchAll(/X-Request-Id: (\S+)/g)].map(([, id]) => id)
    expect(ids).toHaveLength(5)
    expect(new Set(ids).size).toBe(5)
    expect(ids[3]).toBe('mine')
  })
})
