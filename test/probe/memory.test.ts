import { fork } from 'node:child_process'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { RawServers } from '../../src/probe/testing/raw-servers.ts'
import type { MemoryOrder, MemoryReport } from './memory-child.ts'

const IN_PARALLEL = 100
const DEADLINE_MS = 1_500
const MOST_MB = 50

const raw = new RawServers()
afterEach(() => raw.close())
const listen = raw.speaking.bind(raw)

/** Says these bytes first, then the others as fast as they are taken, for ever. */
const endless = (first: string, piece: string | Uint8Array): Promise<number> =>
  listen((socket) => {
    socket.write(first)
    const more = (): void => {
      while (!socket.destroyed && socket.write(piece));
    }
    socket.on('drain', more)
    more()
  })

const calm = (): Promise<number> => {
  const body = JSON.stringify({ x402Version: 1, accepts: [], error: 'x'.repeat(20_000) })
  return listen((socket) => socket.end(`HTTP/1.1 402 X\r\nContent-Length: ${body.length}\r\n\r\n${body}`))
}

/** Asks them all from a process of its own, so that nothing but the asking is measured. */
function report(order: MemoryOrder): Promise<MemoryReport> {
  const child = fork('dist/test/probe/memory-child.js', { execArgv: ['--expose-gc'] })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the asking process ended with ${code}`)))
    child.once('message', (found: MemoryReport) => {
      resolve(found)
      child.disconnect()
    })
    child.send(order)
  })
}

const CHUNKED = 'HTTP/1.1 402 Payment Required\r\nTransfer-Encoding: chunked\r\n\r\n'
const BOMB = 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 100000000\r\n\r\n'

describe(`${IN_PARALLEL} hostile answers at once`, () => {
  it.each([
    ['chunks without end', CHUNKED, `4000\r\n${'y'.repeat(0x4000)}\r\n`, null],
    ['a body without end', 'HTTP/1.1 200 OK\r\n\r\n', 'z'.repeat(65_536), null],
    ['a compressed bomb', BOMB, gzipSync(Buffer.alloc(10_000_000)), null],
    ['headers without end', 'HTTP/1.1 402 X\r\n', `X-Filler: ${'a'.repeat(200)}\r\n`.repeat(100), 'headers_overflow'],
    ['one header without end', 'HTTP/1.1 402 X\r\nv: ', 'a'.repeat(65_536), 'headers_overflow'],
    ['informational answers without end', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(500), 'headers_overflow'],
    ['trailers without end', `${CHUNKED}0\r\n`, 'a:\r\n'.repeat(2_000), 'protocol_error'],
  ])('with %s make memory grow by less than 50 MB', async (_, first, piece, error) => {
    const port = await endless(first, piece)
    const calmPort = await calm()
    const found = await report({ port, calmPort, inParallel: IN_PARALLEL, deadlineMs: DEADLINE_MS })
    // A machine that is busy with other things may let a deadline pass before the bound is reached.
    expect(found.errors.filter((each) => each !== error && each !== 'deadline')).toEqual([])
    expect(found.grownMb).toBeLessThan(MOST_MB)
  })
})
