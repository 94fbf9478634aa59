import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { reconcileDue } from '../../acts/posts/reconcile.ts'
import { aCredential, aRequest, newWallet, signedBody } from '../../acts/testing/buyer.ts'
import { fakeChain } from '../../acts/testing/fake-chain.ts'
import type { SettleFault } from '../../acts/testing/fake-facilitator.ts'
import { answered, Clock, createPostHarness, listHosts } from '../../acts/testing/post-harness.ts'
import { ACTS } from '../../store/posts/payment-story.ts'
import { listPayments } from '../../store/posts/payments.ts'
import { stepLine, storyLines } from './payment-story.ts'

const HOST = 'api.seller.example'
const wallet = newWallet()

onEachEngine('the story of a payment', (engine) => {
  it('tells of every step, and once of what came again and again', async () => {
    const store = await engine.open()
    await listHosts(store, [HOST])
    const clock = new Clock()
    const is = { fault: 'reset after broadcast' as SettleFault, nodeUp: false }
    const ledger = createPostHarness(store, clock, {
      chain: fakeChain(),
      fault: () => is.fault,
      isNodeUp: () => is.nodeUp,
    })
    const credential = aCredential(wallet.address, clock.us)
    await answered(ledger.threads, aRequest(HOST, await signedBody(wallet, HOST, 'Up?', clock.us), credential))
    const [payment] = await listPayments(store, { limit: 1 })
    const story = () => storyLines(store, payment?.postId ?? '')
    for (let second = 0; second < 60; second += 2) {
      clock.passSeconds(2)
      await reconcileDue(ledger)
    }
    const undecided = await story()
    expect(undecided[0]).toBe(`Post ${payment?.postId} to ${HOST}, paid through x402 on eip155:31337: pending`)
    expect(undecided[2]).toMatch(/^\S+ {2}stored, before anybody was asked to move money; the authorisation ends /)
    expect(undecided[3]).toMatch(/^\S+ {2}handed over to be settled: /)
    expect(undecided.join('\n')).toMatch(/looked for on the chain: the node does not answer \(\d+ times until \S+Z\)/)
    expect(undecided.length).toBeLessThan(10)
    expect(undecided.at(-1)).toMatch(/^It is looked at again at \S+Z, after \d+ attempts\.$/)
    is.nodeUp = true
    for (let second = 0; second < 60; second += 2) {
      clock.passSeconds(2)
      await reconcileDue(ledger)
    }
    const settled = await story()
    expect(settled.at(-2)).toMatch(/: the chain has the transfer: transaction \S+$/)
    expect(settled.at(-1)).toMatch(/^\S+ {2}settled in transaction \S+, and published$/)
  })

  it('is refused for a post that nobody asked to pay for', async () => {
    await expect(storyLines(await engine.open(), 'pnothing')).rejects.toMatchObject({ slug: 'no-payment' })
  })
})

describe('a step', () => {
  it('does not say of a payment that a node had seen that none had', () => {
    const step = { said: 'gone', firstUs: 0, lastUs: 0, times: 1 }
    expect(stepLine({ ...step, act: 'watch' })).toContain('looked at again, since its block was not final: gone')
    expect(stepLine({ ...step, act: 'confirm' })).toContain('looked for again, since no node had seen it: gone')
  })

  it('is one line with its time, its act and what was said, and counts only what came again', () => {
    const step = fc.record({
      act: fc.constantFrom(...ACTS),
      said: fc.string().map((text) => text.replaceAll(/\s+/g, ' ')),
      firstUs: fc.integer({ min: 0, max: 2e15 }),
      lastUs: fc.integer({ min: 0, max: 2e15 }),
      times: fc.integer({ min: 1, max: 1000 }),
    })
    fc.assert(
      fc.property(step, (one) => {
        const line = stepLine(one)
        expect(line).toContain(`: ${one.said}`)
        expect(line).toMatch(/^\d{4}-\d\d-\d\dT\S+Z {2}/)
        expect(line.includes(` (${one.times} times until `)).toBe(one.times > 1)
      }),
    )
  })
})
