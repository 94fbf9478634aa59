import { setTimeout as wait } from 'node:timers/promises'
import type { PrivateKeyAccount } from 'viem/accounts'
import { signReview } from '../../src/client/index.ts'
import type { DrillContext } from '../drill.ts'
import { ask, writtenIn } from './asking.ts'
import { payingClient, postOf } from './money.ts'
import { HOST, ROUTE } from './sellers.ts'

/** What was acknowledged, by its own address. */
export type Acknowledged = Map<string, string>

const PAUSE_MS = 20

/** Beside other work they leave some of the processor to it. */
export const restOf = ({ judgesTimes }: Pick<DrillContext, 'judgesTimes'>): number => (judgesTimes ? 0 : PAUSE_MS)

/** Reviews and posts, one after the other, until told to stop; through crashes, and always the same again until answered. */
export class Writers {
  readonly reviews: Acknowledged = new Map()
  readonly posts: Acknowledged = new Map()
  /** Answers that no writer should get, whatever crashes around it. */
  readonly odd: string[] = []
  #sent = 0
  readonly #stopping = new AbortController()
  readonly #working: Promise<void>[] = []

  constructor(
    private readonly address: () => string,
    private readonly wallet: PrivateKeyAccount,
    /** How long each of them rests after what it wrote. */
    private readonly restMs: number,
  ) {}

  start(reviewers: number, posters: number): void {
    for (let n = 0; n < reviewers; n++) this.#working.push(this.#repeat(() => this.#review()))
    const client = payingClient(this.wallet)
    for (let n = 0; n < posters; n++) this.#working.push(this.#repeat(() => this.#post(client)))
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#working)
  }

  async #repeat(work: () => Promise<void>): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await work()
      await wait(this.restMs)
    }
  }

  /** Unsigned: each of them is a row of its own, whoever else writes. */
  async #review(): Promise<void> {
    const text = `Review ${++this.#sent} of a drill.`
    const body = JSON.stringify({ ...ROUTE, rating: 4, text })
    await this.#untilAnswered('/v1/reviews', { method: 'POST', headers: JSON_TYPE, body }, fetch, this.reviews, text)
  }

  async #post(client: typeof fetch): Promise<void> {
    const text = `Post ${++this.#sent} of a drill.`
    const request = await postOf(this.wallet, HOST, text)
    await this.#untilAnswered(`/v1/thread/${HOST}`, request, client, this.posts, text)
  }

  async #untilAnswered(
    path: string,
    request: RequestInit,
    send: typeof fetch,
    acknowledged: Acknowledged,
    text: string,
  ): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const reply = await ask(`${this.address()}${path}`, request, send)
      if (reply?.status === 201 || reply?.status === 200) {
        acknowledged.set(writtenIn(reply).id, text)
        return
      }
      const isExpected = reply === undefined || reply.status === 202 || reply.status === 503
      if (!isExpected) this.odd.push(`${path}: ${reply.status} ${reply.text.slice(0, 120)}`)
      await wait(PAUSE_MS)
    }
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** A signed review as it is sent. */
export const signedReview = async (wallet: PrivateKeyAccount, text: string, nowMs: number): Promise<RequestInit> => ({
  method: 'POST',
  headers: JSON_TYPE,
  body: JSON.stringify(await signReview(wallet, { ...ROUTE, rating: 4, text, nowMs })),
})

/** Acknowledged, and not to be read back. */
export async function lostOf(
  address: string,
  place: 'reviews' | 'posts',
  acknowledged: Acknowledged,
): Promise<string[]> {
  const lost: string[] = []
  for (const [id, text] of acknowledged) {
    const reply = await ask(`${address}/v1/${place}/${id}`)
    if (reply?.status !== 200 || writtenIn(reply).text !== text) lost.push(`${place} ${id}: ${reply?.status}`)
  }
  return lost
}
