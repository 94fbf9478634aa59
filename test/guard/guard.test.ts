import { Mppx, tempo } from 'mppx/client'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleAccount } from '../../sandbox/accounts.ts'
import { createGuard, type Decision, type Guard, PaymentStopped } from '../../src/client/guard/index.ts'
import { buying, mppBuyer } from './buyers.ts'
import { type GuardWorld, guardWorld, type Remembered } from './world.ts'

const STRANGER = sampleAccount('somebody else').address
const get = (name: string, path: string, price: number, more: Partial<Remembered> = {}): Remembered => ({
  ...{ host: `${name}.seller.test`, method: 'GET', path, rail: 'x402', price, ...more },
})

/** What sellers ask for is theirs to say; what was remembered of them makes them honest or not. */
const HONEST = {
  x402: get('weather', '/v1/now', 10_000),
  v1: get('quotes', '/v1/quote', 10_000),
  mpp: get('translate', '/translate', 5_000, { method: 'POST', rail: 'mpp' }),
}
const LYING = {
  'price, x402': get('weather', '/v1/forecast', 10_000),
  'payee, x402': get('insider', '/tips', 10_000, { payee: STRANGER }),
  'price, mpp': get('both-rails', '/search', 10_000, { rail: 'mpp' }),
}

let world: GuardWorld
beforeAll(async () => {
  world = await guardWorld([...Object.values(HONEST), ...Object.values(LYING)])
}, 120_000)
afterAll(() => world?.stop())

const urlOf = ({ host, path }: Remembered): string => `http://${host}${path}`
const decisions: Decision[] = []
const guarding = (directory = world.directory): Guard =>
  // Longer than a busy machine takes.
  createGuard({ directory, limitMs: 20_000, onDecision: (decision) => decisions.push(decision) })

const pay = (route: Remembered, account: PrivateKeyAccount, guard?: Guard): Promise<Response> =>
  buying(world, route.rail, account, guard)(urlOf(route))

describe('stock clients with a guard', () => {
  it.each(Object.entries(HONEST))('pay an honest seller: %s', async (_, route) => {
    const { account, signed } = await world.wallet()
    const answer = await pay(route, account, guarding())
    expect(answer.status).toBe(200)
    expect(signed()).toBeGreaterThan(0)
    expect(decisions.at(-1)).toMatchObject({ allow: true, findings: [], question: { url: urlOf(route) } })
  })

  it.each(Object.entries(LYING))('sign nothing where a seller lies: %s; without it they pay', async (_, route) => {
    const { account, signed } = await world.wallet()
    await expect(pay(route, account, guarding())).rejects.toThrow(/price_above_listed|payee_never_seen/)
    expect(signed()).toBe(0)
    const answer = await pay(route, account)
    expect([answer.status, signed() > 0]).toEqual([200, true])
  })

  it('are told by the kind of error where the rail lets it through', async () => {
    const { account } = await world.wallet()
    const error = await pay(LYING['price, mpp'], account, guarding()).catch((thrown: unknown) => thrown)
    if (!(error instanceof PaymentStopped)) throw new Error('another error')
    expect(error.verdict.findings.map(({ code }) => code)).toEqual(['price_above_listed', 'price_above_observed'])
    expect(error.verdict.findings[0]?.evidence).toContain('/v1/hosts/both-rails.seller.test/listing-history')
  })

  it('ask through a prepared request, too', async () => {
    const { account, signed } = await world.wallet()
    const [guard, client] = [guarding(), mppBuyer(world, account)]
    await expect(guard.prepare(client, urlOf(LYING['price, mpp']))).rejects.toBeInstanceOf(PaymentStopped)
    expect(signed()).toBe(0)
    const prepared = await guard.prepare(client, urlOf(HONEST.mpp), { method: 'POST' })
    expect((await prepared.payment.pay()).status).toBe(200)
  })

  it('keep a hook of their own, and lose nothing of what they are', async () => {
    const { account } = await world.wallet()
    let heard = 0
    const onChallenge = async () => {
      heard += 1
      return undefined
    }
    const method = tempo.charge({ account, mode: 'pull', getClient: () => world.tempo.client })
    const client = guarding().mppx(Mppx.create)({ polyfill: false, fetch: world.fetch, methods: [method], onChallenge })
    expect((await client.fetch(urlOf(HONEST.mpp), { method: 'POST' })).status).toBe(200)
    expect([heard, client.methods.length]).toEqual([1, 1])
  })

  it('go on paying while the directory is down, unless they chose otherwise', async () => {
    const { account, signed } = await world.wallet()
    const nowhere = 'http://127.0.0.1:1'
    expect((await pay(HONEST.x402, account, guarding(nowhere))).status).toBe(200)
    const before = signed()
    const careful = createGuard({ directory: nowhere, policy: { unreachable: 'refuse' } })
    for (const route of [HONEST.x402, HONEST.mpp]) {
      await expect(pay(route, account, careful)).rejects.toThrow('directory_unreachable')
    }
    const limited = createGuard({ directory: nowhere, policy: { maxPrice: '0.001' } })
    for (const route of [HONEST.x402, HONEST.v1, HONEST.mpp]) {
      await expect(pay(route, account, limited)).rejects.toThrow('price_above_limit')
    }
    expect(signed()).toBe(before)
  })
})
