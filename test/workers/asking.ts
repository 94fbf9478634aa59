import { type ClientRequest, get, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Running } from '../support/program.ts'

export interface Asked {
  readonly status: number
  readonly body: string
  readonly headers: IncomingMessage['headers']
}

/** What somebody says who has waited for too long. */
export const TOO_LATE = 'no answer in time'

const answerTo = (asked: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    asked.once('response', resolve)
    asked.once('error', reject)
    asked.setTimeout(10_000, () => asked.destroy(new Error(TOO_LATE)))
  })

async function whole(answer: IncomingMessage): Promise<Asked> {
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) }
}

/** Every request on a connection of its own: these are handed to the workers in turn. */
export const asking = (address: string) => ({
  get: async (path: string, headers: Record<string, string> = {}): Promise<Asked> =>
    whole(
      await answerTo(get(`${address}${path}`, { agent: false, headers: { accept: 'application/json', ...headers } })),
    ),
  post: async (path: string, body: object, headers: Record<string, string> = {}): Promise<Asked> => {
    const sent = request(`${address}${path}`, {
      ...{ method: 'POST', agent: false, headers: { 'content-type': 'application/json', ...headers } },
    })
    sent.end(JSON.stringify(body))
    return whole(await answerTo(sent))
  },
  /** The head alone: the body goes on. */
  stream: (path: string): Promise<IncomingMessage> =>
    answerTo(get(`${address}${path}`, { agent: false, headers: { accept: 'text/event-stream' } })),
})

/** Which worker answered which request, from the lines of its log. */
export function workersIn({ child }: Running): (requestId: string) => number | undefined {
  const workers = new Map<string, number>()
  let rest = ''
  child.stdout?.on('data', (chunk) => {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const { worker, request_id } = JSON.parse(line)
      if (typeof worker === 'number' && typeof request_id === 'string') workers.set(request_id, worker)
    }
  })
  return (requestId) => workers.get(requestId)
}
