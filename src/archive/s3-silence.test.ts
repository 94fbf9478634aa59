import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { temporaryFolder } from '../../test/support/engines.ts'
import { cleanEnvironment } from '../../test/support/program.ts'
import { digestOf } from './digest.ts'
import { s3Place } from './s3-place.ts'

const SILENT_MS = 500
const BYTES = 32 * 1024 * 1024
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

const placeAt = (port: number) =>
  s3Place({
    ...{ endpoint: `http://127.0.0.1:${port}`, bucket: 'b', prefix: '', keyId: 'k', secret: 's', region: 'r' },
    silentMs: SILENT_MS,
  })

/** Does one thing with each connection, and says nothing more. */
async function silentAfter(first: (socket: Socket) => void): Promise<number> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined))
    first(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Packets that open a connection are dropped, as by a firewall: it waits behind as many as the system keeps of a program that stands still. */
async function unreachable(): Promise<number> {
  const listens = `require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () {
    process.stdout.write(this.address().port + '\\n', () => process.kill(process.pid, 'SIGSTOP'))
  })`
  const child = spawn(process.execPath, ['-e', listens], { env: cleanEnvironment({}) })
  ends.push(() => child.kill('SIGKILL'))
  const [said] = await once(child.stdout, 'data')
  const port = Number(String(said))
  for (let n = 0; n < 4; n++) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    ends.push(() => socket.destroy())
  }
  await new Promise((resolve) => setTimeout(resolve, 200))
  return port
}

const NO_ANSWER = /cannot be asked: (?:the service does not answer|aborted)/

it.each([
  ['takes the question and says nothing', () => silentAfter((socket) => void socket.resume())],
  ['falls silent within its answer', () => silentAfter((socket) => void socket.resume().write(`${HEAD}[`))],
  ['cannot be reached, without a word', unreachable],
])('A service that %s is given up.', async (_, open) => {
  await expect(placeAt(await open()).read('manifest.json')).rejects.toThrow(NO_ANSWER)
})

it.each([
  ['takes half of a file', () => silentAfter((socket) => void socket.once('data', () => socket.pause()))],
  ['takes a file and says nothing', () => silentAfter((socket) => void socket.resume())],
])('A service that %s is given up.', async (_, open) => {
  const folder = temporaryFolder()
  ends.push(() => rmSync(folder, { recursive: true }))
  const local = join(folder, 'x.gz')
  writeFileSync(local, Buffer.alloc(BYTES, 1))
  const keeping = placeAt(await open()).keep('x.gz', local, await digestOf(local))
  await expect(keeping).rejects.toThrow(NO_ANSWER)
})
