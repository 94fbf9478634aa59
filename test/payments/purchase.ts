import type { PrivateKeyAccount } from 'viem/accounts'
import { reconcileDue } from '../../src/acts/posts/reconcile.ts'
import type { PostAnswer } from '../../src/acts/posts/threads.ts'
import { aCredential, aRequest, newWallet, signedBody } from '../../src/acts/testing/buyer.ts'
import type { FakeChain } from '../../src/acts/testing/fake-chain.ts'
import { SETTLE_FAULTS } from '../../src/acts/testing/fake-facilitator.ts'
import type { FakeCredential } from '../../src/acts/testing/fake-rail.ts'
import { answered, type Clock, createPostHarness, type PostHarness } from '../../src/acts/testing/post-harness.ts'
import { key53 } from '../../src/domain/keys.ts'
import { Problem } from '../../src/domain/problem.ts'
import type { Payment } from '../../src/payment/rail.ts'
import type { Store } from '../../src/store/store.ts'
import type { Chance } from './chance.ts'
import { Mortal } from './mortal.ts'

export const HOSTS = ['a.seller.example', 'b.seller.example', 'c.seller.example'] as const

export interface World {
  readonly store: Store
  readonly chain: FakeChain
  readonly clock: Clock
  /** False: the rail has to believe its facilitator. Nothing is promised then. */
  readonly hasNode?: boolean
}

/** What one buyer paid with for one post, and what it was told wrongly. */
export interface Purchase {
  readonly credentials: FakeCredential[]
  readonly lies: string[]
}

/** A program whose facilitator and node fail at random, and which may be killed at any step. */
export function startProgram(world: World, chance: Chance): PostHarness & { readonly mortal: Mortal } {
  const mortal = Mortal.of(chance)
  const stand = createPostHarness(mortal.storeOf(world.store), world.clock, {
    chain: world.chain,
    fault: () => (chance.once(3) ? 'ok' : chance.pick(...SETTLE_FAULTS)),
    isNodeUp: () => !chance.once(6),
    hasNode: () => world.hasNode !== false,
    onSettle: mortal.step,
    another: (payment) => another(world, chance, payment),
    settleWaitMs: 5000,
    hasMpp: true,
  })
  return { ...stand, mortal }
}

const stranger = newWallet()

/** Any transaction but the payment's own, as a facilitator that lies could name it. */
async function another({ store, chain, clock }: World, chance: Chance, payment: Payment): Promise<string> {
  const madeBy = (payer: string, more: Partial<FakeCredential> = {}): string | undefined =>
    chain.broadcast(aCredential(payer, clock.us, more), 'third party', clock.us)?.transaction
  const invented = `0x${key53(payment.key).toString(16).padStart(64, '0')}`
  switch (chance.below(6)) {
    case 0: {
      const posts = store.read.selectFrom('posts').select('payment_transaction')
      return (await posts.limit(1).executeTakeFirst())?.payment_transaction ?? invented
    }
    case 1:
      return chance.pick(
        invented,
        ...chain
          .transfers()
          .slice(-20)
          .map(({ transaction }) => transaction),
      )
    case 2:
      // To us, in full, from somebody else: no ledger holds it.
      return madeBy(stranger.address) ?? invented
    case 3:
      // By the very payer, in full, to us, with an authorisation that nobody has sent us.
      return madeBy(payment.payer) ?? invented
    case 4:
      return madeBy(payment.payer, chance.once(2) ? { payee: stranger.address } : { amount: '1' }) ?? invented
    default:
      return invented
  }
}

const MOST_SENDS = 6

/**
 * One buyer who keeps to the rules: it sends the same again while it does not know, and signs a new message only when it
 * was told that nothing was charged. At times it is one of the stock clients, which sign a payment of their own for the
 * same message whenever they try again, on either rail, or one that gives its order a name (`Idempotency-Key`) and signs even
 * the message anew. Around it: copies, other bodies and hosts with its credential, third parties that use it.
 */
export async function buy(world: World, wallet: PrivateKeyAccount, chance: Chance, name: string): Promise<Purchase> {
  const { chain, clock } = world
  const host = chance.pick(...HOSTS)
  const signed = (text: string, at: string = host) => signedBody(wallet, at, text, clock.us)
  const fresh = () =>
    aCredential(wallet.address, clock.us, {
      ...(chance.once(12) ? { amount: '49999' } : {}),
      // A name of its own, or the one that another payment of the same buyer has too.
      ...(chance.once(4) ? { identifier: chance.pick(name, `${name} ${credentials.length}`) } : {}),
    })
  const rail = () => chance.pick('x402', 'mpp')
  const credentials: FakeCredential[] = []
  const lies: string[] = []
  const text = `${name} asks.`
  let body = await signed(text)
  let credential = fresh()
  credentials.push(credential)
  let program = startProgram(world, chance)
  // Never with other bodies as well: what is used for those is charged for those.
  const isNamed = chance.once(5)
  const isStock = isNamed || chance.once(3)
  const headers: Readonly<Record<string, string>> = isNamed ? { 'idempotency-key': `order ${name}` } : {}

  for (let send = 0; send < MOST_SENDS; send++) {
    if (chance.once(15)) chain.broadcast(credential, 'third party', clock.us)
    const request = aRequest(host, body, credential, rail(), headers)
    const copies = Array.from({ length: chance.once(8) ? 5 : 1 }, () => answered(program.threads, request))
    if (!isStock && chance.once(6))
      copies.push(answered(program.threads, aRequest(host, await signed(`${name} cheats.`), credential)))
    if (!isStock && chance.once(8)) {
      const elsewhere = chance.pick(...HOSTS)
      const other = aRequest(elsewhere, await signed(`${name} asks.`, elsewhere), credential)
      copies.push(answered(startProgram(world, chance).threads, other))
    }
    if (isStock && chance.once(2)) {
      const anew = fresh()
      credentials.push(anew)
      const { threads } = chance.once(2) ? program : startProgram(world, chance)
      copies.push(answered(threads, aRequest(host, isNamed ? await signed(text) : body, anew, rail(), headers)))
    }
    const answer = await Promise.race([copies[0], program.mortal.died])
    if (answer === undefined || answer === 'died') {
      program = startProgram(world, chance)
    } else {
      lies.push(...liesIn(answer, credential, credentials, chain))
      if (answer instanceof Problem) {
        const isOver = answer.more.charged === false && answer.slug !== 'payment-conflict'
        if (!isOver || chance.once(2)) continue
        // Told that nothing was charged: pays anew.
        if (isNamed) body = await signed(text)
        else if (!isStock) body = await signed(`${name} asks again.`)
        credential = fresh()
        credentials.push(credential)
      } else if (answer.kind === 'published' && !chance.once(3)) {
        break
      }
    }
    // Time goes by for everybody, and another program, as unlucky as this one, looks after what is due.
    if (chance.once(3)) {
      clock.passSeconds(chance.below(20))
      const other = startProgram(world, chance)
      await Promise.race([reconcileDue(other), other.mortal.died])
    }
    if (chance.once(5)) break
  }
  return { credentials, lies }
}

function liesIn(
  answer: PostAnswer | Problem,
  credential: FakeCredential,
  credentials: readonly FakeCredential[],
  chain: FakeChain,
): string[] {
  const transfer = chain.find(credential)
  if (answer instanceof Problem) {
    // A conflict speaks of the request, not of the credential.
    const isFree = answer.more.charged === false && answer.slug !== 'payment-conflict'
    return isFree && transfer?.by === 'facilitator' ? [`${answer.slug} says that nothing was charged`] : []
  }
  // Of a credential that stays unused somebody else may still make something.
  if (answer.charged === false && transfer?.by === 'facilitator') return ['a credential was used and called unused']
  if (answer.kind === 'published' && answer.charged === false) {
    const paid = credentials.map((one) => chain.find(one)?.transaction)
    return paid.includes(answer.post.payment.transaction) ? [] : ['a post was answered for a payment of nobody']
  }
  return answer.kind === 'published' && answer.post.payment.transaction !== transfer?.transaction
    ? ['a post was answered for a payment that was not made']
    : []
}
