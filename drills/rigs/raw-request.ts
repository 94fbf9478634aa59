import { connect } from 'node:net'

/** A request as its bytes, so that nothing on this side sets right what is wrong with it. */
export interface RawRequest {
  /** What is wrong with it. */
  readonly what: string
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer | null
}

export interface RawAnswer {
  /** 0 when nobody answered. */
  readonly status: number
  readonly contentType: string
  readonly body: string
}

const DEADLINE_MS = 20_000

const bytesOf = ({ method, target, headers, body }: RawRequest): Buffer => {
  const lines = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), '', '']
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), body ?? Buffer.alloc(0)])
}

/** Sends it on a connection of its own and reads until that is closed; of a stream only the beginning. */
export function sendRaw(port: number, request: RawRequest): Promise<RawAnswer> {
  return new Promise((answered) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => socket.write(bytesOf(request)))
    const end = (): void => {
      clearTimeout(timer)
      socket.destroy()
      answered(answerIn(Buffer.concat(chunks).toString('latin1')))
    }
    const timer = setTimeout(end, DEADLINE_MS)
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      if (answerIn(chunk.toString('latin1')).contentType.includes('event-stream')) end()
    })
    // It may be told and cut off before it has said everything.
    socket.on('error', () => undefined)
    socket.once('close', end)
  })
}

function answerIn(text: string): RawAnswer {
  const [, status = '0'] = /^HTTP\/1\.1 (\d{3}) /.exec(text) ?? []
  const end = text.indexOf('\r\n\r\n')
  const [, contentType = ''] = /^content-type: (.*)$/im.exec(text.slice(0, end)) ?? []
  return { status: Number(status), contentType: contentType.trim(), body: text.slice(end + 4) }
}
