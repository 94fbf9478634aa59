import type { PrivateKeyAccount } from 'viem/accounts'
import { z } from 'zod'
import { ask, type Reply, writtenIn } from './asking.ts'
import { payingClient, postOf } from './money.ts'
import { HOST, ROUTE } from './sellers.ts'
import { type Acknowledged, signedReview } from './writers.ts'

const message = z.looseObject({ signed_at: z.string() })

/** What a directory takes for the time, in milliseconds. */
export async function clockOf(address: string): Promise<number> {
  const reply = await ask(`${address}/v1/thread/${HOST}/message?text=x`)
  return reply?.status === 200 ? Date.parse(message.parse(JSON.parse(reply.text)).signed_at) : Number.NaN
}

/** Writes by the true time and by the directory's own, and knows what each must lead to. */
export class ClockedWriter {
  readonly reviews: Acknowledged = new Map()
  readonly posts: Acknowledged = new Map()
  /** Answers other than promised. */
  readonly odd: string[] = []

  constructor(
    private readonly address: string,
    private readonly wallet: PrivateKeyAccount,
  ) {}

  async write(what: string, aheadMs: number): Promise<void> {
    const isRight = aheadMs === 0
    const review = (text: string, nowMs: number) =>
      signedReview(this.wallet, text, nowMs).then((request) => ask(`${this.address}/v1/reviews`, request))
    const trueText = `Signed by the true time, ${what}.`
    this.#take(this.reviews, trueText, await review(trueText, Date.now()), isRight ? [201] : [400])
    const ownText = `Signed by its own time, ${what}.`
    this.#take(this.reviews, ownText, await review(ownText, Date.now() + aheadMs), [201])
    const body = JSON.stringify({ ...ROUTE, rating: 2, text: `Not signed, ${what}.` })
    const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    this.#take(this.reviews, `Not signed, ${what}.`, await ask(`${this.address}/v1/reviews`, request), [201])
    await this.#post(`Posted by the true time, ${what}.`, Date.now(), isRight ? [201] : [400])
    // An authorisation of the true time has expired by a clock that is ahead, and is not used then.
    await this.#post(`Posted by its own time, ${what}.`, Date.now() + aheadMs, aheadMs > 0 ? [402] : [201])
  }

  async #post(text: string, nowMs: number, promised: readonly number[]): Promise<void> {
    const request = await postOf(this.wallet, HOST, text, nowMs)
    const reply = await ask(`${this.address}/v1/thread/${HOST}`, request, payingClient(this.wallet))
    this.#take(this.posts, text, reply, promised)
    if (reply !== undefined && reply.status >= 400 && JSON.parse(reply.text).charged !== false) {
      this.odd.push(`${text} ${reply.status} does not say that nothing was charged`)
    }
  }

  #take(into: Acknowledged, text: string, reply: Reply | undefined, promised: readonly number[]): void {
    if (reply === undefined || !promised.includes(reply.status)) this.odd.push(`${text} ${reply?.status}`)
    if (reply?.status === 201 || reply?.status === 200) into.set(writtenIn(reply).id, text)
  }
}
