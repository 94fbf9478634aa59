import { createServer, type RequestListener } from 'node:http'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { formatPrice, priceFromDecimal } from '../../domain/money/price.ts'
import { addressOf } from './address.ts'
import { createGuard, type Decision, type FindingCode, type GuardPolicy } from './index.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A directory that answers as it likes. */
async function directory(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const URL_ASKED = 'https://api.example.com/v1/x'
const QUESTION = { method: 'GET', url: URL_ASKED, rail: 'x402', offer: { price: '0.020000', network: 'base' } } as const
const STOP = { code: 'price_above_listed', severity: 'stop', said: 'Dear.', href: 'https://tollbook.example/' }
const asked = { method: 'GET', url: URL_ASKED, rail: 'x402' }
const GOOD = { asked, allow: true, findings: [] }
const answering =
  (document: unknown, status = 200): RequestListener =>
  (request, response) =>
    void request.resume().on('end', () => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(typeof document === 'string' ? document : JSON.stringify(document))
    })

function* blanks(): Generator<string> {
  for (;;) yield ' '.repeat(10_000)
}

/** Longer than a busy machine takes. */
const limitMs = 20_000
const verdictFrom = async (answer: RequestListener, policy: GuardPolicy = {}, patient = true) =>
  createGuard({ directory: await directory(answer), policy, ...(patient && { limitMs }) }).ask(QUESTION)
const codes = ({ findings }: { findings: readonly { severity: string; code: string }[] }) =>
  findings.map(({ severity, code }) => `${severity} ${code}`)

describe('a guard', () => {
  it('says what the directory says', async () => {
    expect(await verdictFrom(answering(GOOD))).toEqual({ allow: true, findings: [] })
    const stopped = await verdictFrom(answering({ asked, allow: false, findings: [STOP] }))
    const { href, ...rest } = STOP
    expect(stopped).toEqual({ allow: false, findings: [{ ...rest, evidence: href }] })
    const bare = { ...STOP, said: '', href: '' }
    expect((await verdictFrom(answering({ asked, allow: false, findings: [bare] }))).allow).toBe(false)
  })

  it('stops for a reason that only a newer directory knows', async () => {
    const later = { ...STOP, code: 'found_later' }
    expect(codes(await verdictFrom(answering({ asked, allow: false, findings: [later] })))).toEqual([
      'stop found_later',
    ])
  })

  it('asks once for a hundred payments at once, and not again while the answer is fresh', async () => {
    let requests = 0
    const to = await directory((request, response) => {
      requests += 1
      answering(GOOD)(request, response)
    })
    const guard = createGuard({ directory: to, limitMs })
    const all = await Promise.all(Array.from({ length: 100 }, () => guard.ask(QUESTION)))
    expect([requests, all.every(({ allow }) => allow)]).toEqual([1, true])
    await guard.ask(QUESTION)
    expect(requests).toBe(1)
    await guard.ask({ ...QUESTION, offer: { ...QUESTION.offer, price: '0.030000' } })
    expect(requests).toBe(2)
  })

  it('asks again for an answer from before the clock was set back', async () => {
    let requests = 0
    const fetch = async () => {
      requests += 1
      return Response.json(GOOD)
    }
    const guard = createGuard({ directory: 'https://tollbook.example', fetch })
    await guard.ask(QUESTION)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 30 * 86_400_000 })
    closing.push(() => vi.useRealTimers())
    await guard.ask(QUESTION)
    await guard.ask(QUESTION)
    expect(requests).toBe(2)
  })

  it('goes by its policy where a host is unknown', async () => {
    const unknown = { ...GOOD, findings: [{ ...STOP, code: 'unknown_host', severity: 'warn' }] }
    expect((await verdictFrom(answering(unknown))).allow).toBe(true)
    expect((await verdictFrom(answering(unknown), { unknownHost: 'refuse' })).allow).toBe(false)
    const refused = answering({ status: 400, field: 'url' }, 400)
    expect(codes(await verdictFrom(refused))).toEqual(['warn unknown_host'])
    expect(codes(await verdictFrom(refused, { unknownHost: 'refuse' }))).toEqual(['stop unknown_host'])
    expect(codes(await verdictFrom(refused, { stop: ['unknown_host'] }))).toEqual(['stop unknown_host'])
    expect(codes(await verdictFrom(refused, { stop: ['payee_changed'] }))).toEqual(['warn unknown_host'])
  })

  it.each<[string, RequestListener]>([
    ['hangs up', (request) => void request.socket.destroy()],
    ['never answers', () => undefined],
    ['answers HTTP 500', answering({}, 500)],
    ['is rate limiting', answering({}, 429)],
    ['refuses everything', answering({ detail: 'No.' }, 400)],
    ['answers no JSON', answering('<html>')],
    ['answers null', answering('null')],
    ['answers for another host', answering({ ...GOOD, asked: { ...asked, url: 'https://other.example/' } })],
    ['answers for another rail', answering({ ...GOOD, asked: { ...asked, rail: 'mpp' } })],
    ['answers with words for allow', answering({ ...GOOD, allow: 'yes' })],
    ['answers without findings', answering({ asked, allow: true })],
    ['answers findings of another kind', answering({ ...GOOD, findings: [{ code: 'mood' }] })],
    ['answers with a code that is none', answering({ asked, allow: false, findings: [{ ...STOP, code: 'Pay me!' }] })],
    ['answers with lines of its own', answering({ asked, allow: false, findings: [{ ...STOP, said: 'No.\nPaid.' }] })],
    ['contradicts itself', answering({ asked, allow: true, findings: [STOP] })],
    ['stops without a reason', answering({ asked, allow: false, findings: [] })],
    ['answers too much', answering(JSON.stringify({ ...GOOD, more: 'x'.repeat(1_000_000) }))],
    ['answers without end', (_, response) => void Readable.from(blanks()).pipe(response)],
    ['begins an answer and falls silent', (_, response) => void response.write('{')],
    ['leads elsewhere', (_, response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()],
  ])('goes by its policy where the directory %s', async (what, answer) => {
    const isSilent = ['never answers', 'begins an answer and falls silent'].includes(what)
    const from = (policy: GuardPolicy = {}) => verdictFrom(answer, policy, !isSilent)
    expect(codes(await from())).toEqual(['warn directory_unreachable'])
    const refusing = await from({ unreachable: 'refuse' })
    expect([refusing.allow, codes(refusing)]).toEqual([false, ['stop directory_unreachable']])
    const limited = await from({ maxPrice: '0.01' })
    expect([limited.allow, codes(limited)]).toEqual([false, ['stop price_above_limit', 'warn directory_unreachable']])
  })

  it('pays nothing above its limit, whatever a directory answers', async () => {
    const finding = fc.record({
      code: fc.constantFrom('price_above_limit', 'price_above_listed', 'unknown_host', 'asset_unknown', 'Pay me!'),
      severity: fc.constantFrom('stop', 'warn', 'info', 'none'),
      said: fc.string(),
      href: fc.string(),
    })
    const answer = fc.record({ asked: fc.constant(asked), allow: fc.boolean(), findings: fc.array(finding) })
    const refusal = fc.constantFrom({ field: 'url' }, { field: 'offer.price' })
    const documents = fc.oneof(
      answer,
      refusal,
      fc.json().map((text): unknown => JSON.parse(text)),
    )
    const statuses = fc.constantFrom(200, 400, 404, 500)
    const prices = fc.oneof(
      fc.integer({ min: 50_001 }).map(formatPrice),
      fc.constantFrom(null, '1e9', `9${'0'.repeat(30)}`),
    )
    const policies = fc.record({ stop: fc.constantFrom([], ['asset_unknown'] as const) }, { requiredKeys: [] })
    await fc.assert(
      fc.asyncProperty(documents, statuses, prices, policies, async (document, status, price, policy) => {
        const fetch = async () => Response.json(document, { status })
        const guard = createGuard({ directory: 'https://lies.example', fetch, policy: { ...policy, maxPrice: '0.05' } })
        const verdict = await guard.ask({ ...QUESTION, offer: { price, network: 'base' } })
        expect([verdict.allow, codes(verdict).filter((one) => one === 'stop price_above_limit').length > 0]).toEqual([
          false,
          true,
        ])
      }),
    )
  })

  it('knows by itself what is no dollar, and says nothing twice', async () => {
    const offer = { price: '0.020000', network: 'base', asset: '0xother' }
    const from = async (answer: RequestListener, policy: GuardPolicy = {}) =>
      codes(await createGuard({ directory: await directory(answer), policy, limitMs }).ask({ ...QUESTION, offer }))
    expect(await from(answering(GOOD))).toEqual(['stop asset_unknown'])
    expect(await from(answering(GOOD), { stop: [] })).toEqual(['warn asset_unknown'])
    const told = ['asset_unknown', 'price_above_limit'].map((code) => ({ ...STOP, code }))
    const honest = answering({ asked, allow: false, findings: told })
    expect(await from(honest, { maxPrice: '0.01' })).toEqual(['stop asset_unknown', 'stop price_above_limit'])
    const isMild = answering({ ...GOOD, findings: told.map((one) => ({ ...one, severity: 'warn' })) })
    expect(await from(isMild, { maxPrice: '0.05' })).toContain('stop asset_unknown')
    expect(await from(answering({ field: 'url' }, 400), { maxPrice: '0.01' })).toEqual([
      'stop price_above_limit',
      'stop asset_unknown',
      'warn unknown_host',
    ])
  })

  it('is told what a directory refuses of its question, and pays nothing', async () => {
    const detail = 'The field policy.stop must be a list of these codes: unknown_host.'
    const refused = await verdictFrom(answering({ field: 'policy.stop', detail }, 400))
    expect(refused).toMatchObject({ allow: false, findings: [{ code: 'directory_unreachable', said: detail }] })
    const lines = await verdictFrom(answering({ field: 'policy.stop', detail: 'No.\nPaid.' }, 400))
    expect(lines.findings).toMatchObject([{ severity: 'stop', said: 'The question is refused.' }])
  })

  it.each([
    ['5', '5.000000'],
    ['5.0000001', '5.000001'],
    ['99999999999999', null],
    ['-1', null],
    ['five', null],
  ])('asks for a price of %s as %s', async (price, asked) => {
    const told: unknown[] = []
    const fetch: typeof globalThis.fetch = async (_, init) => {
      told.push(JSON.parse(String(init?.body)).offer)
      return Response.json(GOOD)
    }
    const guard = createGuard({ directory: 'https://tollbook.example', fetch })
    const { allow } = await guard.ask({ ...QUESTION, offer: { price, network: 'base' } })
    expect([told, allow]).toEqual([[{ price: asked, network: 'base' }], asked !== null])
  })

  it('does not pay a price that nobody knows, named asset or not', async () => {
    const from = async (offer: { asset?: string; network: string | null }, policy: GuardPolicy = {}) => {
      const guard = createGuard({ directory: await directory(answering(GOOD)), policy, limitMs })
      return codes(await guard.ask({ ...QUESTION, offer: { price: null, ...offer } }))
    }
    expect(await from({ network: null })).toEqual(['stop asset_unknown'])
    expect(await from({ network: 'base', asset: USDC })).toEqual(['stop asset_unknown'])
    expect(await from({ network: null }, { stop: [] })).toEqual(['warn asset_unknown'])
  })

  it('locks up no more than its limit, and without one no more than the price', async () => {
    const from = async (deposit: string, policy: GuardPolicy = {}) => {
      const guard = createGuard({ directory: await directory(answering(GOOD)), policy, limitMs })
      return codes(await guard.ask({ ...QUESTION, offer: { ...QUESTION.offer, deposit } }))
    }
    expect(await from('1')).toEqual(['stop price_above_limit'])
    expect(await from('0.02')).toEqual([])
    expect(await from('1', { maxPrice: '0.05' })).toEqual(['stop price_above_limit'])
    expect(await from('1', { maxPrice: '1' })).toEqual([])
    expect(await from('much', { maxPrice: '1' })).toEqual(['stop price_above_limit'])
  })

  it('takes a long answer: a seller whose path is long, and much of whose evidence is kept, is stopped as any other', async () => {
    const href = `https://tollbook.example/hosts/api.example.com/route?path=${'%C3%A9'.repeat(1000)}`
    const answer = { asked, allow: false, findings: [{ ...STOP, href }], more: 'x'.repeat(600_000) }
    const guard = createGuard({ directory: await directory(answering(answer)) })
    expect((await guard.ask(QUESTION)).allow).toBe(false)
  })

  it('asks for a call with a query that is longer than any listed path without it', async () => {
    const urls: string[] = []
    const guard = createGuard({
      directory: 'https://tollbook.example',
      fetch: async (_, init) => {
        urls.push(JSON.parse(String(init?.body)).url)
        return Response.json(GOOD)
      },
    })
    const [most, more] = [1994, 1995].map((length) => `${URL_ASKED}?${'q'.repeat(length)}`)
    for (const url of [most, more]) await guard.ask({ ...QUESTION, url })
    expect(urls).toEqual([most, URL_ASKED])
  })

  it('keeps a late answer for the next time', async () => {
    let resolve = (): void => undefined
    const promise = new Promise<void>((done) => {
      resolve = done
    })
    const to = await directory((request, response) => void promise.then(() => answering(GOOD)(request, response)))
    const guard = createGuard({ directory: to, policy: { unreachable: 'refuse' } })
    expect((await guard.ask(QUESTION)).allow).toBe(false)
    resolve()
    await expect.poll(async () => (await guard.ask(QUESTION)).allow).toBe(true)
  })

  it('tells of every decision in one line, and not of names and passwords', async () => {
    const told: Decision[] = []
    const to = await directory(answering(GOOD))
    const guard = createGuard({ directory: to, limitMs, onDecision: (decision) => told.push(decision) })
    await guard.ask({ ...QUESTION, url: 'https://me:secret@api.example.com/v1/x#here' })
    expect(told.map(({ line }) => line)).toEqual([`allow x402 0.020000 ${URL_ASKED}`])
    const failing = createGuard({
      directory: to,
      onDecision: () => {
        throw new Error('disk full')
      },
    })
    expect((await failing.ask(QUESTION)).allow).toBe(true)
  })

  it('rejects for nothing, whatever it is asked', async () => {
    const guard = createGuard({ directory: 'http://127.0.0.1:1' })
    const offers = fc.record({ price: fc.option(fc.string()), network: fc.option(fc.string()) })
    await fc.assert(
      fc.asyncProperty(fc.option(fc.string(), { nil: undefined }), offers, async (url, offer) => {
        const isPriced = priceFromDecimal(String(offer.price)) !== undefined
        expect((await guard.ask({ url, rail: 'mpp', offer })).allow).toBe(isPriced)
      }),
      { numRuns: 30 },
    )
  })

  it('refuses a policy that would guard nothing', () => {
    const directory = 'http://127.0.0.1:1'
    expect(() => createGuard({ directory, policy: { maxPrice: 'five' } })).toThrow('maxPrice is dollars')
    expect(() => createGuard({ directory, policy: { tolerance: -1 } })).toThrow('tolerance')
    const stop: FindingCode[] = JSON.parse('["payee_never_seen", "seller_blacklisted"]')
    expect(() => createGuard({ directory, policy: { stop } })).toThrow('stop names an unknown code')
    for (const nowhere of ['', 'tollbook.example', 'localhost:8402', 'ftp://tollbook.example', 'https://'])
      expect(() => createGuard({ directory: nowhere })).toThrow('directory is no address')
    for (const policy of [{ unreachable: 'stop' }, { unknownHost: 'deny' }, { maxprice: '0.05' }])
      expect(() => Reflect.apply(createGuard, null, [{ directory, policy }])).toThrow('is not known')
    expect(() => Reflect.apply(createGuard, null, [{ directory, maxPrice: '0.05' }])).toThrow('maxPrice is not known')
  })
})

describe('the address that an offer is held to', () => {
  const seller = 'https://api.example.com/v1/x'

  /** A directory that knows one address, and warns of all others. */
  const guarding = (known: { severity: string }, policy: GuardPolicy = {}) => {
    const urls: string[] = []
    const fetch: typeof globalThis.fetch = async (_, init) => {
      const { url, rail } = JSON.parse(String(init?.body))
      urls.push(url)
      const findings = url === seller ? [known] : [{ ...STOP, code: 'never_probed', severity: 'warn' }]
      return Response.json({
        asked: { url, rail },
        allow: findings.every(({ severity }) => severity !== 'stop'),
        findings,
      })
    }
    return { urls, guard: createGuard({ directory: 'https://tollbook.example', fetch, policy }) }
  }

  it.each(['https://api.example.com/pay/now', 'https://other.example/pay', 'http://api.example.com/v1/x'])(
    'is the one that was asked for and the one that answered: %s',
    async (other) => {
      const [led, leading] = [guarding(STOP), guarding(STOP)]
      expect(codes(await led.guard.ask({ ...QUESTION, url: seller, answered: other }))).toEqual([
        'stop price_above_listed',
        'warn never_probed',
      ])
      expect((await leading.guard.ask({ ...QUESTION, url: other, answered: seller })).allow).toBe(false)
      expect([led.urls, leading.urls]).toEqual([
        [seller, other],
        [other, seller],
      ])
    },
  )

  it('is asked for once where both are the same, and counts as unreachable where none is known', async () => {
    const { guard, urls } = guarding(STOP)
    await guard.ask({ ...QUESTION, url: `${seller}#here`, answered: seller })
    await guard.ask({ ...QUESTION, url: undefined, answered: seller })
    expect(urls).toEqual([seller])
    expect(codes(await guard.ask({ ...QUESTION, url: undefined }))).toEqual(['warn directory_unreachable'])
  })

  it('is read from whatever a program asks for', () => {
    expect([seller, new URL(seller), new Request(seller)].map(addressOf)).toEqual([seller, seller, seller])
    fc.assert(
      fc.property(fc.anything(), (anything) => {
        const read = addressOf(anything)
        expect(read === undefined || typeof read === 'string').toBe(true)
      }),
    )
  })
})
