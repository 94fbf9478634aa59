import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { portOf } from '../../sandbox/local/local-server.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

interface Asked {
  readonly path: string
  readonly body: string
}

/** Stands before a facilitator or node. */
export interface Relay {
  readonly url: string
  /** While it is down every connection is cut. */
  isDown: boolean
  /** While it hangs nothing is answered; what waited is cut off by `release`. */
  isHanging: boolean
  release(): void
  /** Called after the other side has done what was asked and before anybody hears of it. */
  before: (asked: Asked) => void
  /** What is answered in place of the other side, which then hears nothing of it. */
  instead: (asked: Asked) => object | undefined
  stop(): Promise<void>
}

export async function startRelay(target: string): Promise<Relay> {
  const held = new Set<Socket>()
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    try {
      const body = await text(request)
      if (relay.isDown) return request.socket.destroy()
      if (relay.isHanging) return held.add(request.socket)
      const own = relay.instead({ path, body })
      if (own !== undefined) return response.writeHead(200, JSON_TYPE).end(JSON.stringify(own))
      const init = request.method === 'GET' ? {} : { method: 'POST', body }
      const answer = await fetch(`${target}${path === '/' ? '' : path}`, { ...init, headers: JSON_TYPE })
      const said = await answer.text()
      relay.before({ path, body })
      response.writeHead(answer.status, JSON_TYPE).end(said)
    } catch {
      // The other side is gone: so is this one.
      request.socket.destroy()
    }
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const relay: Relay = {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    isDown: false,
    isHanging: false,
    release: () => {
      relay.isHanging = false
      for (const socket of held) socket.destroy()
      held.clear()
    },
    before: () => undefined,
    instead: () => undefined,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return relay
}
