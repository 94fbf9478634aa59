import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { findPayment, listPayments } from '../../store/posts/payments.ts'
import type { Store } from '../../store/store.ts'
import { aCredential, aRequest, newWallet, plainSignatures, signedBody } from '../testing/buyer.ts'
import { type FakeChain, fakeChain } from '../testing/fake-chain.ts'
import type { SettleFault } from '../testing/fake-facilitator.ts'
import { answered, Clock, createPostHarness, listHosts } from '../testing/post-harness.ts'
import { keepReconciled, lookAtAll, reconcileDue } from './reconcile.ts'
import { createThreads } from './threads.ts'

const HOST = 'api.seller.example'
const wallet = newWallet()

/** A world in which the node, the facilitator and the clock are moved by hand. */
async function worldOf(store: Store) {
  await listHosts(store, [HOST])
  const clock = new Clock()
  const chain: FakeChain = fakeChain()
  const is = { fault: 'ok' as SettleFault, nodeUp: true }
  const program = () => createPostHarness(store, clock, { chain, fault: () => is.fault, isNodeUp: () => is.nodeUp })
  const ask = async (stand = program(), text = 'Is it up?') => {
    const credential = aCredential(wallet.address, clock.us)
    await answered(stand.threads, aRequest(HOST, await signedBody(wallet, HOST, text, clock.us), credential))
    return credential
  }
  const states = async () => (await listPayments(store, { limit: 1000 })).map(({ state }) => state).sort()
  return { clock, chain, is, program, ask, states }
}

onEachEngine('reconciliation', (engine) => {
  it('ends every paid intent within 60 seconds of an outage of any length', async () => {
    for (const outageSeconds of [1, 7, 40, 100]) {
      const store = await engine.open()
      const { clock, is, program, ask, states } = await worldOf(store)
      is.fault = 'reset after broadcast'
      is.nodeUp = false
      for (let n = 0; n < 5; n++) await ask(program(), `Question ${n}`)
      const ledger = program()
      for (let second = 0; second < outageSeconds; second += 2) {
        await reconcileDue(ledger)
        clock.passSeconds(2)
      }
      expect(await states()).toEqual(Array.from({ length: 5 }, () => 'pending'))
      is.nodeUp = true
      for (let second = 0; second < 60; second += 2) {
        await reconcileDue(ledger)
        clock.passSeconds(2)
      }
      expect(await states(), `${outageSeconds} s`).toEqual(Array.from({ length: 5 }, () => 'settled'))
    }
  })

  it('publishes what is paid at the start of a program, whoever had claimed it', async () => {
    const store = await engine.open()
    const { is, program, ask, states } = await worldOf(store)
    is.fault = 'reset after broadcast'
    is.nodeUp = false
    await ask()
    is.nodeUp = true
    expect(await reconcileDue(program())).toMatchObject({ settled: 0 })
    expect(await lookAtAll(program())).toMatchObject({ settled: 1 })
    expect(await states()).toEqual(['settled'])
  })

  it('settles at the start what a killed program had claimed and never handed over, while its claim still lasts', async () => {
    const store = await engine.open()
    const { chain, is, program, ask, states } = await worldOf(store)
    is.fault = 'unanswered'
    await ask()
    is.fault = 'ok'
    // Nothing is due: the claim lasts.
    expect(await reconcileDue(program())).toMatchObject({ settled: 0 })
    expect(await lookAtAll(program())).toMatchObject({ settled: 1 })
    expect(await states()).toEqual(['settled'])
    await lookAtAll(program())
    expect(chain.transfers()).toHaveLength(1)
  })

  it('settles what was never handed over, and leaves alone what was refused', async () => {
    const store = await engine.open()
    const { clock, chain, is, program, ask, states } = await worldOf(store)
    is.fault = 'unanswered'
    await ask(program(), 'Lost.')
    is.fault = 'invalid'
    await ask(program(), 'Refused.')
    is.fault = 'ok'
    for (let second = 0; second < 60; second += 2) {
      await reconcileDue(program())
      clock.passSeconds(2)
    }
    expect(await states()).toEqual(['refused', 'settled'])
    expect(chain.transfers()).toHaveLength(1)
    clock.passSeconds(151)
    await reconcileDue(program())
    expect(await states()).toEqual(['expired', 'settled'])
  })

  it('does not believe a refusal of what may be on its way already', async () => {
    const store = await engine.open()
    const { clock, is, program, ask, states } = await worldOf(store)
    is.fault = 'mined later'
    await ask()
    is.fault = 'invalid'
    const ledger = program()
    for (const seconds of [3, 5, 9]) {
      clock.passSeconds(seconds)
      await reconcileDue(ledger)
    }
    expect(ledger.rail.settled).toHaveLength(1)
    expect(await states()).toEqual(['pending'])
    clock.passSeconds(16)
    await reconcileDue(ledger)
    expect(await states()).toEqual(['settled'])
  })

  it('leaves a refused payment its reason, however often it is looked for', async () => {
    const store = await engine.open()
    const { clock, is, program, ask } = await worldOf(store)
    is.fault = 'invalid'
    await ask()
    const why = async () => (await listPayments(store, { state: 'refused', limit: 9 })).map(({ reason }) => reason)
    const [first] = await why()
    expect(first).toMatch(/refuse|invalid/)
    for (let n = 0; n < 3; n++) {
      clock.passSeconds(31)
      await reconcileDue(program())
      expect(await why()).toEqual([first])
    }
  })

  it('publishes a refused payment that somebody else uses after all', async () => {
    const store = await engine.open()
    const { clock, chain, is, program, ask, states } = await worldOf(store)
    is.fault = 'invalid'
    const credential = await ask()
    clock.passSeconds(100)
    chain.broadcast(credential, 'third party', clock.us)
    clock.passSeconds(30)
    await reconcileDue(program())
    expect(await states()).toEqual(['settled'])
  })

  it('never calls anything expired while the node cannot say so', async () => {
    const store = await engine.open()
    const { clock, is, program, ask, states } = await worldOf(store)
    is.fault = 'reset after broadcast'
    is.nodeUp = false
    await ask()
    clock.passSeconds(1_000_000)
    await reconcileDue(program())
    await lookAtAll(program())
    expect(await states()).toEqual(['pending'])
    is.nodeUp = true
    await lookAtAll(program())
    expect(await states()).toEqual(['settled'])
  })

  it('is done by one of many programs that try at once', async () => {
    const store = await engine.open()
    const { clock, is, program, ask, states } = await worldOf(store)
    is.fault = 'unanswered'
    for (let n = 0; n < 10; n++) await ask(program(), `Question ${n}`)
    const programs = Array.from({ length: 6 }, program)
    // Two looks that only look, then one that settles.
    for (let round = 0; round < 3; round++) {
      if (round === 2) is.fault = 'ok'
      clock.passSeconds(31)
      await Promise.all(programs.map((one) => reconcileDue(one)))
    }
    expect(await states()).toEqual(Array.from({ length: 10 }, () => 'settled'))
    expect(programs.flatMap(({ rail }) => rail.settled)).toHaveLength(10)
    const events = await store.read.selectFrom('events').select('kind').execute()
    expect(events).toHaveLength(10)
  })

  it('gives up what a node does not find only at the second look in a row, and finds it when it is sent again', async () => {
    const store = await engine.open()
    const { clock, is, program, states } = await worldOf(store)
    const reason = 'The transaction was not on chain in time.'
    const node = { isLacking: false }
    const ledger = () => {
      const stand = program()
      const look: typeof stand.rail.look = async (payment) =>
        node.isLacking && is.nodeUp ? { kind: 'expired', reason, isUnsure: true } : stand.rail.look(payment)
      return { ...stand, rails: { ...stand.rails, x402: { ...stand.rail, look } } }
    }
    const request = aRequest(
      HOST,
      await signedBody(wallet, HOST, 'Is it up?', clock.us),
      aCredential(wallet.address, clock.us),
    )
    const send = () => answered(createThreads({ ...ledger(), signatures: plainSignatures }), request)
    is.fault = 'reset after broadcast'
    is.nodeUp = false
    await send()
    clock.passSeconds(151)
    // One answer of a node that has just come up: nothing is given up by it, nor by whoever asks beside it.
    is.nodeUp = true
    node.isLacking = true
    await lookAtAll(ledger())
    await reconcileDue(ledger())
    expect(await send()).toMatchObject({ kind: 'pending' })
    expect(await states()).toEqual(['pending'])
    is.nodeUp = false
    clock.passSeconds(16)
    await reconcileDue(ledger())
    is.nodeUp = true
    clock.passSeconds(16)
    await reconcileDue(ledger())
    expect(await states(), 'a look that could not see lay between').toEqual(['pending'])
    clock.passSeconds(16)
    await reconcileDue(ledger())
    expect(await states()).toEqual(['expired'])
    expect(await send()).toMatchObject({ slug: 'payment-refused', detail: reason })
    node.isLacking = false
    expect(await send()).toMatchObject({ kind: 'published', isNew: true })
    expect(await states()).toEqual(['settled'])
  })

  it('waits for a rail that its operator has taken away', async () => {
    const store = await engine.open()
    const { clock, chain, is, program, ask } = await worldOf(store)
    is.fault = 'unanswered'
    const credential = await ask()
    clock.passSeconds(31)
    const { rail, rails, ...rest } = program()
    const past = async () => rail
    const ledger = { ...rest, rails: { ...rails, x402: { name: 'x402', missing: ['X402_PAY_TO'], past } as const } }
    await reconcileDue(ledger)
    await lookAtAll(ledger)
    expect(rail.settled).toEqual([])
    const [payment] = await listPayments(store, { limit: 1 })
    expect(payment).toMatchObject({ state: 'pending', reason: 'payments by x402 are not set up: X402_PAY_TO' })
    expect((await findPayment(store.read, payment?.key ?? ''))?.dueUs).toBeGreaterThan(clock.us)
    // What was made all the same is found, by looking alone.
    chain.broadcast(credential, 'third party', clock.us)
    clock.passSeconds(31)
    expect(await reconcileDue(ledger)).toMatchObject({ settled: 1 })
    is.fault = 'reset after broadcast'
    is.nodeUp = false
    await ask(program(), 'Lost.')
    is.nodeUp = true
    expect(await lookAtAll(ledger)).toMatchObject({ settled: 1 })
    expect(rail.settled).toEqual([])
  })

  it('goes on by itself until it is told to stop, through failures of the store', async () => {
    const store = await engine.open()
    const { is, program, ask, states } = await worldOf(store)
    is.fault = 'reset after broadcast'
    is.nodeUp = false
    await ask()
    is.nodeUp = true
    let failures = 0
    const flaky: Store = {
      ...store,
      write: (work) => (failures++ < 2 ? Promise.reject(new Error('away')) : store.write(work)),
    }
    const stop = new AbortController()
    const ledger = program()
    let clockUs = ledger.nowUs()
    // Every look at the clock is a minute later: claims end at once.
    const running = keepReconciled({ ...ledger, store: flaky, nowUs: () => (clockUs += 60_000_000) }, stop.signal, 1)
    await expect.poll(states).toEqual(['settled'])
    stop.abort()
    await running
    expect(failures).toBeGreaterThan(2)
  })
})
