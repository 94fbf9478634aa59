import { createServer, type Server } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { portOf } from '../../sandbox/local/local-server.ts'
import { signReview } from '../../src/client/index.ts'
import { documentOf } from '../payments/answers.ts'
import { type ClientMaker, mpp, x402v1, x402v2 } from '../payments/clients.ts'
import { HOST, type PaidWorld, PRICE, paidWorld, signedBody } from '../payments/world.ts'
import { chromiumPath, openBrowser } from './chromium.ts'

const path = chromiumPath()
let world: PaidWorld
let browser: Browser
let page: Page
let elsewhere: Server
beforeAll(async () => {
  if (path === undefined) return
  world = await paidWorld()
  browser = await openBrowser(path)
  elsewhere = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<title>x</title>'),
  )
  await new Promise<void>((listening) => elsewhere.listen(0, '127.0.0.1', listening))
  page = await browser.newPage()
  await page.goto(`http://localhost:${portOf(elsewhere.address())}/`)
}, 180_000)
afterAll(async () => {
  await browser?.close()
  elsewhere?.close()
  await world?.stop()
})

const answered = z.object({ status: z.number(), headers: z.array(z.tuple([z.string(), z.string()])), text: z.string() })

/** Sends from the page, so that the browser decides what may leave and what of the answer may be read. */
const fromPage: typeof fetch = async (input, init) => {
  const request = new Request(input, init)
  const asked = { method: request.method, headers: [...request.headers], body: await request.text() }
  const options = JSON.stringify(asked.method === 'GET' ? { headers: asked.headers } : asked)
  const told: unknown = await page.evaluate(`fetch(${JSON.stringify(request.url)}, ${options}).then(async (answer) =>
    ({ status: answer.status, headers: [...answer.headers], text: await answer.text() }))`)
  const { status, headers, text } = answered.parse(told)
  return new Response(text, { status, headers })
}

const KINDS: readonly [string, string, ClientMaker, string][] = [
  ['@x402/fetch', '/v1/thread/', x402v2, 'payment-response'],
  ['a client of x402 version 1', '/v1/thread/', x402v1, 'x-payment-response'],
  ['mppx', '/mpp/v1/thread/', mpp, 'payment-receipt'],
]

describe.runIf(path !== undefined)('a page of another origin in Chromium', () => {
  it.each(KINDS)('pays for a post with %s and reads the receipt', async (name, place, maker, receipt) => {
    const wallet = await world.wallet()
    const before = await world.income()
    const answer = await maker(
      world,
      wallet,
      fromPage,
    )(`${world.server.address}${place}${HOST}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': name },
      body: await signedBody(wallet, { text: `From a page by ${name}` }),
    })
    expect(answer.status).toBe(201)
    expect(answer.headers.get(receipt)).toMatch(/^[\w+/=-]+$/)
    expect((await documentOf(answer)).text).toBe(`From a page by ${name}`)
    expect(await world.income()).toBe(before + PRICE)
  })

  it('writes a signed review', async () => {
    const wallet = await world.wallet(0n)
    const body = await signReview(wallet, {
      url: `https://${HOST}/v1/x`,
      method: 'GET',
      rail: 'x402',
      rating: 4,
      text: 'Written on a page.',
    })
    const answer = await fromPage(`${world.server.address}/v1/reviews`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location') ?? (await documentOf(answer)).href).toContain('/v1/reviews/')
  })

  it('may not send what its visitor is known by elsewhere', async () => {
    const tried: unknown = await page.evaluate(
      `fetch(${JSON.stringify(`${world.server.address}/v1/policy`)}, { credentials: 'include' })
        .then(() => 'read', (error) => error.name)`,
    )
    expect(tried).toBe('TypeError')
  })
})
