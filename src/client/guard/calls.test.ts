import { ExactEvmScheme } from '@x402/evm/exact/client'
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/client'
import { wrapFetchWithPayment, x402Client, x402HTTPClient } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { createGuard, type Decision, type GuardPolicy } from './index.ts'

const URL_ASKED = 'https://api.example.com/v1/x'
const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const asset = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const terms = { scheme: 'exact', asset, payTo: account.address, maxTimeoutSeconds: 60 }
const extra = { name: 'USDC', version: '2' }
const receipt = Buffer.from(JSON.stringify({ network: 'eip155:84532', transaction: '0x1' })).toString('base64')

/** A seller that names an address of its own in what it asks for, in either version. */
const seller =
  (named = URL_ASKED, version = 2): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    if (request.headers.has('payment-signature') || request.headers.has('x-payment'))
      return new Response('served', { headers: { 'payment-response': receipt } })
    if (version === 1) {
      const offer = { ...terms, extra, network: 'base-sepolia', maxAmountRequired: '10000', resource: named }
      return Response.json({ x402Version: 1, accepts: [offer] }, { status: 402 })
    }
    const accepts = [{ ...terms, extra, network: 'eip155:84532', amount: '10000' }]
    const challenge = { x402Version: 2, resource: { url: named }, accepts }
    const header = Buffer.from(JSON.stringify(challenge)).toString('base64')
    return new Response('{}', { status: 402, headers: { 'payment-required': header } })
  }

const buyer = () =>
  new x402HTTPClient(
    new x402Client()
      .register('eip155:*', new ExactEvmScheme(account))
      .registerV1('base-sepolia', new ExactEvmSchemeV1(account)),
  )

/** As kits do it that do not tell their hooks the address. */
const olderKit =
  (fetch: typeof globalThis.fetch, client: x402HTTPClient): typeof globalThis.fetch =>
  async (input, init) => {
    const answer = await fetch(input, init)
    const body: unknown = JSON.parse(await answer.text())
    const required = client.getPaymentRequiredResponse((name) => answer.headers.get(name), body)
    await Reflect.apply(client.handlePaymentRequired, client, [required])
    const headers = client.encodePaymentSignatureHeader(await client.createPaymentPayload(required))
    return fetch(input, { ...init, headers })
  }

/** A guard whose directory stops at the one address that it knows, when it is to. */
function guarding({ policy = {}, stops = false }: { policy?: GuardPolicy; stops?: boolean } = {}) {
  const asked: { method?: string; url: string }[] = []
  const reviews: { method: string; url: string }[] = []
  const decisions: Decision[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { method, url, rail, ...rest } = JSON.parse(String(init?.body))
    if (String(input).endsWith('/v1/reviews')) {
      reviews.push({ method, url })
      return Response.json({ href: 'https://tollbook.example/v1/reviews/1', level: 'Signed', ...rest })
    }
    asked.push({ method, url })
    const said = { code: 'price_above_listed', severity: 'stop', said: 'Dear.', href: 'https://tollbook.example/' }
    const findings = stops && url === URL_ASKED ? [said] : []
    return Response.json({ asked: { url, rail }, allow: findings.length === 0, findings })
  }
  const guard = createGuard({
    ...{ directory: 'https://tollbook.example', fetch, policy, signer: account, limitMs: 20_000 },
    onDecision: (decision) => decisions.push(decision),
  })
  return { asked, reviews, decisions, guard }
}

const foundIn = (decisions: readonly Decision[]) =>
  decisions.flatMap(({ findings }) => findings.map(({ code, severity }) => `${severity} ${code}`))

describe('the call that an x402 client pays for', () => {
  it('is known with its method, also of several at once to one address', async () => {
    const { guard, asked } = guarding()
    const pay = wrapFetchWithPayment(guard.fetch(seller()), guard.x402(buyer()))
    const methods = ['GET', 'PUT', 'post', 'DELETE', 'PATCH']
    const answers = await Promise.all(methods.map((method) => pay(URL_ASKED, { method })))
    expect(answers.map(({ status }) => status)).toEqual(methods.map(() => 200))
    expect(asked.map(({ method }) => method).toSorted()).toEqual(['DELETE', 'GET', 'PATCH', 'POST', 'PUT'])
    expect(new Set(asked.map(({ url }) => url))).toEqual(new Set([URL_ASKED]))
  })

  it('is of the method that the program tells, however it is written', async () => {
    const { guard, asked } = guarding()
    await wrapFetchWithPayment(seller(), guard.x402(buyer(), { method: 'get' }))(URL_ASKED)
    await guard.ask({ method: 'put', url: URL_ASKED, rail: 'x402', offer: { price: '0.01', network: 'base' } })
    expect(asked.map(({ method }) => method)).toEqual(['GET', 'PUT'])
  })

  it('is reported with the method that it had, and not where nobody knows that', async () => {
    const { guard, reviews } = guarding()
    const pay = wrapFetchWithPayment(guard.fetch(seller()), guard.x402(buyer()))
    const [put, get] = await Promise.all([pay(URL_ASKED, { method: 'PUT' }), pay(URL_ASKED)])
    for (const answer of [put, get]) expect(await guard.report(answer)).toMatchObject({ sent: true })
    const called = [put, get].map((_, at) => ({ method: ['PUT', 'GET'][at], url: URL_ASKED }))
    expect(reviews).toEqual(called)
    const plain = await wrapFetchWithPayment(seller(), guard.x402(buyer()))('https://api.example.com/v1/y')
    const details = { url: 'https://api.example.com/v1/y' }
    expect(await guard.report(plain, details)).toMatchObject({ sent: false, reason: /method/ })
    expect(await guard.report(plain, { ...details, method: 'get' })).toMatchObject({ sent: true })
  })

  it.each([1, 2])('is known of a kit that does not tell its address, version %s', async (version) => {
    const { guard, asked, decisions } = guarding({ stops: true })
    const lying = seller('https://api.example.com/cheap', version)
    const paying = olderKit(guard.fetch(lying), guard.x402(buyer()))(URL_ASKED, { method: 'POST' })
    await expect(paying).rejects.toThrow('price_above_listed')
    expect(asked).toEqual([{ method: 'POST', url: URL_ASKED }])
    expect(foundIn(decisions)).toEqual(['stop price_above_listed'])
  })

  it('is not hidden by an answer that does not know its address', async () => {
    const { guard, decisions } = guarding()
    const pay = wrapFetchWithPayment(guard.fetch(seller()), guard.x402(buyer()))
    expect((await pay(URL_ASKED)).status).toBe(200)
    expect(foundIn(decisions)).toEqual([])
  })
})

describe('a call whose address nobody tells', () => {
  it.each([1, 2])('is stopped where the address that its challenge names would be, version %s', async (version) => {
    const { guard, asked } = guarding({ stops: true })
    const paying = olderKit(seller(URL_ASKED, version), guard.x402(buyer()))(URL_ASKED)
    await expect(paying).rejects.toThrow('price_above_listed')
    expect(asked.map(({ url }) => url)).toEqual([URL_ASKED])
  })

  it('is told as what it is, and goes by the policy, whatever its challenge names', async () => {
    const { guard, decisions } = guarding({ stops: true })
    const lying = seller('https://api.example.com/cheap')
    expect((await olderKit(lying, guard.x402(buyer()))(URL_ASKED)).status).toBe(200)
    expect(foundIn(decisions)).toEqual(['warn directory_unreachable'])
    expect(decisions[0]?.findings[0]?.said).toBe('Nobody says which address is paid: nothing is known of this offer.')
    const careful = guarding({ policy: { unreachable: 'refuse' } })
    await expect(olderKit(lying, careful.guard.x402(buyer()))(URL_ASKED)).rejects.toThrow('Nobody says which address')
  })
})
