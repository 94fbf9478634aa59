import { createServer } from 'node:http'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { postMessage, reviewMessage } from '../wire/signed-lines.ts'
import {
  createClient,
  NoAnswerError,
  nextQuery,
  type Payer,
  post,
  quotePost,
  RefusedError,
  SentBeforeError,
  signPost,
  signReview,
  submitReview,
  UndecidedError,
  UnpaidError,
  UnreadableError,
} from './index.ts'

const account = privateKeyToAccount(generatePrivateKey())
const HOST = 'api.example.com'
const NOW_MS = Date.UTC(2026, 10, 14, 12, 34, 56, 789)

const POST = {
  ...{ id: 'p1', host: HOST, untrusted: true, text: 'hello', wallet: account.address, signature: '0x1' },
  ...{ signed_at: '2026-11-14T12:34:56Z', posted_at: '2026-11-14T12:34:57.000000Z', rail: 'x402', hidden: null },
  payment: { network: 'eip155:8453', transaction: '0x2', payer: account.address, settlement: 'verified on chain' },
  href: 'https://tollbook.example/v1/posts/p1',
}
const problemOf = (status: number, charged?: boolean | 'pending') => ({
  ...{ type: 'https://tollbook.example/problems/x', title: 'Wrong', status, detail: 'It is.', hint: 'Do else.' },
  ...{ request_id: 'r', ...(charged === undefined ? {} : { charged }) },
})
const json = (status: number, body: object, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers })

/** A directory that gives these answers one after the other, and remembers what it was sent. */
function scripted(...answers: (Response | Error)[]) {
  const sent: Request[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    sent.push(new Request(input, init))
    const answer = answers.shift()
    if (answer instanceof Response) return answer
    throw answer ?? new Error('nothing more to say')
  }
  return { sent, client: createClient({ baseUrl: 'https://tollbook.example/', fetch }) }
}

const payer = (): Payer & { signed: number } => {
  const paying = {
    rail: 'x402' as const,
    signed: 0,
    quote: async () => ({
      ...{ price: '0.050000', network: 'eip155:8453', asset: '0xa55e7', payee: '0xbee' },
      sign: async () => {
        paying.signed += 1
        return { 'PAYMENT-SIGNATURE': `credential ${paying.signed}` }
      },
    }),
  }
  return paying
}

const waits: number[] = []
const patient = { nowMs: () => 0, sleep: async (ms: number) => void waits.push(ms) }

describe('what the client signs', () => {
  it('are the very lines that the server checks, whatever the text', async () => {
    const said: string[] = []
    const signer = {
      address: account.address,
      signMessage: async ({ message }: { message: string }) => {
        said.push(message)
        return '0xsignature'
      },
    }
    for (const text of ['hello', 'Grüße, 世界 🌍', 'two\nlines\t', 'x'.repeat(4000)]) {
      const signedAt = '2026-11-14T12:34:56Z'
      expect(await signPost(signer, { host: HOST, text, nowMs: NOW_MS })).toEqual({
        ...{ text, wallet: account.address, signature: '0xsignature', signed_at: signedAt },
      })
      expect(said.pop()).toBe(postMessage({ host: HOST, text, signedAt }))
      const review = { url: `https://${HOST}/v1/x`, method: 'GET', rail: 'x402', rating: 4, text } as const
      const payment = { network: 'base', transaction: '0xabc' }
      await signReview(signer, { ...review, nowMs: NOW_MS })
      expect(said.pop()).toBe(reviewMessage({ ...review, payment: null, signedAt }))
      expect(await signReview(signer, { ...review, payment, nowMs: NOW_MS })).toMatchObject({ payment, rating: 4 })
      expect(said.pop()).toBe(reviewMessage({ ...review, payment, signedAt }))
    }
  })

  it('is nothing that the server would refuse', async () => {
    await expect(signPost(account, { host: HOST, text: '' })).rejects.toThrow('empty')
    await expect(signPost(account, { host: HOST, text: 'a\u202eb' })).rejects.toThrow('bidirectional')
  })
})

describe('reading', () => {
  it('asks for JSON, escapes names and leaves unknown parameters out', async () => {
    const page = { host: 'a/b:1', total: 0, posts: [], next: null, added_later: 1 }
    const { client, sent } = scripted(json(200, page))
    expect(await client.thread('a/b:1', { limit: 5 })).toEqual(page)
    expect(sent[0]?.url).toBe('https://tollbook.example/v1/thread/a%2Fb%3A1?limit=5')
    expect(sent[0]?.headers.get('accept')).toBe('application/json')
  })

  it('ends in time when the directory falls silent, before its answer or in the middle', async () => {
    const silent = createServer((request, response) => {
      if (request.url === '/v1/policy' || request.url === '/log/checkpoint') response.write('{')
    })
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const address = silent.address()
    const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    const client = createClient({ baseUrl, deadlineMs: 200 })
    for (const asked of [
      client.policy(),
      client.sources(),
      client.log.checkpoint(),
      client.log.entry(7),
      client.decide({ method: 'GET', url: baseUrl, rail: 'mpp' }),
    ])
      await expect(asked).rejects.toThrow(NoAnswerError)
    silent.closeAllConnections()
    silent.close()
  })

  it('goes on from the address of the next page', () => {
    expect(nextQuery({ next: 'https://elsewhere.example/v1/hosts?limit=1&cursor=abc' })).toEqual({ cursor: 'abc' })
    const events = { events: [], next: 'https://elsewhere.example/v1/events?format=json&limit=2&after=abc' }
    const on: { after: string } | undefined = nextQuery(events)
    expect(on).toEqual({ after: 'abc' })
    expect(nextQuery({ next: null })).toBeUndefined()
  })

  it.each([
    ['another host', { host: 'other.example', total: 0, posts: [], next: null }],
    ['another type', { host: HOST, total: 0, posts: {}, next: null }],
    ['items of another type', { host: HOST, total: 0, posts: ['hello'], next: null }],
    ['something missing', { host: HOST, posts: [], next: null }],
    ['a list', []],
    ['nothing', null],
  ])('rejects an answer with %s', async (_, document) => {
    const { client } = scripted(new Response(JSON.stringify(document)))
    await expect(client.thread(HOST)).rejects.toBeInstanceOf(UnreadableError)
  })

  it('takes the name of a host however it is written', async () => {
    const page = { host: 'xn--bcher-kva.example', total: 0, posts: [], next: null }
    const { client } = scripted(json(200, page), json(200, page))
    for (const name of ['BÜCHER.example.', 'bücher.example:443']) expect(await client.thread(name)).toEqual(page)
  })

  it('reads no answer without end', async () => {
    const piece = new Uint8Array(1_000_000).fill(32)
    let pulled = 0
    const endless = new ReadableStream({
      pull: (controller) => {
        pulled += 1
        controller.enqueue(piece)
      },
    })
    const { client } = scripted(new Response(endless))
    await expect(client.hosts()).rejects.toBeInstanceOf(UnreadableError)
    expect(pulled).toBeLessThan(20)
  })

  it('rejects with the problem that the directory names, and with the status when it names none', async () => {
    const { client } = scripted(json(404, problemOf(404)), new Response('<h1>Bad gateway</h1>', { status: 502 }))
    const refused = await client.host(HOST).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(RefusedError)
    expect(refused).toMatchObject({ status: 404, problem: { hint: 'Do else.' }, message: 'Wrong: It is.' })
    await expect(client.host(HOST)).rejects.toMatchObject({ status: 502, problem: undefined })
  })
})

describe('writing', () => {
  const body = { text: 'hello', wallet: account.address, signature: '0x1', signed_at: '2026-11-14T12:34:56Z' }

  it('pays once and sends the very same again while the outcome is not known', async () => {
    const { client, sent } = scripted(
      json(402, problemOf(402, false)),
      new TypeError('connection lost'),
      json(202, { id: 'p1', status: 'payment_pending' }, { 'retry-after': '3' }),
      json(500, problemOf(500, 'pending')),
      json(201, POST),
    )
    const paying = payer()
    waits.length = 0
    expect(await post(client, HOST, body, paying, patient)).toEqual(POST)
    expect(paying.signed).toBe(1)
    expect(waits).toEqual([1000, 3000, 1000])
    const [asked, ...paid] = sent
    expect(asked?.headers.get('payment-signature')).toBeNull()
    expect(paid.map(({ headers }) => headers.get('payment-signature'))).toEqual(Array(4).fill('credential 1'))
    expect(new Set(await Promise.all(sent.map((request) => request.text())))).toEqual(new Set([JSON.stringify(body)]))
  })

  it('takes no word of a proxy and no passing trouble for the outcome once the payment has left', async () => {
    const html = (status: number) => new Response('<h1>Gateway</h1>', { status })
    const { client, sent } = scripted(
      json(402, problemOf(402, false)),
      html(504),
      html(403),
      json(403, { message: 'blocked' }),
      json(408, problemOf(408, false)),
      json(425, problemOf(425, false)),
      json(429, problemOf(429, false), { 'retry-after': '7' }),
      json(429, problemOf(429, false), { 'retry-after': '3600' }),
      json(503, problemOf(503, false)),
      json(500, problemOf(500, true)),
      json(200, POST),
    )
    const paying = payer()
    waits.length = 0
    expect(await post(client, HOST, body, paying, patient)).toEqual(POST)
    expect(waits).toEqual([...Array(5).fill(1000), 7000, 15_000, 1000, 1000])
    expect(paying.signed).toBe(1)
    const paid = sent.slice(1).map(({ headers }) => headers.get('payment-signature'))
    expect(new Set(paid)).toEqual(new Set(['credential 1']))
  })

  it.each([400, 401, 402, 403, 404, 409, 410, 413, 422])(
    'takes HTTP %d that charged nothing for the outcome, also after a lost answer',
    async (status) => {
      const { client, sent } = scripted(
        json(402, problemOf(402, false)),
        new TypeError('connection lost'),
        json(status, problemOf(status, false)),
      )
      await expect(post(client, HOST, body, payer(), patient)).rejects.toMatchObject({ status, charged: false })
      expect(sent).toHaveLength(3)
    },
  )

  it('ends undecided after the time that it may wait, whatever the clock says', async () => {
    const bad = Array.from({ length: 11 }, () => new Response('<h1>Bad gateway</h1>', { status: 502 }))
    const { client, sent } = scripted(json(402, problemOf(402, false)), ...bad)
    const undecided = post(client, HOST, body, payer(), { ...patient, mostWaitMs: 10_000 })
    await expect(undecided).rejects.toBeInstanceOf(UndecidedError)
    expect(sent).toHaveLength(12)
  })

  it('says what a post costs before anything is signed, and signs once however often it is paid', async () => {
    const { client, sent } = scripted(json(402, problemOf(402, false)), json(201, POST), json(200, POST))
    const paying = payer()
    const { pay, ...price } = await quotePost(client, HOST, body, paying)
    expect(price).toEqual({ price: '0.050000', network: 'eip155:8453', asset: '0xa55e7', payee: '0xbee' })
    expect([paying.signed, sent.length]).toEqual([0, 1])
    expect([await pay(patient), await pay(patient)]).toEqual([POST, POST])
    expect(paying.signed).toBe(1)
  })

  it('keeps the words of a library that cannot sign to itself: they may name a node and its key', async () => {
    const { client, sent } = scripted(json(402, problemOf(402, false)))
    const sign = async () => Promise.reject(new Error('https://node.example/secret failed'))
    const failing: Payer = { rail: 'x402', quote: async (demand) => ({ ...(await payer().quote(demand)), sign }) }
    const unpaid = await post(client, HOST, body, failing, patient).catch((error: unknown) => error)
    expect(unpaid).toBeInstanceOf(UnpaidError)
    expect(unpaid).toMatchObject({ message: 'the payment could not be made ready; nothing was charged' })
    expect(sent).toHaveLength(1)
  })

  it('tells a directory that does not answer from one that refuses', async () => {
    const { client } = scripted(new TypeError('fetch failed'))
    await expect(post(client, HOST, body, payer(), patient)).rejects.toBeInstanceOf(NoAnswerError)
  })

  it('signs nothing for a message that was sent before, and stays until its outcome is known', async () => {
    const pending = { id: 'p1', status: 'payment_pending', charged: false }
    const { client, sent } = scripted(json(202, pending), json(202, pending), json(200, { ...POST, charged: false }))
    const paying = payer()
    expect(await post(client, HOST, body, paying, patient)).toEqual({ ...POST, charged: false })
    expect([paying.signed, sent.length]).toEqual([0, 3])
    const posted = scripted(json(200, POST))
    await expect(quotePost(posted.client, HOST, body, paying)).rejects.toBeInstanceOf(SentBeforeError)
  })

  it('sends the name of a post with every request for it', async () => {
    const { client, sent } = scripted(json(402, problemOf(402, false)), new TypeError('lost'), json(201, POST))
    await post(client, HOST, body, payer(), { ...patient, idempotencyKey: 'order 1' })
    expect(sent.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['order 1', 'order 1', 'order 1'])
    const before = scripted(json(202, { id: 'p1' }), json(200, POST))
    await post(before.client, HOST, body, payer(), { ...patient, idempotencyKey: 'order 1' })
    expect(before.sent.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['order 1', 'order 1'])
  })

  it('gives up with the means to ask again, without paying anew', async () => {
    const pending = () => json(202, { id: 'p1' })
    const { client } = scripted(json(402, problemOf(402, false)), pending(), json(200, POST))
    const paying = payer()
    const undecided = await post(client, HOST, body, paying, { ...patient, mostWaitMs: 0 }).catch((error) => error)
    expect(undecided).toBeInstanceOf(UndecidedError)
    expect(await undecided.again()).toEqual(POST)
    expect(paying.signed).toBe(1)
  })

  it('stops at a refusal that charged nothing, and at an answer that asks for no payment', async () => {
    const refused = scripted(json(402, problemOf(402, false)), json(403, problemOf(403, false)))
    await expect(post(refused.client, HOST, body, payer(), patient)).rejects.toMatchObject({
      status: 403,
      charged: false,
    })
    const unknown = scripted(json(404, problemOf(404, false)))
    const paying = payer()
    await expect(post(unknown.client, HOST, body, paying, patient)).rejects.toMatchObject({ status: 404 })
    expect(paying.signed).toBe(0)
  })

  it('posts through mpp at the address of mpp, and reviews at the address of reviews', async () => {
    const { client, sent } = scripted(json(404, problemOf(404)), json(400, problemOf(400)))
    await post(client, HOST, body, { ...payer(), rail: 'mpp' }).catch(() => undefined)
    const review = { url: `https://${HOST}/v1/x`, method: 'GET', rail: 'x402', rating: 4, text: 'hello' } as const
    await submitReview(client, review).catch(() => undefined)
    expect(sent.map(({ url }) => new URL(url).pathname)).toEqual([`/mpp/v1/thread/${HOST}`, '/v1/reviews'])
  })
})
