import { Agent, request } from 'node:https'

export interface Answered {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly isStale: boolean
  readonly body: string
}

/** What came back, by kind. */
export interface Tally {
  good: number
  /** Cached pages that were sent while nobody could say whether they stand. */
  stale: number
  /** 503 that says when to come back. */
  later: number
  /** Everything that must not be: any other status, or a broken connection. */
  readonly wrong: string[]
  /** Reviews that were acknowledged. */
  readonly acknowledged: string[]
}

export const newTally = (): Tally => ({ good: 0, stale: 0, later: 0, wrong: [], acknowledged: [] })

/** One client after another through the proxy, as its own name. */
export class Visitors {
  readonly #agent: Agent

  constructor(
    private readonly port: number,
    ca: string,
  ) {
    this.#agent = new Agent({ ca, servername: 'directory.example', keepAlive: true })
  }

  ask(method: string, path: string, body?: object): Promise<Answered> {
    const headers = { host: 'directory.example', accept: 'application/json', 'content-type': 'application/json' }
    return new Promise((resolve, reject) => {
      const asked = request(
        { host: '127.0.0.1', port: this.port, method, path, headers, agent: this.#agent },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              retryAfter: response.headers['retry-after'],
              isStale: response.headers.warning !== undefined,
              body: Buffer.concat(chunks).toString(),
            }),
          )
        },
      )
      asked.on('error', reject)
      asked.end(body === undefined ? undefined : JSON.stringify(body))
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** Puts an answer where it belongs. */
export function count(tally: Tally, what: string, { status, retryAfter, isStale, body }: Answered): void {
  if (status === 201) tally.acknowledged.push(JSON.parse(body).id)
  if (status === 200 && isStale) tally.stale++
  else if (status === 200 || status === 201) tally.good++
  else if (status === 503 && retryAfter !== undefined) tally.later++
  else tally.wrong.push(`${what}: ${status} ${body.slice(0, 200)}`)
}
