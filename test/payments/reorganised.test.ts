import { rmSync } from 'node:fs'
import { type Hash, http, isHash } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { getBlockNumber, getTransactionReceipt } from 'viem/actions'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { broadcast } from '../../sandbox/chain/authorization.ts'
import { reconcileDue } from '../../src/acts/posts/reconcile.ts'
import { watchDue } from '../../src/acts/posts/watch.ts'
import { listHosts } from '../../src/acts/testing/post-harness.ts'
import { openStore } from '../../src/store/open.ts'
import { NO_LONGER_ON_CHAIN } from '../../src/store/posts/hide-post.ts'
import { listPayments } from '../../src/store/posts/payments.ts'
import { findPost } from '../../src/store/posts/read-post.ts'
import type { Store } from '../../src/store/store.ts'
import { onEachChain } from '../support/chains.ts'
import { temporaryFolder } from '../support/engines.ts'
import { type Captured, capture, mpp, x402v2 } from './clients.ts'
import { asking, endpointOf, requestOf, sendTo, startHealthy } from './lane.ts'
import { type RealChains, startRealChains } from './real-chains.ts'
import { HOST, signedBody } from './world.ts'

const NOTHING = { final: 0, withdrawn: 0, postponed: 0 }
/** Past every authorisation's end. */
const PAST_EVERY_END_S = 600

let chains: RealChains
let store: Store
let folder: string
let aheadS = 0

const hashOf = (text: string): Hash => {
  if (!isHash(text)) throw new Error(`not a hash: ${text}`)
  return text
}

function walletAt(index: number): PrivateKeyAccount {
  const wallet = chains.wallets[index]
  if (wallet === undefined) throw new Error('there is nobody to pay')
  return wallet
}

const urlOf = (rail: 'x402' | 'mpp'): string => (rail === 'x402' ? chains.base.rpcUrl : chains.tempo.url)
const clientOf = (rail: 'x402' | 'mpp') => (rail === 'x402' ? chains.base.publicClient : chains.tempo.client)

async function buy(rail: 'x402' | 'mpp', wallet: PrivateKeyAccount, text: string) {
  const { threads } = startHealthy(chains, store, { aheadS })
  const maker = rail === 'x402' ? x402v2 : mpp
  const body = await signedBody(wallet, { text })
  const sent: Captured = await capture(maker, chains, wallet, endpointOf(rail, HOST), body, asking(threads))
  const answer = await sendTo(threads, sent)
  if (!('kind' in answer) || answer.kind !== 'published') throw new Error(`not published: ${JSON.stringify(answer)}`)
  return { id: answer.post.id, transaction: hashOf(answer.post.payment.transaction), sent }
}

/** Has the chain grow anew from before a transaction, without it. */
async function reorganise(rail: 'x402' | 'mpp', transaction: Hash): Promise<void> {
  const { blockNumber } = await getTransactionReceipt(clientOf(rail), { hash: transaction })
  const depth = Number((await getBlockNumber(clientOf(rail), { cacheTime: 0 })) - blockNumber) + 1
  await http(urlOf(rail))({}).request({ method: 'anvil_reorg', params: [depth, []] })
}

/** A program that is started so much later, and looks once. */
async function later(seconds: number) {
  aheadS += seconds
  return watchDue(startHealthy(chains, store, { aheadS }))
}

async function standing(id: string) {
  const payment = (await listPayments(store, { limit: 99 })).find(({ postId }) => postId === id)
  const post = await findPost(store.read, id)
  return {
    state: payment?.state,
    dueUs: payment?.dueUs,
    transaction: post?.payment.transaction,
    hidden: post?.hidden?.reason ?? null,
  }
}

onEachChain((name) => {
  beforeEach(async () => {
    aheadS = 0
    folder = temporaryFolder()
    chains = await startRealChains({ node: name })
    store = await openStore({ dataDir: folder, databaseUrl: undefined })
    await listHosts(store, [HOST])
  })
  afterEach(async () => {
    await store?.close()
    await chains?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('shows no post any more whose payment was reorganised away, on either rail, once that is final', async () => {
    const bought = [await buy('x402', walletAt(0), 'On Base.'), await buy('mpp', walletAt(1), 'On Tempo.')]
    const [onBase, onTempo] = bought
    if (!onBase || !onTempo) throw new Error('nothing was bought')
    expect(await later(6)).toEqual({ ...NOTHING, postponed: 2 })
    await reorganise('x402', onBase.transaction)
    await reorganise('mpp', onTempo.transaction)
    expect(await chains.moved()).toEqual([])
    // It may come back as long as it is good: nothing is hidden meanwhile.
    expect(await later(11)).toEqual({ ...NOTHING, postponed: 2 })
    await chains.advance(PAST_EVERY_END_S)
    expect(await later(301)).toEqual({ ...NOTHING, postponed: 2 })
    for (const { id } of bought) expect(await standing(id)).toMatchObject({ state: 'settled', hidden: null })
    await chains.makeFinal()
    expect(await later(301)).toEqual({ ...NOTHING, postponed: 2 })
    expect(await later(6)).toEqual({ ...NOTHING, withdrawn: 2 })
    for (const { id } of bought) {
      expect(await standing(id)).toMatchObject({ state: 'expired', dueUs: null, hidden: NO_LONGER_ON_CHAIN })
    }
  }, 120_000)

  it('keeps the post of a payment that comes back, on either rail, and of one that stayed', async () => {
    const stayed = await buy('x402', walletAt(2), 'It stays.')
    const onBase = await buy('x402', walletAt(3), 'It comes back.')
    const onTempo = await buy('mpp', walletAt(4), 'It comes back on Tempo.')
    await reorganise('x402', onBase.transaction)
    await reorganise('mpp', onTempo.transaction)
    expect(await later(6)).toEqual({ ...NOTHING, postponed: 3 })
    // Whoever holds the credential sends it once more: on Base in another transaction, on Tempo in the same.
    const { payload } = JSON.parse(Buffer.from(onBase.sent.headers['payment-signature'] ?? '', 'base64').toString())
    await broadcast(chains.base, payload)
    const { rails } = startHealthy(chains, store, { aheadS })
    if (!('read' in rails.mpp)) throw new Error('mpp is not set')
    const credential = await rails.mpp.read(requestOf(onTempo.sent))
    if (credential === undefined) throw new Error('no credential')
    const sentAgain = await rails.mpp.settle({ ...credential, fromBlock: 0, resource: onTempo.sent.url })
    expect(sentAgain).toMatchObject({ kind: 'paid' })
    expect(await later(301)).toEqual({ ...NOTHING, postponed: 3 })
    const moved = await chains.moved()
    for (const [n, { id }] of [onBase, onTempo].entries()) {
      const { state, hidden, transaction } = await standing(id)
      expect([state, hidden]).toEqual(['settled', null])
      const by = walletAt(3 + n).address
      expect(moved.filter(({ from }) => from === by).map((one) => one.transaction)).toEqual([transaction])
    }
    await chains.makeFinal()
    expect(await later(301)).toEqual({ ...NOTHING, final: 3 })
    for (const { id } of [stayed, onBase, onTempo]) {
      expect(await standing(id)).toMatchObject({ state: 'settled', dueUs: null, hidden: null })
    }
    await reconcileDue(startHealthy(chains, store, { aheadS: aheadS + 100 }))
    expect(await later(100_000)).toEqual(NOTHING)
  }, 120_000)
})
