import { type Hash, http, isHash, recoverMessageAddress } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { serving, tollbook } from '../support/program.ts'
import { documentOf } from './answers.ts'
import { type Captured, type ClientMaker, capture, mpp, x402v1, x402v2 } from './clients.ts'
import { HOST, OTHER_HOST, type PaidWorld, PRICE, paidWorld, signedBody } from './world.ts'

let world: PaidWorld
beforeAll(async () => {
  world = await paidWorld()
})
afterAll(() => world?.stop())
afterEach(() => {
  for (const relay of [world.facilitator, world.baseNode, world.tempoNode]) {
    relay.isDown = false
    relay.release()
    relay.before = () => undefined
    relay.instead = () => undefined
  }
})

const CREDENTIAL_HEADER = { x402: 'payment-signature', mpp: 'authorization' } as const
const JSON_TYPE = { 'content-type': 'application/json' }
const pathOf = (rail: 'x402' | 'mpp', host = HOST): string =>
  rail === 'x402' ? `/v1/thread/${host}` : `/mpp/v1/thread/${host}`
const at = (path: string): string => `${world.server.address}${path}`
const get = async (path: string) => documentOf(await fetch(at(path)))
const send = async ({ url, headers, body }: Captured) => {
  const answer = await fetch(url, { method: 'POST', headers, body })
  return { status: answer.status, headers: answer.headers, document: await documentOf(answer) }
}
const inThread = async (host: string, text: string) =>
  (await get(`/v1/thread/${host}?limit=200`)).posts.find((post) => post.text === text)

/** The post in the thread of its host, once it is there. */
async function appeared(host: string, text: string) {
  await expect.poll(() => inThread(host, text), { timeout: 45_000, interval: 250 }).toBeDefined()
  const post = await inThread(host, text)
  if (post === undefined) throw new Error('the post is gone again')
  return post
}

interface Kind {
  readonly name: string
  readonly rail: 'x402' | 'mpp'
  readonly maker: ClientMaker
  readonly receipt: string
}
const KINDS: readonly Kind[] = [
  { name: '@x402/fetch, version 2', rail: 'x402', maker: x402v2, receipt: 'payment-response' },
  { name: 'a client of x402 version 1', rail: 'x402', maker: x402v1, receipt: 'x-payment-response' },
  { name: 'mppx', rail: 'mpp', maker: mpp, receipt: 'payment-receipt' },
]

describe.each(KINDS)('$name', ({ name, rail, maker, receipt }) => {
  const captured = async (wallet: PrivateKeyAccount, body: string, host = HOST): Promise<Captured> =>
    capture(maker, world, wallet, at(pathOf(rail, host)), body)

  it('pays once for one post, which is then everywhere', async () => {
    const wallet = await world.wallet()
    const text = `Paid by ${name}`
    const before = await world.income()
    const answer = await maker(world, wallet)(at(pathOf(rail)), {
      method: 'POST',
      headers: JSON_TYPE,
      body: await signedBody(wallet, { text }),
    })
    const post = await documentOf(answer)
    expect({ status: answer.status, post }).toMatchObject({
      status: 201,
      post: { host: HOST, text, wallet: wallet.address, rail, payment: { payer: wallet.address } },
    })
    expect(await world.income()).toBe(before + PRICE)
    expect(answer.headers.get(receipt)).toMatch(/^[\w+/=-]+$/)
    expect(answer.headers.get('cache-control')).toBe('private')
    expect(answer.headers.get('location')).toBe(post.href)
    expect(await appeared(HOST, text)).toMatchObject({ id: post.id })
    const page = await (await fetch(at(`/hosts/${HOST}?format=html`))).text()
    expect(page).toContain(text)
    expect(page).toContain(post.payment.transaction)
    const alone = await get(`/v1/posts/${post.id}`)
    expect(alone.payment).toMatchObject({
      payee: world.payee.address,
      amount: String(PRICE),
      asset: expect.stringMatching(/^0x/),
      log_index: expect.any(Number),
      settled_at: expect.stringMatching(/Z$/),
    })
    const node = rail === 'x402' ? world.base.rpcUrl : world.tempo.url
    const verified = await tollbook(['verify', 'post', at(`/v1/posts/${post.id}`), '--rpc-url', node], {})
    expect([verified.code, verified.out]).toEqual([0, expect.stringContaining('The chain holds that transfer.')])
    expect(await recoverMessageAddress({ message: alone.message, signature: alone.signature })).toBe(wallet.address)
  })

  it('gets the same post for the same request again, charged once', async () => {
    const wallet = await world.wallet()
    const request = await captured(wallet, await signedBody(wallet, { text: `Twice by ${name}` }))
    const before = await world.income()
    const [first, ...later] = [await send(request), await send(request), await send(request)]
    expect([first.status, ...later.map(({ status }) => status)]).toEqual([201, 200, 200])
    for (const { document, headers } of later) {
      expect(document).toEqual(first.document)
      expect(headers.get(receipt)).not.toBeNull()
    }
    expect(await world.income()).toBe(before + PRICE)
    const other = { ...request, body: await signedBody(wallet, { text: 'Another text' }) }
    expect(await send(other)).toMatchObject({ status: 409, document: { charged: false } })
    expect(await world.income()).toBe(before + PRICE)
  })

  it('tries again as its makers have it, after the payment was made and nobody was told, and is charged once', async () => {
    const wallet = await world.wallet()
    const text = `Tried again by ${name}`
    const init = { method: 'POST', headers: JSON_TYPE, body: await signedBody(wallet, { text }) }
    const client = maker(world, wallet)
    const before = await world.income()
    world.facilitator.before = ({ path }) => {
      if (!path.endsWith('/settle')) return
      world.baseNode.isDown = true
      throw new Error('nobody is told')
    }
    world.tempoNode.before = ({ body }) => {
      if (!body.includes('eth_sendRawTransaction')) return
      world.tempoNode.isDown = true
      throw new Error('nobody is told')
    }
    expect((await client(at(pathOf(rail)), init)).status).toBe(202)
    const undecided = await client(at(pathOf(rail)), init)
    expect(undecided.status).toBe(202)
    expect(await documentOf(undecided)).toMatchObject({ charged: false, earlier_charged: 'pending' })
    world.baseNode.isDown = false
    world.tempoNode.isDown = false
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
    expect(await world.income()).toBe(before + PRICE)
  })

  it('moves nothing for what is refused', async () => {
    const wallet = await world.wallet()
    const stranger = await world.wallet()
    const text = `Refused from ${name}`
    const request = await captured(wallet, await signedBody(wallet, { text }))
    const before = await world.income()
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
    expect(await world.income()).toBe(before)
    const { posts } = await get(`/v1/thread/${OTHER_HOST}`)
    expect(posts).toEqual([])
  })

  it('is refused when its wallet is empty', async () => {
    const wallet = await world.wallet(0n)
    const before = await world.income()
    const request = await captured(wallet, await signedBody(wallet)).catch(() => undefined)
    // A client may find out by itself, and sign nothing.
    if (request) {
      const hint = expect.stringContaining('Add the asset to the wallet that pays')
      expect(await send(request)).toMatchObject({ status: 402, document: { charged: false, hint } })
    }
    expect(await world.income()).toBe(before)
  })

  it('finds its post after the program was killed between settlement and publication', async () => {
    const wallet = await world.wallet()
    const text = `Survived for ${name}`
    const request = await captured(wallet, await signedBody(wallet, { text }))
    const before = await world.income()
    const killed = new Promise<void>((resolve) => {
      const kill = (): void => {
        world.server.child.kill('SIGKILL')
        resolve()
      }
      world.facilitator.before = ({ path }) => path === '/settle' && kill()
      world.tempoNode.before = ({ body }) => body.includes('eth_sendRawTransaction') && kill()
    })
    await expect(send(request)).rejects.toThrow()
    await killed
    for (const relay of [world.facilitator, world.tempoNode]) relay.before = () => undefined
    await world.server.stop('SIGKILL')
    await world.restart()
    const post = await appeared(HOST, text)
    expect(await world.income()).toBe(before + PRICE)
    const again = await send({ ...request, url: at(pathOf(rail)) })
    expect(again).toMatchObject({ status: 200, document: { id: post.id } })
    expect(await world.income()).toBe(before + PRICE)
  })
})

describe('a credential', () => {
  it.each([
    ['x402', { 'PAYMENT-SIGNATURE': 'garbage' }],
    ['x402', { 'PAYMENT-SIGNATURE': Buffer.from('{"x402Version":2}').toString('base64') }],
    ['x402', { 'X-PAYMENT': 'garbage' }],
    ['mpp', { Authorization: 'Payment garbage' }],
  ] as const)('on %s that is garbage (%j) is refused, and nothing is charged', async (rail, headers) => {
    const wallet = await world.wallet(0n)
    const request = { url: at(pathOf(rail)), headers: { ...JSON_TYPE, ...headers }, body: await signedBody(wallet) }
    const { status, document } = await send(request)
    expect([400, 402]).toContain(status)
    expect(document.charged).toBe(false)
  })

  it('with another amount, payee or time than it was signed for pays nothing', async () => {
    const wallet = await world.wallet()
    const before = await world.income()
    const request = await capture(x402v2, world, wallet, at(pathOf('x402')), await signedBody(wallet))
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
    expect(await world.income()).toBe(before)
  })

  it('under the payment-identifier of a refused one pays once, and the refused one never', async () => {
    const wallet = await world.wallet()
    const body = await signedBody(wallet, { text: 'Named twice' })
    const named = async () => {
      const request = await capture(x402v2, world, wallet, at(pathOf('x402')), body)
      const payload = JSON.parse(Buffer.from(request.headers['payment-signature'] ?? '', 'base64').toString())
      payload.extensions['payment-identifier'].info.id = 'an-order-of-sixteen'
      const header = Buffer.from(JSON.stringify(payload)).toString('base64')
      return { ...request, headers: { ...request.headers, 'payment-signature': header } }
    }
    const [first, second] = [await named(), await named()]
    const before = await world.income()
    const network = world.base.network
    world.facilitator.instead = ({ path }) =>
      path.endsWith('/settle')
        ? { success: false, errorReason: 'insufficient_funds', transaction: '', network }
        : undefined
    expect(await send(first)).toMatchObject({ status: 402, document: { charged: false } })
    const settled: string[] = []
    world.facilitator.instead = ({ path, body: asked }) => {
      if (path.endsWith('/settle')) settled.push(JSON.parse(asked).paymentPayload.payload.signature)
      return undefined
    }
    const paid = await send(second)
    expect(paid.status).toBe(201)
    expect(paid.document).not.toHaveProperty('charged')
    expect(await send(second)).toMatchObject({ status: 200, document: { id: paid.document.id } })
    expect(await send(first)).toMatchObject({ status: 200, document: { id: paid.document.id, charged: false } })
    expect(await world.income()).toBe(before + PRICE)
    const { payload } = JSON.parse(Buffer.from(second.headers['payment-signature'] ?? '', 'base64').toString())
    expect(settled).toEqual([payload.signature])
  })

  it('of mpp counts for the host and the body that its challenge was made for', async () => {
    const wallet = await world.wallet()
    const before = await world.income()
    const request = await capture(mpp, world, wallet, at(pathOf('mpp')), await signedBody(wallet))
    const elsewhere = { url: at(pathOf('mpp', OTHER_HOST)), body: await signedBody(wallet, { host: OTHER_HOST }) }
    expect(await send({ ...request, ...elsewhere })).toMatchObject({ status: 402, document: { charged: false } })
    const body = await signedBody(wallet, { text: 'Another text' })
    expect(await send({ ...request, body })).toMatchObject({ status: 402, document: { charged: false } })
    expect(await world.income()).toBe(before)
  })
})

describe('a directory with paid threads', () => {
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
        terms: [{ network: 'eip155:84532', payee: world.payee.address, amount: '50000' }],
      },
      { rail: 'mpp', available: true, terms: [{ network: 'tempo:1337', payee: world.payee.address, amount: '50000' }] },
    ])
  })

  it('is read while facilitator and nodes are down, and charges nobody then', async () => {
    const wallet = await world.wallet()
    const x402 = await capture(x402v2, world, wallet, at(pathOf('x402')), await signedBody(wallet))
    const paidMpp = await capture(mpp, world, wallet, at(pathOf('mpp')), await signedBody(wallet))
    const before = await world.income()
    for (const relay of [world.facilitator, world.baseNode, world.tempoNode]) relay.isDown = true
    for (const path of ['/', `/hosts/${HOST}`, `/v1/hosts/${HOST}`, `/v1/thread/${HOST}`, '/policy', '/readyz']) {
      expect([path, (await fetch(at(path))).status]).toEqual([path, 200])
    }
    for (const request of [x402, paidMpp]) {
      expect(await send(request)).toMatchObject({ status: 503, document: { charged: false } })
    }
    expect(await world.income()).toBe(before)
  })

  it('is read while facilitator and nodes hang and posts wait for them', async () => {
    const relays = [world.facilitator, world.baseNode, world.tempoNode]
    const wallet = await world.wallet()
    const before = await world.income()
    const requests = await Promise.all(
      [x402v2, x402v1, mpp].map(async (maker, n) => {
        const body = await signedBody(wallet, { text: `Waits ${n}` })
        return capture(maker, world, wallet, at(pathOf(maker === mpp ? 'mpp' : 'x402')), body)
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
    expect(await world.income()).toBe(before)
    // Nothing was used up: the same requests are taken when the outage is over.
    for (const request of requests) expect((await send(request)).status).toBe(201)
    expect(await world.income()).toBe(before + 3n * PRICE)
  })

  it('names what to set where a rail is not set up', async () => {
    const bare = await serving({ DATA_DIR: world.env.DATA_DIR })
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
})

describe('the commands', () => {
  const post = (wallet: PrivateKeyAccount, ...more: string[]) =>
    tollbook(
      ['post', HOST, '--to', world.server.address, '--key-file', world.keyFile(wallet.address), ...more],
      world.env,
    )

  it.each(['x402', 'mpp'])('post, and list the payment of %s', async (rail) => {
    const wallet = await world.wallet()
    const before = await world.income()
    const text = `By the command through ${rail}`
    const node = rail === 'mpp' ? ['--rpc-url', world.tempo.url] : []
    const { code, out, err } = await post(wallet, '--rail', rail, '--text', text, '--yes', ...node)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain(`recipient: ${world.payee.address}`)
    const { id } = await appeared(HOST, text)
    expect(out).toContain(`/v1/posts/${id}`)
    expect(await world.income()).toBe(before + PRICE)
    const listed = await tollbook(['payments', '--state', 'settled'], world.env)
    expect(listed.code).toBe(0)
    expect(listed.out.split('\n').find((line) => line.includes(id))).toMatch(
      new RegExp(`settled +${rail} +${HOST} .*verified on chain`),
    )
  })

  it('pay nothing above the limit or without a yes', async () => {
    const wallet = await world.wallet()
    const before = await world.income()
    const dear = await post(wallet, '--text', 'Too dear', '--max-cost', '0.01', '--yes')
    expect([dear.code, dear.err]).toEqual([1, expect.stringContaining('costs 0.050000 dollars')])
    const alone = await post(wallet, '--text', 'Unasked')
    expect([alone.code, alone.err]).toEqual([2, expect.stringContaining('--yes')])
    expect(await world.income()).toBe(before)
  })

  it('hide a post, and leave its place, date and signature', async () => {
    const wallet = await world.wallet()
    const text = 'To be taken down'
    const body = await signedBody(wallet, { text })
    const request = await capture(x402v2, world, wallet, at(pathOf('x402')), body)
    const { id } = (await send(request)).document
    const { code } = await tollbook(['hide', 'post', id, '--reason', 'personal data'], world.env)
    expect(code).toBe(0)
    await expect.poll(async () => (await get(`/v1/posts/${id}`)).text).toBe('')
    const hidden = await get(`/v1/posts/${id}`)
    expect(hidden).toMatchObject({ hidden: { reason: 'personal data' } })
    expect(await recoverMessageAddress({ message: hidden.message, signature: hidden.signature })).toBe(wallet.address)
    const page = await (await fetch(at(`/hosts/${HOST}?format=md`))).text()
    expect(page).not.toContain(text)
    expect((await send(request)).document.text).toBe('')
  })
})

function hashOf(text: string): Hash {
  if (!isHash(text)) throw new Error(`not a hash: ${text}`)
  return text
}

// Last: it moves the clock of Base past the end of every authorisation.
describe('a post whose payment is reorganised away', () => {
  it('is withdrawn once that is final, also by a program that was started after the first was killed', async () => {
    const wallet = await world.wallet()
    const text = 'Paid for a moment'
    const init = { method: 'POST', headers: JSON_TYPE, body: await signedBody(wallet, { text }) }
    const posted = await x402v2(world, wallet)(at(pathOf('x402')), init)
    expect(posted.status).toBe(201)
    const { id, payment } = await documentOf(posted)
    const { publicClient, testClient, rpcUrl } = world.base
    const { blockNumber } = await publicClient.getTransactionReceipt({ hash: hashOf(payment.transaction) })
    const depth = Number((await publicClient.getBlockNumber()) - blockNumber) + 1
    await http(rpcUrl)({}).request({ method: 'anvil_reorg', params: [depth, []] })
    expect((await get(`/v1/posts/${id}`)).text).toBe(text)
    await world.server.stop('SIGKILL')
    await world.base.advance(600)
    await testClient.mine({ blocks: 70, interval: 1 })
    await world.restart()
    const shown = async () => (await fetch(at(`/v1/posts/${id}`))).text()
    await expect.poll(shown, { timeout: 50_000, interval: 500 }).toContain('its payment is no longer on chain')
    expect(await shown()).not.toContain(text)
    const listed = await tollbook(['payments', '--state', 'expired'], world.env)
    expect(listed.out).toContain('its payment is no longer on chain: The authorisation ended unused.')
    const again = await fetch(at(pathOf('x402')), init)
    expect([again.status, (await documentOf(again)).charged]).toEqual([402, false])
  })
})
