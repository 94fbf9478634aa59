import { expect, it } from 'vitest'
import { serving } from '../../support/program.ts'
import { documentOf } from '../answers.ts'
import { capture, mpp, x402v1, x402v2 } from '../clients.ts'
import { HOST, PRICE, signedBody } from '../world.ts'
import { pathOf, type Threads } from './opened.ts'

/** The directory itself, also while what it needs is away. */
export function itTakesPosts(threads: Threads): void {
  const { at, get, send } = threads

  it('asks for payment without a credential, whatever the body', async () => {
    for (const [rail, header] of [
      ['x402', 'payment-required'],
      ['mpp', 'www-authenticate'],
    ] as const) {
      const answer = await fetch(at(pathOf(rail)), { method: 'POST', body: 'no json' })
      expect([answer.status, answer.headers.has(header), (await documentOf(answer)).charged]).toEqual([
        402,
        true,
        false,
      ])
    }
    const unknown = await fetch(at('/v1/thread/unknown.paid.example'), { method: 'POST' })
    expect([unknown.status, (await documentOf(unknown)).charged]).toEqual([404, false])
  })

  it('says in its policy who is paid, where and in what', async () => {
    const { thread } = await get('/v1/policy')
    expect(thread?.price).toBe('0.050000')
    expect(thread?.rails).toMatchObject([
      {
        rail: 'x402',
        available: true,
        terms: [{ network: 'eip155:84532', payee: threads.world.payee.address, amount: '50000' }],
      },
      {
        rail: 'mpp',
        available: true,
        terms: [{ network: 'tempo:1337', payee: threads.world.payee.address, amount: '50000' }],
      },
    ])
  })

  it('is read while facilitator and nodes are down, and charges nobody then', async () => {
    const wallet = await threads.world.wallet()
    const x402 = await capture(x402v2, threads.world, wallet, at(pathOf('x402')), await signedBody(wallet))
    const paidMpp = await capture(mpp, threads.world, wallet, at(pathOf('mpp')), await signedBody(wallet))
    const before = await threads.world.income()
    for (const relay of [threads.world.facilitator, threads.world.baseNode, threads.world.tempoNode])
      relay.isDown = true
    for (const path of ['/', `/hosts/${HOST}`, `/v1/hosts/${HOST}`, `/v1/thread/${HOST}`, '/policy', '/readyz']) {
      expect([path, (await fetch(at(path))).status]).toEqual([path, 200])
    }
    for (const request of [x402, paidMpp]) {
      expect(await send(request)).toMatchObject({ status: 503, document: { charged: false } })
    }
    expect(await threads.world.income()).toBe(before)
  })

  it('is read while facilitator and nodes hang and posts wait for them', async () => {
    const relays = [threads.world.facilitator, threads.world.baseNode, threads.world.tempoNode]
    const wallet = await threads.world.wallet()
    const before = await threads.world.income()
    const requests = await Promise.all(
      [x402v2, x402v1, mpp].map(async (maker, n) => {
        const body = await signedBody(wallet, { text: `Waits ${n}` })
        return capture(maker, threads.world, wallet, at(pathOf(maker === mpp ? 'mpp' : 'x402')), body)
      }),
    )
    for (const relay of relays) relay.isHanging = true
    let answers = 0
    const waiting = requests.map(async (request) => {
      const answer = await send(request)
      answers++
      return answer
    })
    for (const path of ['/', `/hosts/${HOST}`, `/v1/hosts/${HOST}?q=x`, `/v1/thread/${HOST}`, '/policy', '/readyz']) {
      expect([path, (await fetch(at(path))).status, answers]).toEqual([path, 200, 0])
    }
    for (const relay of relays) relay.release()
    for (const answer of await Promise.all(waiting)) {
      expect(answer).toMatchObject({ status: 503, document: { charged: false } })
    }
    expect(await threads.world.income()).toBe(before)
    // Nothing was used up: the same requests are taken when the outage is over.
    for (const request of requests) expect((await send(request)).status).toBe(201)
    expect(await threads.world.income()).toBe(before + 3n * PRICE)
  })

  it('names what to set where a rail is not set up', async () => {
    const bare = await serving({ DATA_DIR: threads.world.env.DATA_DIR })
    try {
      for (const [rail, variable] of [
        ['x402', 'X402_PAY_TO'],
        ['mpp', 'MPP_RECIPIENT'],
      ] as const) {
        const answer = await fetch(`${bare.address}${pathOf(rail)}`, { method: 'POST' })
        const document = await documentOf(answer)
        expect([answer.status, document.charged]).toEqual([503, false])
        expect(document.detail).toContain(variable)
      }
    } finally {
      await bare.stop()
    }
  })
}
