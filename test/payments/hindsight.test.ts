import { rmSync } from 'node:fs'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { confirmDue } from '../../src/acts/posts/confirm.ts'
import { reconcileDue } from '../../src/acts/posts/reconcile.ts'
import type { PostAnswer } from '../../src/acts/posts/threads.ts'
import { listHosts } from '../../src/acts/testing/post-harness.ts'
import type { Problem } from '../../src/domain/problem.ts'
import { openStore } from '../../src/store/open.ts'
import { findPayment } from '../../src/store/posts/payments.ts'
import { findPost } from '../../src/store/posts/read-post.ts'
import type { Store } from '../../src/store/store.ts'
import { temporaryFolder } from '../support/engines.ts'
import type { Script } from '../support/scripted-facilitator.ts'
import { capture, x402v2 } from './clients.ts'
import { asking, endpointOf, type Lane, openLane, requestOf, sendTo } from './lane.ts'
import { type RealChains, startRealChains } from './real-chains.ts'
import { HOST, signedBody } from './world.ts'

let chains: RealChains
let store: Store
let lane: Lane
const folder = temporaryFolder()
beforeAll(async () => {
  chains = await startRealChains()
  store = await openStore({ dataDir: folder, databaseUrl: undefined })
  await listHosts(store, [HOST])
  lane = await openLane(chains, store)
})
afterAll(async () => {
  await lane?.stop()
  await store?.close()
  await chains?.stop()
  rmSync(folder, { recursive: true, force: true })
})

function walletAt(index: number): PrivateKeyAccount {
  const wallet = chains.wallets[index]
  if (wallet === undefined) throw new Error('there is nobody to pay')
  return wallet
}

interface Bought {
  readonly answer: PostAnswer | Problem
  readonly key: string
}

/** A post of a program without a node, settled as the script says. */
async function buy(wallet: PrivateKeyAccount, script: Script, text: string): Promise<Bought> {
  const program = lane.start({ hasNode: false })
  lane.facilitator.script = 'ok'
  const url = endpointOf('x402', HOST)
  const sent = await capture(x402v2, chains, wallet, url, await signedBody(wallet, { text }), asking(program.threads))
  const { x402 } = program.rails
  const credential = 'read' in x402 ? await x402.read(requestOf(sent)) : undefined
  lane.facilitator.script = script
  return { answer: await sendTo(program.threads, sent), key: credential?.key ?? '' }
}

async function standing({ key }: Bought) {
  const payment = await findPayment(store.read, key)
  const post = await findPost(store.read, payment?.postId ?? '')
  return {
    state: payment?.state,
    transaction: payment?.transaction,
    settlement: post?.payment.settlement,
    hidden: post?.hidden?.reason ?? null,
  }
}

describe('a directory that was started without a node of the chain', () => {
  it('takes back what its facilitator lied about once it has one, and confirms what is true', async () => {
    const honest = await buy(walletAt(0), 'ok', 'Paid.')
    const lied = await buy(walletAt(1), 'lie', 'For nothing.')
    // Settles, and names the transaction that it has named for another before.
    const mixedUp = await buy(walletAt(2), 'other-transaction', 'Paid as well.')
    for (const { answer } of [honest, lied]) expect(answer).toMatchObject({ kind: 'published' })
    expect(mixedUp.answer).toMatchObject({ kind: 'pending' })
    const moved = await chains.moved()
    const paidBy = (index: number) => moved.find(({ from }) => from === walletAt(index).address)?.transaction
    expect(moved).toHaveLength(2)
    for (const bought of [honest, lied]) {
      expect(await standing(bought)).toMatchObject({ state: 'settled', settlement: 'as the facilitator says' })
    }

    const withNode = { confirmed: 1, withdrawn: 0, postponed: 1 }
    expect(await confirmDue(lane.start())).toEqual(withNode)
    await reconcileDue(lane.start({ aheadS: 31 }))
    const seen = { state: 'settled', settlement: 'verified on chain', hidden: null }
    expect(await standing(honest)).toEqual({ ...seen, transaction: paidBy(0) })
    expect(await standing(mixedUp)).toEqual({ ...seen, transaction: paidBy(2) })
    expect(await standing(lied)).toMatchObject({
      state: 'settled',
      settlement: 'as the facilitator says',
      hidden: null,
    })

    await chains.advance(600)
    const later = lane.start({ aheadS: 700 })
    expect(await confirmDue(later)).toEqual({ confirmed: 0, withdrawn: 1, postponed: 0 })
    expect(await standing(lied)).toMatchObject({ state: 'expired', hidden: 'no payment was found on chain' })
    expect((await findPayment(store.read, lied.key))?.reason).toMatch(/^no payment was found on chain: /)
    expect(await confirmDue(lane.start({ aheadS: 100_000 }))).toEqual({ confirmed: 0, withdrawn: 0, postponed: 0 })
    expect(await chains.moved()).toEqual(moved)
  }, 60_000)
})
