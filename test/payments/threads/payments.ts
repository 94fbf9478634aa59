import { recoverMessageAddress } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { tollbook } from '../../support/program.ts'
import { documentOf } from '../answers.ts'
import { type Captured, type ClientMaker, capture, mpp, x402v1, x402v2 } from '../clients.ts'
import { HOST, OTHER_HOST, PRICE, signedBody } from '../world.ts'
import { JSON_TYPE, pathOf, type Threads } from './opened.ts'

const CREDENTIAL_HEADER = { x402: 'payment-signature', mpp: 'authorization' } as const

interface Kind {
  readonly name: string
  readonly rail: 'x402' | 'mpp'
  readonly maker: ClientMaker
  readonly receipt: string
}
export const KINDS: readonly Kind[] = [
  { name: '@x402/fetch, version 2', rail: 'x402', maker: x402v2, receipt: 'payment-response' },
  { name: 'a client of x402 version 1', rail: 'x402', maker: x402v1, receipt: 'x-payment-response' },
  { name: 'mppx', rail: 'mpp', maker: mpp, receipt: 'payment-receipt' },
]

/** What one kind of client gets for its money. */
export function itPays({ name, rail, maker, receipt }: Kind, threads: Threads): void {
  const { at, get, send, appeared } = threads

  const captured = async (wallet: PrivateKeyAccount, body: string, host = HOST): Promise<Captured> =>
    capture(maker, threads.world, wallet, at(pathOf(rail, host)), body)

  it('pays once for one post, which is then everywhere', async () => {
    const wallet = await threads.world.wallet()
    const text = `Paid by ${name}`
    const before = await threads.world.income()
    const answer = await maker(threads.world, wallet)(at(pathOf(rail)), {
      method: 'POST',
      headers: JSON_TYPE,
      body: await signedBody(wallet, { text }),
    })
    const post = await documentOf(answer)
    expect({ status: answer.status, post }).toMatchObject({
      status: 201,
      post: { host: HOST, text, wallet: wallet.address, rail, payment: { payer: wallet.address } },
    })
    expect(await threads.world.income()).toBe(before + PRICE)
    expect(answer.headers.get(receipt)).toMatch(/^[\w+/=-]+$/)
    expect(answer.headers.get('cache-control')).toBe('private')
    expect(answer.headers.get('location')).toBe(post.href)
    expect(await appeared(HOST, text)).toMatchObject({ id: post.id })
    const page = await (await fetch(at(`/hosts/${HOST}?format=html`))).text()
    expect(page).toContain(text)
    expect(page).toContain(post.payment.transaction)
    const alone = await get(`/v1/posts/${post.id}`)
    expect(alone.payment).toMatchObject({
      payee: threads.world.payee.address,
      amount: String(PRICE),
      asset: expect.stringMatching(/^0x/),
      log_index: expect.any(Number),
      settled_at: expect.stringMatching(/Z$/),
    })
    const node = rail === 'x402' ? threads.world.base.rpcUrl : threads.world.tempo.url
    const verified = await tollbook(['verify', 'post', at(`/v1/posts/${post.id}`), '--rpc-url', node], {})
    expect([verified.code, verified.out]).toEqual([0, expect.stringContaining('The chain holds that transfer.')])
    expect(await recoverMessageAddress({ message: alone.message, signature: alone.signature })).toBe(wallet.address)
  })

  it('gets the same post for the same request again, charged once', async () => {
    const wallet = await threads.world.wallet()
    const request = await captured(wallet, await signedBody(wallet, { text: `Twice by ${name}` }))
    const before = await threads.world.income()
    const [first, ...later] = [await send(request), await send(request), await send(request)]
    expect([first.status, ...later.map(({ status }) => status)]).toEqual([201, 200, 200])
    for (const { document, headers } of later) {
      expect(document).toEqual(first.document)
      expect(headers.get(receipt)).not.toBeNull()
    }
    expect(await threads.world.income()).toBe(before + PRICE)
    const other = { ...request, body: await signedBody(wallet, { text: 'Another text' }) }
    expect(await send(other)).toMatchObject({ status: 409, document: { charged: false } })
    expect(await threads.world.income()).toBe(before + PRICE)
  })

  it('tries again as its makers have it, after the payment was made and nobody was told, and is charged once', async () => {
    const wallet = await threads.world.wallet()
    const text = `Tried again by ${name}`
    const init = { method: 'POST', headers: JSON_TYPE, body: await signedBody(wallet, { text }) }
    const client = maker(threads.world, wallet)
    const before = await threads.world.income()
    threads.world.facilitator.before = ({ path }) => {
      if (!path.endsWith('/settle')) return
      threads.world.baseNode.isDown = true
      throw new Error('nobody is told')
    }
    threads.world.tempoNode.before = ({ body }) => {
      if (!body.includes('eth_sendRawTransaction')) return
      threads.world.tempoNode.isDown = true
      throw new Error('nobody is told')
    }
    expect((await client(at(pathOf(rail)), init)).status).toBe(202)
    const undecided = await client(at(pathOf(rail)), init)
    expect(undecided.status).toBe(202)
    expect(await documentOf(undecided)).toMatchObject({ charged: false, earlier_charged: 'pending' })
    threads.world.baseNode.isDown = false
    threads.world.tempoNode.isDown = false
    const post = await appeared(HOST, text)
    const again = await client(at(pathOf(rail)), init)
    expect(again.status).toBe(200)
    expect(await documentOf(again)).toMatchObject({ id: post.id, charged: false, earlier_charged: true })
    // A payment that comes along all the same stays unused.
    const other = {
      url: at(pathOf(rail)),
      headers: { ...JSON_TYPE, [CREDENTIAL_HEADER[rail]]: 'eyJ9' },
      body: init.body,
    }
    expect(await send(other)).toMatchObject({ status: 200, document: { id: post.id, charged: false } })
    expect(await threads.world.income()).toBe(before + PRICE)
  })

  it('moves nothing for what is refused', async () => {
    const wallet = await threads.world.wallet()
    const stranger = await threads.world.wallet()
    const text = `Refused from ${name}`
    const request = await captured(wallet, await signedBody(wallet, { text }))
    const before = await threads.world.income()
    const cases: Record<string, Captured> = {
      'another host': { ...request, url: at(pathOf(rail, OTHER_HOST)) },
      'a changed text': { ...request, body: request.body.replace('Refused', 'Changed') },
      'no signature': { ...request, body: JSON.stringify({ text }) },
      'another signer': { ...request, body: await signedBody(stranger, { text }) },
      'signed too long ago': {
        ...request,
        body: await signedBody(wallet, { text, signedAt: '2026-01-01T00:00:00Z' }),
      },
      'no JSON': { ...request, body: 'no json' },
      'another type': { ...request, headers: { ...request.headers, 'content-type': 'text/plain' } },
    }
    // Version 1 of x402 says nowhere what it pays for.
    if (maker !== x402v1) {
      cases['another host, signed for it'] = {
        ...request,
        url: at(pathOf(rail, OTHER_HOST)),
        body: await signedBody(wallet, { text, host: OTHER_HOST }),
      }
    }
    for (const [what, refused] of Object.entries(cases)) {
      const { status, document } = await send(refused)
      expect({ what, refused: status >= 400 && status < 500, charged: document.charged }).toEqual({
        what,
        refused: true,
        charged: false,
      })
    }
    const signer = await send({ ...request, body: await signedBody(stranger, { text }) })
    expect([402, 403]).toContain(signer.status)
    expect(await threads.world.income()).toBe(before)
    const { posts } = await get(`/v1/thread/${OTHER_HOST}`)
    expect(posts).toEqual([])
  })

  it('is refused when its wallet is empty', async () => {
    const wallet = await threads.world.wallet(0n)
    const before = await threads.world.income()
    const request = await captured(wallet, await signedBody(wallet)).catch(() => undefined)
    // A client may find out by itself, and sign nothing.
    if (request) {
      const hint = expect.stringContaining('Add the asset to the wallet that pays')
      expect(await send(request)).toMatchObject({ status: 402, document: { charged: false, hint } })
    }
    expect(await threads.world.income()).toBe(before)
  })

  it('finds its post after the program was killed between settlement and publication', async () => {
    const wallet = await threads.world.wallet()
    const text = `Survived for ${name}`
    const request = await captured(wallet, await signedBody(wallet, { text }))
    const before = await threads.world.income()
    const killed = new Promise<void>((resolve) => {
      const kill = (): void => {
        threads.world.server.child.kill('SIGKILL')
        resolve()
      }
      threads.world.facilitator.before = ({ path }) => path === '/settle' && kill()
      threads.world.tempoNode.before = ({ body }) => body.includes('eth_sendRawTransaction') && kill()
    })
    await expect(send(request)).rejects.toThrow()
    await killed
    for (const relay of [threads.world.facilitator, threads.world.tempoNode]) relay.before = () => undefined
    await threads.world.server.stop('SIGKILL')
    await threads.world.restart()
    const post = await appeared(HOST, text)
    expect(await threads.world.income()).toBe(before + PRICE)
    const again = await send({ ...request, url: at(pathOf(rail)) })
    expect(again).toMatchObject({ status: 200, document: { id: post.id } })
    expect(await threads.world.income()).toBe(before + PRICE)
  })
}
