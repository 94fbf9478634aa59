import { rmSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { confirmDue } from '../../src/acts/posts/confirm.ts'
import { reconcileDue } from '../../src/acts/posts/reconcile.ts'
import { createThreads } from '../../src/acts/posts/threads.ts'
import { aCredential, aRequest, newWallet, plainSignatures, signedBody } from '../../src/acts/testing/buyer.ts'
import { fakeChain } from '../../src/acts/testing/fake-chain.ts'
import { answered, Clock, createPostHarness, listHosts } from '../../src/acts/testing/post-harness.ts'
import { openStore } from '../../src/store/open.ts'
import { listPayments } from '../../src/store/posts/payments.ts'
import type { Store } from '../../src/store/store.ts'
import { temporaryFolder } from '../support/engines.ts'
import { Chance } from './chance.ts'
import { examine, NO_FINDINGS } from './invariants.ts'
import { buy, HOSTS, type Purchase, startProgram, type World } from './purchase.ts'

/** `RANDOM_RUNS=10000` for the long one. */
const RUNS = Number(process.env.RANDOM_RUNS ?? 300)
const SEED = process.env.RANDOM_SEED ?? String(Math.floor(Math.random() * 2 ** 32))
const AT_ONCE = 10
const WALLETS = 20

const opened: { store: Store; folder: string }[] = []
afterEach(async () => {
  for (const { store, folder } of opened.splice(0)) {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

async function newWorld(): Promise<World> {
  const folder = temporaryFolder()
  const store = await openStore({ dataDir: folder, databaseUrl: undefined })
  opened.push({ store, folder })
  await listHosts(store, HOSTS)
  return { store, chain: fakeChain(), clock: new Clock() }
}

/** Reconciles with everything in order again, until all that can end has ended. */
async function settleDown(world: World): Promise<void> {
  const healthy = createPostHarness(world.store, world.clock, { chain: world.chain, hasMpp: true })
  for (let round = 0; round < 12; round++) {
    world.clock.passSeconds(31)
    await reconcileDue(healthy)
  }
}

// The chain is a fake one here, fast enough for thousands of runs; the rails have their own tests on real chains.
describe('posts under random faults and crashes', () => {
  it(`are never unpaid, charged twice or lost, in ${RUNS} runs`, async () => {
    console.info(`random runs: RANDOM_SEED=${SEED} RANDOM_RUNS=${RUNS}`)
    const world = await newWorld()
    const wallets = Array.from({ length: WALLETS }, newWallet)
    const purchases: Purchase[] = []
    for (let from = 0; from < RUNS; from += AT_ONCE) {
      const runs = Array.from({ length: Math.min(AT_ONCE, RUNS - from) }, (_, n) => from + n)
      const beside = new Chance(`${SEED} beside ${from}`)
      const bought = await Promise.all(
        runs.map((run) =>
          buy(world, wallets[run % WALLETS] ?? newWallet(), new Chance(`${SEED} ${run}`), `run ${run}`),
        ),
      )
      purchases.push(...bought)
      // Time goes by, and other programs, as unlucky as these, reconcile at once.
      for (let round = beside.below(4); round > 0; round--) {
        world.clock.passSeconds(beside.below(40))
        const programs = [startProgram(world, beside), startProgram(world, beside)]
        await Promise.all(programs.map((one) => Promise.race([reconcileDue(one), one.mortal.died])))
      }
    }
    await settleDown(world)
    expect(await examine(world, purchases)).toEqual(NO_FINDINGS)
    const payments = await listPayments(world.store, { limit: 1_000_000 })
    const ended = (state: string): number => payments.filter((payment) => payment.state === state).length
    console.info(
      `${purchases.length} buyers, ${payments.length} intents: ${ended('settled')} settled, ${ended('expired')} expired; ` +
        `${world.chain.transfers().filter(({ by }) => by === 'third party').length} transfers by third parties`,
    )
    // The faults were there: some were settled in the end, some were not.
    expect(ended('settled')).toBeGreaterThan(RUNS / 4)
    expect(ended('expired')).toBeGreaterThan(0)
  }, 1_800_000)

  it('are unpaid at times where a rail believes what its facilitator claims', async () => {
    const world = { ...(await newWorld()), hasNode: false }
    const purchases: Purchase[] = []
    for (let from = 0; from < 240; from += AT_ONCE) {
      const runs = Array.from({ length: AT_ONCE }, (_, n) => from + n)
      const bought = runs.map((run) => buy(world, newWallet(), new Chance(`believed ${run}`), `run ${run}`))
      purchases.push(...(await Promise.all(bought)))
    }
    expect((await examine(world, purchases)).unpaid.length).toBeGreaterThan(0)
    // Once there is a node every one of them is found out, and nothing else is taken down.
    world.hasNode = true
    await settleDown(world)
    const later = createPostHarness(world.store, world.clock, { chain: world.chain, hasMpp: true })
    for (let turn = 0; turn < 10; turn++) await confirmDue(later)
    expect(await examine(world, [])).toEqual(NO_FINDINGS)
    const hidden = await world.store.read.selectFrom('posts').selectAll().where('hidden_us', 'is not', null).execute()
    expect(hidden.length).toBeGreaterThan(0)
  })

  it('would be seen to be unpaid, charged twice or lost', async () => {
    const world = await newWorld()
    const wallet = newWallet()
    const lying = createPostHarness(world.store, world.clock, { chain: world.chain })
    const paid = { kind: 'paid', transaction: '0x01', logIndex: 0 } as const
    const rails = { ...lying.rails, x402: { ...lying.rail, settle: async () => paid } }
    const { threads } = createPostHarness(world.store, world.clock, { chain: world.chain })
    const credentials = [1, 2].map(() => aCredential(wallet.address, world.clock.us))
    for (const credential of credentials) {
      world.clock.passSeconds(1)
      const body = await signedBody(wallet, HOSTS[0], 'Paid twice.', world.clock.us)
      await answered(threads, aRequest(HOSTS[0], body, credential))
    }
    world.chain.broadcast(aCredential(wallet.address, world.clock.us), 'facilitator', world.clock.us)
    const body = await signedBody(wallet, HOSTS[0], 'For nothing.', world.clock.us)
    const free = aCredential(wallet.address, world.clock.us)
    await answered(createThreads({ ...lying, rails, signatures: plainSignatures }), aRequest(HOSTS[0], body, free))
    const found = await examine(world, [{ credentials, lies: [] }])
    expect({ unpaid: found.unpaid.length, twice: found.doubleCharges.length, lost: found.lost.length }).toEqual({
      unpaid: 1,
      twice: 1,
      lost: 1,
    })
  })
})
