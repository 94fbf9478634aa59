import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { OPEN, openReviewing, someone } from '../../../test/support/reviewing.ts'
import { Problem } from '../../domain/problem.ts'
import { verifyStore } from '../../store/transfer/verify.ts'

const SIGNERS = 40

onEachEngine('a burst of reviews', (engine) => {
  it('answers each as if it had come alone: new ones, copies, late ones and those that nobody signed', async () => {
    const store = await engine.open()
    const { reviews, signedBy, unsigned, clock } = await openReviewing(store)
    const charged: string[] = []
    const gate = { ...OPEN, signed: (wallet: string) => void charged.push(wallet) }
    const submit = async (body: unknown): Promise<string> => {
      try {
        const { review, isNew } = await reviews.submit(body, gate)
        return `${isNew ? 'new' : 'known'} ${review.level} ${review.wallet}`
      } catch (error) {
        if (error instanceof Problem) return error.slug
        throw error
      }
    }
    const accounts = Array.from({ length: SIGNERS }, someone)
    const bodies = await Promise.all(accounts.map((account) => signedBy(account)))
    const stored = bodies.slice(0, 10)
    for (const body of stored) await submit(body)
    clock.us += 3_600_000_000
    const fresh = await Promise.all(accounts.map((account, n) => signedBy(account, { rating: 1 + (n % 5) })))
    charged.length = 0
    const sent = [
      ...stored.map((body) => ({ body, answer: `known Signed ${body.wallet}` })),
      ...bodies.slice(10).map((body) => ({ body, answer: 'invalid-signed-at' })),
      ...fresh.map((body) => ({ body, answer: `new Signed ${body.wallet}` })),
      ...fresh.map((body) => ({ body: { ...body, text: 'Never said.' }, answer: 'invalid-signature' })),
      ...fresh.map((body) => ({ body: { ...body, url: `${body.url}/nowhere` }, answer: 'unknown-route' })),
      ...fresh.map(() => ({ body: unsigned(), answer: 'new Unsigned null' })),
    ]
    const inTurn = sent.map((_, n) => sent[(n * 37) % sent.length])
    expect(new Set(inTurn).size).toBe(sent.length)
    const answers = await Promise.all(inTurn.map((one) => submit(one?.body)))
    expect(answers).toEqual(inTurn.map((one) => one?.answer))
    // A copy costs nobody anything, and a signature that is not the wallet's costs it nothing.
    expect(charged.toSorted()).toEqual(fresh.map(({ wallet }) => wallet).toSorted())
    const differences: unknown[] = []
    await verifyStore(store, (one) => differences.push(one))
    expect(differences).toEqual([])
  })
})
