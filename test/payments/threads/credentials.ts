import { expect, it } from 'vitest'
import { capture, mpp, x402v2 } from '../clients.ts'
import { OTHER_HOST, PRICE, signedBody } from '../world.ts'
import { JSON_TYPE, pathOf, type Threads } from './opened.ts'

/** What a credential is held to. */
export function itHoldsCredentials(threads: Threads): void {
  const { at, send } = threads

  it.each([
    ['x402', { 'PAYMENT-SIGNATURE': 'garbage' }],
    ['x402', { 'PAYMENT-SIGNATURE': Buffer.from('{"x402Version":2}').toString('base64') }],
    ['x402', { 'X-PAYMENT': 'garbage' }],
    ['mpp', { Authorization: 'Payment garbage' }],
  ] as const)('on %s that is garbage (%j) is refused, and nothing is charged', async (rail, headers) => {
    const wallet = await threads.world.wallet(0n)
    const request = { url: at(pathOf(rail)), headers: { ...JSON_TYPE, ...headers }, body: await signedBody(wallet) }
    const { status, document } = await send(request)
    expect([400, 402]).toContain(status)
    expect(document.charged).toBe(false)
  })

  it('with another amount, payee or time than it was signed for pays nothing', async () => {
    const wallet = await threads.world.wallet()
    const before = await threads.world.income()
    const request = await capture(x402v2, threads.world, wallet, at(pathOf('x402')), await signedBody(wallet))
    const header = request.headers['payment-signature'] ?? ''
    const payload = JSON.parse(Buffer.from(header, 'base64').toString())
    const { authorization } = payload.payload
    const past = String(Math.floor(Date.now() / 1000) - 60)
    const changes = [
      { authorization: { ...authorization, value: '1' } },
      { authorization: { ...authorization, to: wallet.address } },
      { authorization: { ...authorization, validBefore: past } },
    ]
    for (const change of changes) {
      const changed = { ...payload, payload: { ...payload.payload, ...change } }
      const headers = {
        ...request.headers,
        'payment-signature': Buffer.from(JSON.stringify(changed)).toString('base64'),
      }
      expect(await send({ ...request, headers })).toMatchObject({ status: 402, document: { charged: false } })
    }
    expect(await threads.world.income()).toBe(before)
  })

  it('under the payment-identifier of a refused one pays once, and the refused one never', async () => {
    const wallet = await threads.world.wallet()
    const body = await signedBody(wallet, { text: 'Named twice' })
    const named = async () => {
      const request = await capture(x402v2, threads.world, wallet, at(pathOf('x402')), body)
      const payload = JSON.parse(Buffer.from(request.headers['payment-signature'] ?? '', 'base64').toString())
      payload.extensions['payment-identifier'].info.id = 'an-order-of-sixteen'
      const header = Buffer.from(JSON.stringify(payload)).toString('base64')
      return { ...request, headers: { ...request.headers, 'payment-signature': header } }
    }
    const [first, second] = [await named(), await named()]
    const before = await threads.world.income()
    const network = threads.world.base.network
    threads.world.facilitator.instead = ({ path }) =>
      path.endsWith('/settle')
        ? { success: false, errorReason: 'insufficient_funds', transaction: '', network }
        : undefined
    expect(await send(first)).toMatchObject({ status: 402, document: { charged: false } })
    const settled: string[] = []
    threads.world.facilitator.instead = ({ path, body: asked }) => {
      if (path.endsWith('/settle')) settled.push(JSON.parse(asked).paymentPayload.payload.signature)
      return undefined
    }
    const paid = await send(second)
    expect(paid.status).toBe(201)
    expect(paid.document).not.toHaveProperty('charged')
    expect(await send(second)).toMatchObject({ status: 200, document: { id: paid.document.id } })
    expect(await send(first)).toMatchObject({ status: 200, document: { id: paid.document.id, charged: false } })
    expect(await threads.world.income()).toBe(before + PRICE)
    const { payload } = JSON.parse(Buffer.from(second.headers['payment-signature'] ?? '', 'base64').toString())
    expect(settled).toEqual([payload.signature])
  })

  it('of mpp counts for the host and the body that its challenge was made for', async () => {
    const wallet = await threads.world.wallet()
    const before = await threads.world.income()
    const request = await capture(mpp, threads.world, wallet, at(pathOf('mpp')), await signedBody(wallet))
    const elsewhere = { url: at(pathOf('mpp', OTHER_HOST)), body: await signedBody(wallet, { host: OTHER_HOST }) }
    expect(await send({ ...request, ...elsewhere })).toMatchObject({ status: 402, document: { charged: false } })
    const body = await signedBody(wallet, { text: 'Another text' })
    expect(await send({ ...request, body })).toMatchObject({ status: 402, document: { charged: false } })
    expect(await threads.world.income()).toBe(before)
  })
}
