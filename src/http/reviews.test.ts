import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { directoryOf } from '../../test/support/directory.ts'
import { onEachEngine } from '../../test/support/engines.ts'
import { HOST, openReviewing, someone } from '../../test/support/reviewing.ts'
import { hideReview } from '../store/reviews/hide-review.ts'
import type { Store } from '../store/store.ts'
import { checkReviewDocument } from '../wire/check-writing.ts'
import { parseRateLimits } from './limits/rates.ts'
import type { ServerOptions, WebServer } from './server/server.ts'
import { ask, type Reply, startSample } from './testing/samples.ts'

const started: WebServer[] = []
afterEach(async () => {
  for (const web of started.splice(0)) await web.drain(1000)
})

/** A real server over a real store, with a seller in it. */
async function openWeb(store: Store, more: Partial<ServerOptions> = {}) {
  const world = await openReviewing(store)
  const web = await startSample({ directory: directoryOf(store), reviews: world.reviews, ...more })
  started.push(web)
  const post = (body: unknown, headers: Record<string, string> = {}): Promise<Reply> => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return ask(web.port, '/v1/reviews', { 'Content-Type': 'application/json', ...headers }, 'POST', text)
  }
  return { ...world, web, post, get: (path: string, headers = {}) => ask(web.port, path, headers) }
}

const DOCUMENT = z.looseObject({ id: z.string(), href: z.string(), message: z.string().nullable() })
const documentIn = ({ text }: Reply) => DOCUMENT.parse(JSON.parse(text))
const json = ({ text }: Reply): unknown => JSON.parse(text)

onEachEngine('reviews over HTTP', (engine) => {
  it('answers 201 with the stored review, 200 with the same one again, and shows it at its own address', async () => {
    const { post, get, signedBy } = await openWeb(await engine.open())
    const body = await signedBy(someone())
    const first = await post(body)
    expect(first.status).toBe(201)
    const review = documentIn(first)
    expect(review).toMatchObject({
      url: body.url,
      method: 'GET',
      rail: 'x402',
      rating: 4,
      text: body.text,
      untrusted: true,
      level: 'Signed',
      counts_as_agent_review: true,
      wallet: body.wallet,
      submitted_at: '2026-11-14T12:00:00.000000Z',
      href: `https://tollbook.example/v1/reviews/${review.id}`,
      events: [{ event: 'review', date: '2026-11-14T12:00:00.000000Z', level: 'Signed', rating: 4 }],
    })
    expect(first.headers.location).toBe(review.href)
    const again = await post(body)
    expect([again.status, documentIn(again).id]).toEqual([200, review.id])
    const shown = await get(`/v1/reviews/${review.id}`)
    expect(json(shown)).toEqual(json(first))
    expect(checkReviewDocument(json(shown))).toMatchObject({ ok: true })
    expect((await get('/v1/reviews/nothing')).status).toBe(404)
    const page = await get(`/v1/reviews/${review.id}`, { Accept: 'text/html' })
    expect(page.headers['content-type']).toContain('text/html')
    expect(page.text).toContain('Verify it yourself')
  })

  it('answers 200 with the stored review when it is sent again the next day, and 400 when it was never stored', async () => {
    const { post, signedBy, clock } = await openWeb(await engine.open())
    const [body, missed] = [await signedBy(someone()), await signedBy(someone())]
    const first = await post(body)
    clock.us += 86_400_000_000
    const again = await post(body)
    expect([first.status, again.status]).toEqual([201, 200])
    expect(json(again)).toEqual(json(first))
    const late = await post(missed)
    expect(late.status).toBe(400)
    expect(json(late)).toMatchObject({
      type: 'https://tollbook.example/problems/invalid-signed-at',
      field: 'signed_at',
    })
  })

  it('shows the review on the host view at once, in every form', async () => {
    const { post, get, unsigned } = await openWeb(await engine.open())
    const before = await get(`/hosts/${HOST}?format=json`)
    expect(json(before)).toMatchObject({ counters: { agent_reviews: 0 } })
    await post(unsigned({ text: 'A text of its own.' }))
    expect(json(await get(`/hosts/${HOST}?format=json`))).toMatchObject({
      counters: { agent_reviews: 1 },
      reviews_by_level: { verified_buyer: 0, signed: 0, unsigned: 1 },
      reviews_excluded: 0,
    })
    for (const format of ['html', 'md', 'json']) {
      const { text } = await get(`/hosts/${HOST}?format=${format}`)
      expect(text).toContain('A text of its own.')
      expect(text).toContain('Reviews for this route')
    }
  })

  it('sends the page of a review again only once something happened to it', async () => {
    const { post, get, signedBy, clock } = await openWeb(await engine.open())
    const wallet = someone()
    const { id } = documentIn(await post(await signedBy(wallet)))
    const shown = await get(`/v1/reviews/${id}`)
    const same = { 'If-None-Match': String(shown.headers.etag) }
    expect((await get(`/v1/reviews/${id}`, same)).status).toBe(304)
    clock.us += 60_000_000
    await post(await signedBy(wallet, { text: 'Slower now.' }))
    const later = await get(`/v1/reviews/${id}`, same)
    expect(later.status).toBe(200)
    expect(json(later)).toMatchObject({ counts_as_agent_review: false, events: [{ event: 'review' }, {}] })
  })

  it('leaves a dated placeholder in every form where its text was taken down, also when it is sent again', async () => {
    const store = await engine.open()
    const { post, get, signedBy, clock } = await openWeb(store)
    const text = 'Names a private person.'
    const body = await signedBy(someone(), { text })
    const first = await post(body)
    const { id, message } = documentIn(first)
    const shown = await get(`/v1/reviews/${id}`)
    await hideReview(store, id, clock.us, 'personal data')
    const hidden = { text: '', rating: 4, hidden: { at: '2026-11-14T12:00:00.000000Z', reason: 'personal data' } }
    const later = await get(`/v1/reviews/${id}`, { 'If-None-Match': String(shown.headers.etag) })
    expect(json(later)).toMatchObject({ ...hidden, message, events: [{ event: 'review' }, { event: 'review_hidden' }] })
    expect(checkReviewDocument(json(later))).toMatchObject({ ok: true })
    const again = await post(body)
    expect([again.status, json(again)]).toEqual([200, json(later)])
    expect(json(await get(`/v1/hosts/${HOST}/reviews`))).toMatchObject({ total: 1, reviews: [hidden] })
    expect(json(await get(`/v1/hosts/${HOST}`))).toMatchObject({ counters: { agent_reviews: 1 } })
    const pages = [
      ...[`/v1/reviews/${id}?format=html`, `/hosts/${HOST}`, `/hosts/${HOST}?format=md`, `/hosts/${HOST}?format=json`],
      ...[`/hosts/${HOST}/reviews?format=html`, `/hosts/${HOST}/reviews?format=md`, `/v1/events?format=json`],
    ]
    for (const path of pages) {
      const page = await get(path)
      expect([path, page.status, page.text.includes(text)]).toEqual([path, 200, false])
      expect(page.text, path).toContain('personal data')
    }
  })

  it('lists a host’s reviews by level, method and path', async () => {
    const { post, get, unsigned, signedBy } = await openWeb(await engine.open())
    await post(unsigned())
    await post(await signedBy(someone()))
    await post(unsigned({ url: `https://${HOST}/v1/users/7` }))
    const total = async (query: string) => {
      const reply = await get(`/v1/hosts/${HOST}/reviews${query}`)
      const { total, reviews } = z.object({ total: z.number(), reviews: z.array(z.unknown()) }).parse(json(reply))
      expect(reviews).toHaveLength(total)
      return total
    }
    expect(await total('')).toBe(3)
    expect(await total('?level=Unsigned')).toBe(2)
    expect(await total('?level=Signed&method=GET')).toBe(1)
    expect(await total('?method=POST')).toBe(0)
    expect(await total('?path=/v1/users/:id')).toBe(1)
    expect((await get(`/v1/hosts/${HOST}/reviews?level=Best`)).status).toBe(400)
  })

  it('gives the exact lines to sign, which then are taken', async () => {
    const { post, get } = await openWeb(await engine.open())
    const url = `https://${HOST}/v1/users/7`
    const fields = { url, method: 'GET', rail: 'x402', rating: 5, text: 'Grüße' }
    const query = new URLSearchParams({ ...fields, rating: '5', network: 'base', transaction: '0xabc' })
    const lines = await get(`/v1/reviews/message?${query}`, { Accept: 'text/plain' })
    expect(lines.headers['content-type']).toContain('text/plain')
    const both = json(await get(`/v1/reviews/message?${query}`))
    expect(both).toMatchObject({ message: lines.text, signed_at: '2026-11-14T12:34:56Z' })
    expect(lines.text.split('\n')).toEqual([
      'review',
      `GET ${url}`,
      'x402',
      '5',
      expect.stringMatching(/^[0-9a-f]{64}$/),
      'base 0xabc',
      '2026-11-14T12:34:56Z',
    ])
    const account = someone()
    const message = (await get(`/v1/reviews/message?${query}&signed_at=2026-11-14T12:00:00Z&format=text`)).text
    const reply = await post({
      ...fields,
      payment: { network: 'base', transaction: '0xabc' },
      wallet: account.address,
      signature: await account.signMessage({ message }),
      signed_at: '2026-11-14T12:00:00Z',
    })
    expect(reply.status).toBe(201)
    expect(documentIn(reply)).toMatchObject({ message, level_reason: 'there is no such transaction' })
    expect((await get('/v1/reviews/message?method=GET')).status).toBe(400)

    const told = `${query}&outcome_status=none&outcome_latency_ms=812`
    const eight = (await get(`/v1/reviews/message?${told}`, { Accept: 'text/plain' })).text.split('\n')
    expect(eight.slice(5)).toEqual(['base 0xabc', 'outcome none 812 none', '2026-11-14T12:34:56Z'])
    for (const wrong of ['outcome_status=500', 'outcome_latency_ms=1', 'outcome_status=99&outcome_latency_ms=1'])
      expect(json(await get(`/v1/reviews/message?${query}&${wrong}`))).toMatchObject({
        status: 400,
        hint: expect.stringMatching(/./),
        parameter: expect.stringMatching(/^outcome_/),
      })
  })

  it.each([
    ['not JSON', '{', 400, 'invalid-json'],
    ['a field twice', '{"url":"x","url":"y"}', 400, 'invalid-json'],
    ['an unknown field', '{"level":"Signed"}', 400, 'invalid-field'],
    ['more than 16 KiB', `{"text":"${'x'.repeat(17_000)}"}`, 413, 'body-too-large'],
  ])('refuses a body with %s', async (_, body, status, slug) => {
    const { post } = await openWeb(await engine.open())
    const reply = await post(body)
    expect(reply.status).toBe(status)
    expect(reply.headers['content-type']).toContain('application/problem+json')
    expect(json(reply)).toMatchObject({ type: `https://tollbook.example/problems/${slug}` })
  })

  it('limits accepted unsigned reviews by address, and signed ones by address and wallet', async () => {
    const limits = parseRateLimits('unsigned=2/h,signed=3/h') ?? null
    const { post, unsigned, signedBy } = await openWeb(await engine.open(), { limits })
    // What is refused costs nothing.
    for (let n = 0; n < 3; n++) expect((await post({ ...unsigned(), rating: 9 })).status).toBe(400)
    const [first, second, third] = [await post(unsigned()), await post(unsigned()), await post(unsigned())]
    expect([first.status, second.status, third.status]).toEqual([201, 201, 429])
    expect(first.headers.ratelimit).toMatch(/^"unsigned";r=1;t=3600$/)
    expect(first.headers['ratelimit-policy']).toBe('"unsigned";q=2;w=3600')
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(3000)
    expect(json(third)).toMatchObject({ type: 'https://tollbook.example/problems/rate-limited', status: 429 })
    const account = someone()
    for (let n = 0; n < 3; n++) expect((await post(await signedBy(account, { rating: n + 1 }))).status).toBe(201)
    expect((await post(await signedBy(account, { rating: 5 }))).status).toBe(429)
    expect((await post(await signedBy(someone()))).status).toBe(429)
  })

  it('works as the host view’s example says', async () => {
    const { post, get } = await openWeb(await engine.open())
    const view = z
      .object({ review_example: z.object({ url: z.string(), body: z.unknown() }) })
      .parse(json(await get(`/v1/hosts/${HOST}`)))
    expect(view.review_example.url).toBe('https://tollbook.example/v1/reviews')
    expect((await post(view.review_example.body)).status).toBe(201)
  })
})
