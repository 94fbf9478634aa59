import { connect, type Socket } from 'node:net'
import { AnswerReader } from './answer-reader.ts'

export interface Load {
  /** On 127.0.0.1, the only place where load is ever sent. */
  readonly port: number
  /** Whole requests, sent in turn, again and again. */
  readonly request: string | readonly string[]
  /** What every answer must have. */
  readonly status: number
  /** Each has one request under way. */
  readonly connections: number
  readonly ms: number
}

export interface Loaded {
  /** Whole answers. */
  readonly answers: number
  /** Of heads and bodies, in those answers and any cut off at the end. */
  readonly bytes: number
  readonly ms: number
  /** What the client itself used. */
  readonly cpuMs: number
}

const READ_BYTES = 256 * 1024

/** Sends requests over raw sockets for some time: a client several times cheaper than the servers it measures. */
export async function load({ port, request, status, connections, ms }: Load): Promise<Loaded> {
  const texts = typeof request === 'string' ? [request] : request
  const requests = texts.map((text) => Buffer.from(text, 'latin1'))
  let sent = 0
  const send = (socket: Socket): void => {
    socket.write(requests[sent++ % requests.length] ?? '')
  }
  let [answers, bytes] = [0, 0]
  let stopped = false
  let fail: (error: Error) => void = () => undefined
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  const open = (): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const reader = new AnswerReader(status)
      const callback = (length: number, buffer: Uint8Array): boolean => {
        if (stopped) return true
        bytes += length
        try {
          const ended = reader.take(Buffer.from(buffer.buffer, buffer.byteOffset, buffer.byteLength), length)
          if (ended > 0) send(socket)
          answers += ended
        } catch (error) {
          fail(error instanceof Error ? error : new Error(String(error)))
        }
        return true
      }
      const socket = connect({
        port,
        host: '127.0.0.1',
        noDelay: true,
        onread: { buffer: Buffer.allocUnsafeSlow(READ_BYTES), callback },
      })
      socket.once('connect', () => resolve(socket))
      socket.once('error', reject)
      socket.once('close', () => {
        if (!stopped) fail(new Error('the server closed a connection'))
      })
    })
  const sockets = await Promise.all(Array.from({ length: connections }, open))
  for (const socket of sockets) socket.on('error', fail)
  const [started, cpu] = [performance.now(), process.cpuUsage()]
  for (const socket of sockets) send(socket)
  const ended = new Promise<void>((resolve) => setTimeout(resolve, ms))
  try {
    await Promise.race([ended, failed])
    const used = process.cpuUsage(cpu)
    return { answers, bytes, ms: performance.now() - started, cpuMs: (used.user + used.system) / 1000 }
  } finally {
    stopped = true
    for (const socket of sockets) socket.destroy()
  }
}
