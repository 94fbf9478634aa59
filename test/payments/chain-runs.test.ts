import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { broadcast, signAuthorization } from '../../sandbox/chain/authorization.ts'
import { lookAtAll, reconcileDue } from '../../src/acts/posts/reconcile.ts'
import { watchDue } from '../../src/acts/posts/watch.ts'
import { listHosts } from '../../src/acts/testing/post-harness.ts'
import { key53 } from '../../src/domain/keys.ts'
import { openStore } from '../../src/store/open.ts'
import { listPayments } from '../../src/store/posts/payments.ts'
import type { Store } from '../../src/store/store.ts'
import { NO_EVIDENCE } from '../../src/store/transfer/evidence.ts'
import { saveEvidence } from '../../src/store/transfer/save-evidence.ts'
import { onEachChain } from '../support/chains.ts'
import { temporaryFolder } from '../support/engines.ts'
import { aPost } from '../support/samples.ts'
import { findOnChains, NO_CHAIN_FINDINGS } from './chain-findings.ts'
import { Chance } from './chance.ts'
import { startHealthy } from './lane.ts'
import { type RealChains, startRealChains } from './real-chains.ts'
import { buyForReal, HOSTS, type RealPurchase, TROUBLES } from './real-purchase.ts'
import { PRICE } from './world.ts'

/** `CHAIN_RUNS=100` for the long one. */
const RUNS = Number(process.env.CHAIN_RUNS ?? 12)
const SEED = process.env.CHAIN_SEED ?? String(Math.floor(Math.random() * 2 ** 32))
/** One buyer each: at most as many as there are wallets. */
const AT_ONCE = 4
/** Past every authorisation's end and the margin after it. */
const PAST_EVERY_END_S = 600

let chains: RealChains
let store: Store
let folder: string

/** Every trouble once before any comes again, in an order that the seed decides. */
const SHUFFLED = TROUBLES.map((trouble, at) => ({ trouble, at: key53(`${SEED} trouble ${at}`) }))
  .sort((a, b) => a.at - b.at)
  .map(({ trouble }) => trouble)

/** Everything in order again: what can still be paid is, then time passes on the chains and the rest has ended. */
async function settleDown(): Promise<void> {
  await lookAtAll(startHealthy(chains, store, {}))
  for (const aheadS of [31, 62, 93]) await reconcileDue(startHealthy(chains, store, { aheadS }))
  await chains.advance(PAST_EVERY_END_S)
  await chains.makeFinal()
  for (const laterS of [31, 62, 93]) {
    await reconcileDue(startHealthy(chains, store, { aheadS: PAST_EVERY_END_S + laterS }))
  }
  // Nothing is looked at any more once every block is final, and nothing that was paid is withdrawn.
  const aheadS = 2 * PAST_EVERY_END_S
  for (;;) {
    const { final, withdrawn, postponed } = await watchDue(startHealthy(chains, store, { aheadS }))
    expect({ withdrawn, postponed }).toEqual({ withdrawn: 0, postponed: 0 })
    if (final === 0) return
  }
}

onEachChain((name) => {
  beforeAll(async () => {
    folder = temporaryFolder()
    chains = await startRealChains({ node: name })
    store = await openStore({ dataDir: folder, databaseUrl: undefined })
    await listHosts(store, HOSTS)
  })

  afterAll(async () => {
    await store?.close()
    await chains?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  describe('posts paid on real chains under random faults and crashes', () => {
    it(`are never unpaid, charged twice or lost, in ${RUNS} runs`, async () => {
      console.info(`chain runs: CHAIN_SEED=${SEED} CHAIN_RUNS=${RUNS}`)
      const purchases: RealPurchase[] = []
      for (let from = 0; from < RUNS; from += AT_ONCE) {
        const runs = Array.from({ length: Math.min(AT_ONCE, RUNS - from) }, (_, n) => from + n)
        const bought = await Promise.all(
          runs.map((run) => {
            const wallet = chains.wallets[run % chains.wallets.length]
            const first = SHUFFLED[run % SHUFFLED.length]
            if (wallet === undefined || first === undefined) throw new Error('there is nobody to buy')
            return buyForReal(chains, store, wallet, first, new Chance(`${SEED} ${run}`), `run ${run}`)
          }),
        )
        purchases.push(...bought)
      }
      await settleDown()
      const payments = await listPayments(store, { limit: 1_000_000 })
      const ended = (state: string): number => payments.filter((payment) => payment.state === state).length
      console.info(
        `${purchases.length} buyers, ${purchases.flatMap(({ troubles }) => troubles).length} attempts, ${payments.length} intents: ` +
          `${ended('settled')} settled, ${ended('expired')} expired; ${(await chains.moved()).length} transfers`,
      )
      expect(await findOnChains(chains, store)).toEqual(NO_CHAIN_FINDINGS)
      expect(purchases.flatMap(({ lies }) => lies)).toEqual([])
      expect(ended('settled')).toBeGreaterThan(RUNS / 4)
    }, 1_800_000)

    it('would be seen to be unpaid or lost', async () => {
      const [wallet] = chains.wallets
      if (wallet === undefined) throw new Error('there is nobody to pay')
      const signed = await signAuthorization(chains.base, wallet, {
        to: chains.payee,
        value: PRICE,
        validBeforeS: Math.floor(Date.now() / 1000) + 10 * PAST_EVERY_END_S,
      })
      const transaction = await broadcast(chains.base, signed, chains.thirdParty)
      await saveEvidence(store, { ...NO_EVIDENCE, posts: [aPost({ host: HOSTS[0] })] })
      const { unpaid, lost } = await findOnChains(chains, store)
      expect(unpaid).toEqual(['post-1'])
      expect(lost).toEqual([{ network: chains.base.network, transaction, from: wallet.address, amount: PRICE }])
    })
  })
})
