import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { PostRequest } from '../../acts/posts/threads.ts'
import { ask, exchange, MemoryDirectory, problemIn, startSample, statusIn, UNSET_THREADS } from '../testing/samples.ts'
import { HOST, HOST_PATH, serveWeather } from '../testing/weather.ts'

const { web } = await serveWeather()

describe('a slow client', () => {
  it('is not one to which a busy server has not listened', async () => {
    const socket = connect(web.port, '127.0.0.1')
    const answer = new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(String(chunk))))
    // Whoever came before is known by then.
    await ask(web.port, '/healthz')
    await new Promise((resolve) => setImmediate(resolve))
    socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_500)
    expect(statusIn(await answer)).toBe(200)
    socket.destroy()
  })

  it('is told so and let go when its headers do not arrive', async () => {
    const answer = await exchange(web.port, 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow:')
    expect(statusIn(answer)).toBe(408)
    expect(problemIn(answer)).toMatchObject({ status: 408 })
  })

  it('is told so when its body does not arrive, with what became of its money, and what comes later is not acted on', async () => {
    const posted: string[] = []
    const threads = { ...UNSET_THREADS, post: async ({ host }: PostRequest) => unreachable(posted, host) }
    const slow = new MemoryDirectory()
    slow.put(HOST)
    slow.hostView = () => new Promise(() => undefined)
    const other = await startSample({ directory: slow, threads })
    const head = (target: string, more = '') =>
      `POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 12\r\n${more}\r\n{"te`
    const [paid, free, review, behind] = await Promise.all([
      slowly(other.port, head(`/v1/thread/${HOST}`, 'PAYMENT-SIGNATURE: abc\r\n'), 'xt":"x"}'),
      slowly(other.port, head(`/mpp/v1/thread/${HOST}`), 'xt":"x"}'),
      slowly(other.port, head('/v1/reviews', 'Expect: 100-continue\r\n'), 'xt":"x"}'),
      slowly(other.port, `GET ${HOST_PATH} HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nX-Slow:`, ''),
    ])
    for (const answer of [paid, free]) {
      expect(statusIn(answer)).toBe(408)
      expect(answer).toMatch(/\r\nconnection: close\r\n/i)
      expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
    }
    expect(problemIn(paid)).toMatchObject({ status: 408, charged: 'pending', hint: expect.stringMatching(/very same/) })
    expect(problemIn(free)).toMatchObject({ status: 408, charged: false, request_id: expect.any(String) })
    const [, said = ''] = review.split('HTTP/1.1 100 Continue\r\n\r\n')
    expect([statusIn(said), problemIn(said).charged]).toEqual([408, undefined])
    // The first of its two requests came in full: no answer to the second may be taken for its own.
    expect(behind).toBe('')
    expect(posted).toEqual([])
    await other.drain(1000)
  })
})

function unreachable(posted: string[], host: string): never {
  posted.push(host)
  throw new Error('nobody should have been asked')
}

/** Sends a part of a request, and the rest as soon as something is said about it. */
const slowly = (port: number, part: string, rest: string): Promise<string> =>
  new Promise((resolve) => {
    let said = ''
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.write(part))
    socket.setEncoding('utf8')
    socket.on('error', () => undefined)
    socket.on('data', (text) => {
      said += text
      if (said.includes(' 408 ')) socket.end(rest)
    })
    socket.on('close', () => resolve(said))
    socket.on('end', () => socket.end())
  })
