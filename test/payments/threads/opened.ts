import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { documentOf } from '../answers.ts'
import type { Captured } from '../clients.ts'
import { HOST, type PaidWorld, paidWorld } from '../world.ts'

export const JSON_TYPE = { 'content-type': 'application/json' }

export const pathOf = (rail: 'x402' | 'mpp', host = HOST): string =>
  rail === 'x402' ? `/v1/thread/${host}` : `/mpp/v1/thread/${host}`

type Document = Awaited<ReturnType<typeof documentOf>>

/** The world in which the tests of a file post, opened before the first of them and in order again after each. */
export interface Threads {
  readonly world: PaidWorld
  at(path: string): string
  get(path: string): Promise<Document>
  send(request: Captured): Promise<{ readonly status: number; readonly headers: Headers; readonly document: Document }>
  /** The post in the thread of its host, once it is there. */
  appeared(host: string, text: string): Promise<Document['posts'][number]>
}

export function openForTests(): Threads {
  let opened: PaidWorld | undefined
  beforeAll(async () => {
    opened = await paidWorld()
  })
  afterAll(() => opened?.stop())
  afterEach(() => {
    for (const relay of [threads.world.facilitator, threads.world.baseNode, threads.world.tempoNode]) {
      relay.isDown = false
      relay.release()
      relay.before = () => undefined
      relay.instead = () => undefined
    }
  })
  const at = (path: string): string => `${threads.world.server.address}${path}`
  const get = async (path: string): Promise<Document> => documentOf(await fetch(at(path)))
  const inThread = async (host: string, text: string) =>
    (await get(`/v1/thread/${host}?limit=200`)).posts.find((post) => post.text === text)
  const threads: Threads = {
    get world() {
      if (opened === undefined) throw new Error('the world is opened before the tests')
      return opened
    },
    at,
    get,
    send: async ({ url, headers, body }) => {
      const answer = await fetch(url, { method: 'POST', headers, body })
      return { status: answer.status, headers: answer.headers, document: await documentOf(answer) }
    },
    appeared: async (host, text) => {
      await expect.poll(() => inThread(host, text), { timeout: 45_000, interval: 250 }).toBeDefined()
      const post = await inThread(host, text)
      if (post === undefined) throw new Error('the post is gone again')
      return post
    },
  }
  return threads
}
