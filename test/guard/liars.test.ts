import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { payeeOf } from '../../sandbox/accounts.ts'
import { ACCOMPLICE, LIARS, type LieName } from '../../sandbox/shop/liars.ts'
import type { SampleRoute, SampleSeller } from '../../sandbox/shop/seller.ts'
import { createGuard, type Decision, type GuardPolicy } from '../../src/client/guard/index.ts'
import type { FindingCode } from '../../src/domain/guard/finding.ts'
import { priceFromDecimal } from '../../src/domain/money/price.ts'
import type { Rail } from '../../src/domain/route.ts'
import { buying } from './buyers.ts'
import { type GuardWorld, guardWorld, type Remembered, V1_LIARS } from './world.ts'

/** Which stock client pays, of which version. */
const KINDS = ['x402', 'x402 version 1', 'mpp'] as const
type Kind = (typeof KINDS)[number]
const railOf = (kind: Kind): Rail => (kind === 'mpp' ? 'mpp' : 'x402')

/** What a directory that has watched the honest face of each liar for days says of its lie. */
const STOPPED = {
  'a price above the listed one': 'price_above_listed',
  'the payee of another host': 'payee_never_seen',
  'an unknown asset': 'asset_unknown',
  'a redirect to another host': 'payee_never_seen',
  'a cheap offer that nobody can pay': 'price_above_listed',
} as const satisfies Partial<Record<LieName, FindingCode>>
/** What is no reason to stop unless a policy says so: honest sellers do it, too. */
const WARNED = {
  'a payee that changed today': 'payee_changed',
  'another network': 'network_unlisted',
  'a price above what it signed': 'signed_offer_differs',
} as const satisfies Partial<Record<LieName, FindingCode>>
/** What nobody can know before the money is gone. */
const AFTER = {
  'an HTTP 500 for the money': 500,
  'an HTTP 404 for the money': 404,
  'nothing for the money': null,
  'an empty answer for the money': 200,
} as const satisfies Partial<Record<LieName, number | null>>

interface Lying {
  readonly name: LieName
  readonly kind: Kind
  readonly rail: Rail
  readonly url: string
  readonly seller: SampleSeller
  readonly route: SampleRoute
}

/** What a seller signs is known to the second version of x402 alone. */
const isTold = (name: LieName, kind: Kind): boolean => kind === 'x402' || name !== 'a price above what it signed'

function lying(name: LieName, kind: Kind): Lying {
  const rail = railOf(kind)
  const host = kind === 'x402 version 1' ? `v1-${LIARS[name].host}` : LIARS[name].host
  const seller = [...Object.values(LIARS), ...V1_LIARS].find((one) => one.host === host)
  const route = seller?.routes.find(({ rails }) => rails.includes(rail))
  if (seller === undefined || route === undefined) throw new Error(`nobody tells ${name} on ${rail}`)
  return { name, kind, rail, seller, route, url: `http://${host}${route.path}` }
}

const each = (names: object): Lying[] =>
  Object.keys(LIARS)
    .filter((name): name is LieName => name in names)
    .flatMap((name) => KINDS.filter((kind) => isTold(name, kind)).map((kind) => lying(name, kind)))
const EVERY = each(LIARS)

const remembered = ({ name, seller, route, rail }: Lying): Remembered => {
  const [listing] = route.listings
  const payee = route.lie?.terms?.payee
  return {
    ...{ host: seller.host, method: route.method, path: route.path, rail },
    price: priceFromDecimal(route.asks) ?? 0,
    signs: route.terms?.signs !== undefined,
    ...(listing?.network && { network: listing.network }),
    ...(name === 'a payee that changed today' && payee !== undefined && { payeeToday: payee }),
  }
}

let world: GuardWorld
beforeAll(async () => {
  world = await guardWorld(EVERY.map(remembered))
}, 120_000)
afterAll(() => world?.stop())

/** Whoever has the money when a lie works. */
function takerOf({ seller, route, rail }: Lying) {
  const payee = route.lie?.terms?.payee ?? payeeOf(route.lie?.leadsTo ? ACCOMPLICE : seller).address
  const asset = route.lie?.terms?.asset
  return () => world.balanceOf(rail, payee, asset)
}

function guarded(policy: GuardPolicy = {}) {
  const decisions: Decision[] = []
  // Longer than a busy machine takes.
  const options = { directory: world.directory, limitMs: 20_000, policy }
  return { decisions, guard: createGuard({ ...options, onDecision: (decision) => decisions.push(decision) }) }
}

const codesOf = ({ findings }: Decision): string[] => findings.map(({ severity, code }) => `${severity} ${code}`)
const outcomeOf = (paying: Promise<Response>): Promise<number | null> =>
  paying.then(
    ({ status }) => status,
    () => null,
  )

/** The control: the same program without a guard. How much the liar has gained, in base units. */
async function lost(liar: Lying, account: PrivateKeyAccount): Promise<bigint> {
  const balance = takerOf(liar)
  const before = await balance()
  await outcomeOf(buying(world, liar.rail, account)(liar.url))
  return (await balance()) - before
}

/** Where a stock client loses nothing by itself: mppx follows no redirect with money, and nobody holds the coin on Tempo. */
const isSafeAnyway = ({ kind, name }: Lying): boolean =>
  kind === 'mpp' && (name === 'a redirect to another host' || name === 'an unknown asset')

describe('a stock client with a guard', () => {
  it.each(each(STOPPED))('signs nothing for $name: $kind', async (liar) => {
    const { account, signed } = await world.wallet()
    const balance = takerOf(liar)
    const before = await balance()
    const { guard, decisions } = guarded()
    await expect(buying(world, liar.rail, account, guard)(liar.url)).rejects.toThrow()
    expect([signed(), (await balance()) - before]).toEqual([0, 0n])
    const code = Object.entries(STOPPED).find(([name]) => name === liar.name)?.[1]
    // A client that refuses by itself does not ask.
    if (liar.kind !== 'mpp' || liar.name !== 'a redirect to another host')
      expect(decisions.map((decision) => [decision.allow, codesOf(decision)[0]])).toEqual([[false, `stop ${code}`]])
    expect((await lost(liar, account)) > 0n).toBe(!isSafeAnyway(liar))
  })

  it.each(each(WARNED))('is warned of $name, and signs nothing where its policy says so: $kind', async (liar) => {
    const code = Object.entries(WARNED).find(([name]) => name === liar.name)?.[1]
    if (code === undefined) throw new Error('no code')
    const { account, signed } = await world.wallet()
    const careful = guarded({ stop: [code] })
    await expect(buying(world, liar.rail, account, careful.guard)(liar.url)).rejects.toThrow(code)
    expect(signed()).toBe(0)
    const { guard, decisions } = guarded()
    expect((await buying(world, liar.rail, account, guard)(liar.url)).status).toBe(200)
    expect(decisions.map(codesOf)).toEqual([[`warn ${code}`]])
  })

  it.each(each(AFTER))('pays what is listed, and gets $name: $kind', async (liar) => {
    const { account } = await world.wallet()
    const balance = takerOf(liar)
    const before = await balance()
    const { guard, decisions } = guarded()
    const status = Object.entries(AFTER).find(([name]) => name === liar.name)?.[1]
    expect(await outcomeOf(buying(world, liar.rail, account, guard)(liar.url))).toBe(status)
    expect((await balance()) - before).toBe(10_000n)
    expect(decisions.map(({ allow }) => allow)).toEqual([true])
  })

  it.each(['x402', 'mpp'] as const)('is warned by those who paid and were not served: %s', async (kind) => {
    const liar = lying('an HTTP 500 for the money', kind)
    const { account } = await world.wallet()
    const decisions: Decision[] = []
    const options = { directory: world.directory, limitMs: 20_000, signer: account }
    const guard = createGuard({ ...options, onDecision: (decision) => decisions.push(decision) })
    const answer = await buying(world, liar.rail, account, guard)(liar.url)
    const { method } = liar.route
    expect(await guard.report(answer, { method })).toMatchObject({ sent: true })
    const [decision] = decisions
    if (decision === undefined) throw new Error('nothing was asked')
    const known = async () => (await guarded().guard.ask(decision.question)).findings.map(({ code }) => code)
    await expect.poll(known, { timeout: 60_000, interval: 500 }).toEqual(['buyers_not_served'])
  })

  it('pays once where a seller takes the money and asks for more: mpp', async () => {
    const liar = lying('more than it asked', 'mpp')
    const { account, signed } = await world.wallet()
    const { guard, decisions } = guarded()
    await expect(buying(world, 'mpp', account, guard)(liar.url)).rejects.toThrow('price_above_listed')
    expect([signed(), decisions.map(({ allow }) => allow)]).toEqual([1, [true, false]])
    // Without a guard the same client pays again and again until it has what it asked for.
    expect(await lost(liar, account)).toBe(60_000n)
  })

  it.each(['x402', 'x402 version 1'] as const)('is shown the second demand of such a seller: %s', async (kind) => {
    const liar = lying('more than it asked', kind)
    const { account, signed } = await world.wallet()
    expect((await buying(world, 'x402', account, guarded().guard)(liar.url)).status).toBe(402)
    expect(signed()).toBe(1)
    expect(await lost(liar, account)).toBe(10_000n)
  })
})

describe('a hundred payments at once', () => {
  it('ask the directory once per route, and none is signed where a stop is due', async () => {
    const { account, signed } = await world.wallet()
    let requests = 0
    const counting: typeof fetch = (input, init) => {
      requests += 1
      return fetch(input, init)
    }
    const guard = createGuard({ directory: world.directory, limitMs: 20_000, fetch: counting })
    const routes = (['x402', 'mpp'] as const).map((kind) => lying('a price above the listed one', kind))
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => routes).flatMap((both) =>
        both.map(({ rail, url }) => outcomeOf(buying(world, rail, account, guard)(url))),
      ),
    )
    expect(outcomes).toEqual(Array(100).fill(null))
    expect([requests, signed()]).toEqual([2, 0])
  })
})

it('counts every lie once', () => {
  const told = [...Object.keys(STOPPED), ...Object.keys(WARNED), ...Object.keys(AFTER), 'more than it asked']
  expect(told.toSorted()).toEqual(Object.keys(LIARS).toSorted())
})
