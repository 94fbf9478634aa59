import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PostAnswer, PostRequest, Threads } from '../acts/posts/threads.ts'
import { problem } from '../domain/problem-kinds.ts'
import { NOON_US } from '../render/testing/sample-views.ts'
import type { WebServer } from './server/server.ts'
import { ask, MemoryDirectory, type Reply, startSample, UNSET_THREADS } from './testing/samples.ts'

// The act itself is stood in for: what is tried here is how requests reach it and how its answers leave.

const HOST = 'api.weather.example'
const POST = {
  host: HOST,
  id: 'p-9',
  text: 'Is it metered per call?',
  wallet: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  signature: '0x33',
  signedAt: '2026-11-14T12:30:00Z',
  postedUs: NOON_US,
  rail: 'x402',
  payment: {
    network: 'eip155:84532',
    transaction: '0x44',
    payer: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    settlement: 'as the facilitator says',
    ...{ asset: '0xasset', amount: '50000', payee: '0xpayee', logIndex: null, settledUs: NOON_US },
  },
  hidden: null,
} as const
const PUBLISHED: PostAnswer = {
  kind: 'published',
  isNew: true,
  post: POST,
  headers: { 'PAYMENT-RESPONSE': 'cmVjZWlwdA==', 'Cache-Control': 'private' },
}

const seen: PostRequest[] = []
let answer: (request: PostRequest) => Promise<PostAnswer>
const threads: Threads = {
  ...UNSET_THREADS,
  post: (asked) => {
    seen.push(asked)
    return answer(asked)
  },
}

const directory = new MemoryDirectory()
let web: WebServer & { readonly lines: string[] }
beforeAll(async () => {
  directory.put(HOST)
  web = await startSample({ directory, threads })
})
afterAll(() => web.drain(1000))
beforeEach(() => {
  seen.length = 0
  answer = async () => PUBLISHED
})

const post = (path: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<Reply> =>
  ask(web.port, path, headers, 'POST', body)
const json = (reply: Reply): Record<string, unknown> => JSON.parse(reply.text)
const TYPE = { 'Content-Type': 'application/json' }

describe('a post to a thread', () => {
  it('reaches the act with the digest of its exact bytes and the address that BASE_URL gives', async () => {
    const body = '{ "text":"é" }\n'
    await post(`/v1/thread/${HOST.toUpperCase()}`, body, { ...TYPE, 'X-PAYMENT': 'abc' })
    await post(`/mpp/v1/thread/${HOST}`, body, TYPE)
    expect(seen.map(({ rail, host, resource }) => [rail, host, resource])).toEqual([
      ['x402', HOST, `https://tollbook.example/v1/thread/${HOST}`],
      ['mpp', HOST, `https://tollbook.example/mpp/v1/thread/${HOST}`],
    ])
    expect(seen[0]?.bodyDigest).toBe(createHash('sha256').update(body).digest('hex'))
    expect([seen[0]?.header('x-payment'), seen[1]?.header('x-payment')]).toEqual(['abc', undefined])
    expect(await seen[0]?.body()).toEqual({ text: 'é' })
  })

  it('answers 201 with the post, its address and the receipt, and 200 with the same later', async () => {
    const first = await post(`/v1/thread/${HOST}`, '{}', TYPE)
    answer = async () => ({ ...PUBLISHED, isNew: false })
    const second = await post(`/v1/thread/${HOST}`, '{}', TYPE)
    expect([first.status, second.status]).toEqual([201, 200])
    expect(second.text).toBe(first.text)
    for (const reply of [first, second]) {
      expect(reply.headers).toMatchObject({
        'payment-response': 'cmVjZWlwdA==',
        'cache-control': 'private',
        location: 'https://tollbook.example/v1/posts/p-9',
      })
    }
    expect(json(first)).toMatchObject({
      id: 'p-9',
      host: HOST,
      text: POST.text,
      wallet: POST.wallet,
      signed_at: POST.signedAt,
      posted_at: '2026-11-14T12:34:56.123456Z',
      rail: 'x402',
      payment: {
        ...{ network: 'eip155:84532', transaction: '0x44', payer: POST.wallet, settlement: 'as the facilitator says' },
        ...{ asset: '0xasset', amount: '50000', payee: '0xpayee', log_index: null },
        settled_at: '2026-11-14T12:34:56.123456Z',
      },
      href: 'https://tollbook.example/v1/posts/p-9',
    })
  })

  it('says that nothing is charged where an earlier request has paid for the same message, or may have', async () => {
    answer = async () => ({ ...PUBLISHED, isNew: false, charged: false })
    const posted = await post(`/v1/thread/${HOST}`, '{}', TYPE)
    expect([posted.status, json(posted)]).toMatchObject([200, { id: 'p-9', charged: false, earlier_charged: true }])
    answer = async () => ({ kind: 'pending', postId: 'p-9', retryAfterSeconds: 3, charged: false })
    const pending = await post(`/v1/thread/${HOST}`, '{}', TYPE)
    expect([pending.status, json(pending)]).toMatchObject([202, { charged: false, earlier_charged: 'pending' }])
  })

  it('does not bring back a text that was taken down', async () => {
    const hidden = { atUs: NOON_US, reason: 'personal data' }
    answer = async () => ({ ...PUBLISHED, isNew: false, post: { ...POST, hidden } })
    expect(json(await post(`/v1/thread/${HOST}`, '{}', TYPE))).toMatchObject({
      text: '',
      hidden: { reason: 'personal data' },
    })
  })

  it('answers 202 with when to ask again while nobody can say whether it was paid', async () => {
    answer = async () => ({ kind: 'pending', postId: 'p-9', retryAfterSeconds: 3 })
    const reply = await post(`/v1/thread/${HOST}`, '{}', TYPE)
    expect([reply.status, reply.headers['retry-after'], reply.headers['cache-control']]).toEqual([202, '3', 'no-store'])
    expect(json(reply)).toMatchObject({ id: 'p-9', status: 'payment_pending', charged: 'pending' })
  })

  it('lets the act see a body that is no JSON, and says so only when it is asked for', async () => {
    answer = async (asked) => {
      if (asked.header('x-payment') !== undefined) await asked.body()
      throw problem('payment-required', 'Pay.', { more: { charged: false } })
    }
    expect((await post(`/v1/thread/${HOST}`, 'no json')).status).toBe(402)
    const unread = await post(`/v1/thread/${HOST}`, 'no json', { 'X-PAYMENT': 'abc' })
    expect([unread.status, json(unread).charged]).toEqual([415, false])
    const unclear = await post(`/v1/thread/${HOST}`, '{"a":1,"a":2}', { ...TYPE, 'X-PAYMENT': 'abc' })
    expect([unclear.status, json(unclear).charged]).toEqual([400, false])
  })

  it.each([
    ['an unknown host', '/v1/thread/other.example', '{}', 404],
    ['what is no host', '/v1/thread/127.0.0.1', '{}', 400],
    ['a body that is too large', `/v1/thread/${HOST}`, Buffer.alloc(17 * 1024), 413],
  ])('is refused for %s before the act, and says that nothing was charged', async (_, path, body, status) => {
    for (const prefix of ['', '/mpp']) {
      const reply = await post(`${prefix}${path}`, body, { ...TYPE, 'PAYMENT-SIGNATURE': 'abc' })
      expect([reply.status, json(reply).charged]).toEqual([status, false])
      expect(reply.headers['content-type']).toContain('application/problem+json')
      const page = await post(`${prefix}${path}`, body, { ...TYPE, Accept: 'text/html', 'PAYMENT-SIGNATURE': 'abc' })
      expect([page.status, page.text.includes('<p>Nothing was charged.</p>')]).toEqual([status, true])
    }
    expect(seen).toEqual([])
  })

  it('is counted while it streams, whatever length it declares', async () => {
    const reply = await post(`/v1/thread/${HOST}`, Buffer.alloc(17 * 1024), { 'Transfer-Encoding': 'chunked' })
    expect([reply.status, json(reply).charged]).toEqual([413, false])
  })

  it('is not said to be free when the act fails unexpectedly with a credential in its hands', async () => {
    answer = async () => {
      throw new Error('the disk is full')
    }
    const paid = json(await post(`/v1/thread/${HOST}`, '{}', { ...TYPE, 'X-PAYMENT': 'abc' }))
    expect(paid).toMatchObject({ status: 500, charged: 'pending' })
    expect(JSON.stringify(paid)).not.toContain('disk')
    expect(json(await post(`/v1/thread/${HOST}`, '{}', TYPE))).toMatchObject({ status: 500, charged: false })
  })

  it('is made with POST on the endpoint of mpp, and with nothing else', async () => {
    const reply = await ask(web.port, `/mpp/v1/thread/${HOST}`)
    expect([reply.status, reply.headers.allow, json(reply).charged]).toEqual([405, 'POST', false])
    const other = await ask(web.port, `/v1/thread/${HOST}`, {}, 'DELETE')
    expect([other.status, other.headers.allow]).toEqual([405, 'GET, HEAD, POST'])
  })
})

describe('a paid request beyond the budget of its address', () => {
  it('does not say that nothing was charged: an earlier copy may have been taken', async () => {
    const many = { count: 1000, windowMs: 60_000 }
    const one = { count: 1, windowMs: 60_000 }
    const limits = { unsigned: many, 'unsigned-host': many, signed: many, 'seller-host': many, reads: one }
    const limited = await startSample({ directory, threads, limits })
    const send = (path: string, headers: Record<string, string> = {}) =>
      ask(limited.port, path, { ...TYPE, ...headers }, 'POST', '{}')
    try {
      const paying = { 'PAYMENT-SIGNATURE': 'abc' }
      expect((await send(`/v1/thread/${HOST}`, paying)).status).toBe(201)
      const again = await send(`/v1/thread/${HOST}`, paying)
      expect(json(again)).toMatchObject({ status: 429, charged: 'pending' })
      expect(json(again).hint).toMatch(/^Wait \d+ s and send the very same request again: /)
      const hint = expect.stringMatching(/^Wait \d+ s and send it again\.$/)
      expect(json(await send(`/v1/thread/${HOST}`))).toMatchObject({ status: 429, charged: false, hint })
      expect(json(await send('/v1/reviews'))).toMatchObject({ status: 429, hint })
      expect(json(await send('/v1/reviews')).charged).toBeUndefined()
    } finally {
      await limited.drain(1000)
    }
  })
})

describe('signed writes', () => {
  it('are limited per address once a new post is looked at, and nothing is charged then', async () => {
    const rate = { count: 2, windowMs: 3_600_000 }
    const limits = {
      unsigned: rate,
      'unsigned-host': rate,
      signed: rate,
      'seller-host': rate,
      reads: { count: 1000, windowMs: 60_000 },
    }
    const limited = await startSample({ directory, threads, limits })
    answer = async (asked) => {
      await asked.body()
      asked.signing?.()
      return PUBLISHED
    }
    const write = async () => {
      const url = `http://127.0.0.1:${limited.port}/v1/thread/${HOST}`
      const reply = await fetch(url, { method: 'POST', headers: { ...TYPE, 'X-PAYMENT': 'abc' }, body: '{}' })
      return { status: reply.status, headers: reply.headers, document: await reply.json() }
    }
    try {
      const taken = [await write(), await write()]
      expect(taken.map(({ status }) => status)).toEqual([201, 201])
      expect(taken[1]?.headers.get('ratelimit')).toMatch(/^"signed";r=0;t=/)
      const refused = await write()
      expect(refused).toMatchObject({ status: 429, document: { charged: false } })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      // A payment that is known already is not looked at again.
      answer = async () => ({ ...PUBLISHED, isNew: false })
      expect((await write()).status).toBe(200)
    } finally {
      await limited.drain(1000)
    }
  })
})

describe('the lines to sign', () => {
  const DIGEST = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'
  const LINES = `thread\n${HOST}\n${DIGEST}\n2026-11-14T12:34:56Z`
  const at = (query: string, headers = {}) => ask(web.port, `/v1/thread/${HOST}/message?${query}`, headers)

  it('come as JSON with their parts, signed now unless told otherwise', async () => {
    expect(json(await at('text=hello'))).toEqual({
      message: LINES,
      text_sha256: DIGEST,
      signed_at: '2026-11-14T12:34:56Z',
    })
    const earlier = json(await at('text=hello&signed_at=2026-11-14T12:30:00Z'))
    expect(earlier.message).toBe(LINES.replace('12:34:56', '12:30:00'))
  })

  it('stand beside the address of either rail', async () => {
    const reply = await ask(web.port, `/mpp/v1/thread/${HOST}/message?text=hello`)
    expect([reply.status, json(reply)]).toEqual([200, json(await at('text=hello'))])
  })

  it('come as the exact bytes to sign when plain text is asked for', async () => {
    for (const reply of [await at('text=hello', { Accept: 'text/plain' }), await at('text=hello&format=text')]) {
      expect(reply.text).toBe(LINES)
      expect(reply.headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    }
  })

  it('take the digest of a text that fits no address', async () => {
    expect(json(await at(`text_sha256=${DIGEST}`)).message).toBe(LINES)
    expect((await at(`text=other&text_sha256=${DIGEST}`)).status).toBe(400)
  })

  it.each([
    ['', 'invalid-parameter'],
    ['text=', 'invalid-text'],
    ['text=%E2%80%AEabc', 'invalid-text'],
    ['text=a&signed_at=yesterday', 'invalid-parameter'],
    ['text_sha256=AB', 'invalid-parameter'],
  ])('are refused for ?%s', async (query, slug) => {
    const reply = await at(query)
    expect([reply.status, String(json(reply).type).split('/').pop()]).toEqual([400, slug])
  })

  it('are given for known hosts only', async () => {
    const reply = await ask(web.port, '/v1/thread/api.weather.exampl/message?text=a')
    expect([reply.status, json(reply).charged]).toEqual([404, undefined])
  })
})

describe('one post', () => {
  it('comes as JSON with the lines that were signed, and leads to its host', async () => {
    const reply = await ask(web.port, '/v1/posts/p-1')
    expect(json(reply)).toMatchObject({
      id: 'p-1',
      host: HOST,
      untrusted: true,
      text_sha256: 'ab'.repeat(32),
      message: `thread\n${HOST}\n${'ab'.repeat(32)}\n2026-11-14T12:30:00Z`,
      href: 'https://tollbook.example/v1/posts/p-1',
      host_href: `https://tollbook.example/v1/hosts/${HOST}`,
    })
    expect(reply.headers.link).toContain(`<https://tollbook.example/hosts/${HOST}>; rel="up"`)
    expect(reply.headers.etag).toMatch(/^"/)
  })

  it('comes as a page for a browser', async () => {
    const reply = await ask(web.port, '/v1/posts/p-1', { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(reply.text).toContain('Does the hourly route count calls per key?')
    expect(reply.headers['content-security-policy']).toContain("default-src 'none'")
  })

  it('is a dated placeholder when it was hidden', async () => {
    expect(json(await ask(web.port, '/v1/posts/p-2'))).toMatchObject({
      text: '',
      signature: '0xsignature',
      hidden: { at: '2026-11-14T12:34:56.123456Z', reason: 'personal data' },
    })
    const page = await ask(web.port, '/v1/posts/p-2?format=html')
    expect(page.text).toContain('Hidden 2026-11-14T12:34:56.123456Z: personal data')
  })

  it('is not there under another id', async () => {
    const reply = await ask(web.port, '/v1/posts/p-404')
    expect([reply.status, String(json(reply).type).split('/').pop()]).toEqual([404, 'unknown-writing'])
  })
})
