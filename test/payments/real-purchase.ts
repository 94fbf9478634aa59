import { Credential as MppCredential } from 'mppx'
import { isHex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { sendRawTransactionSync } from 'viem/actions'
import { z } from 'zod'
import { broadcast, type SignedAuthorization } from '../../sandbox/chain/authorization.ts'
import { lookAtAll, reconcileDue } from '../../src/acts/posts/reconcile.ts'
import type { PostAnswer } from '../../src/acts/posts/threads.ts'
import { Problem } from '../../src/domain/problem.ts'
import type { Credential } from '../../src/payment/rail.ts'
import type { Store } from '../../src/store/store.ts'
import type { Fault } from '../support/faulty-node.ts'
import type { Script } from '../support/scripted-facilitator.ts'
import type { Chance } from './chance.ts'
import { type Captured, type ClientMaker, capture, mpp, x402v1, x402v2 } from './clients.ts'
import { asking, endpointOf, type Lane, openLane, type Program, requestOf, sendTo } from './lane.ts'
import type { RealChains } from './real-chains.ts'
import { signedBody } from './world.ts'

export const HOSTS = ['a.paid.example', 'b.paid.example'] as const

const SCRIPTS = [
  'invalid',
  'refuse',
  'hang',
  'reset',
  'error',
  'hang-after',
  'reset-after',
  'error-after',
  'pending-after',
  'failed-after',
  'wrong-payer',
  'wrong-network',
  'wrong-amount',
  'empty-transaction',
  'other-transaction',
  'lie',
] as const satisfies readonly Script[]
const FAULTS = ['hang', 'reset after send', 'hang after send'] as const satisfies readonly Fault[]
const SIGNED_ANEW = 'signed anew'
const EITHER = [
  'ok',
  'settled by a third party',
  'node down',
  'node down while settling',
  'killed',
  'answered before it is settled',
  'copies',
  SIGNED_ANEW,
  'other body',
  'other host',
  'amount changed',
] as const

/** What goes wrong with one attempt to post. */
type Trouble = { readonly rail: 'x402' | 'mpp'; readonly what: string; readonly script: Script; readonly fault: Fault }

/** Every trouble there is, by the rail that it can meet. */
export const TROUBLES: readonly Trouble[] = [
  ...SCRIPTS.map((script) => ({ rail: 'x402', what: script, script, fault: 'none' }) as const),
  ...FAULTS.map((fault) => ({ rail: 'mpp', what: fault, script: 'ok', fault }) as const),
  ...EITHER.flatMap((what) => [
    { rail: 'x402', what, script: 'ok', fault: 'none' } as const,
    { rail: 'mpp', what, script: 'ok', fault: 'none' } as const,
  ]),
]

export interface RealPurchase {
  readonly troubles: string[]
  readonly lies: string[]
}

interface Buyer {
  readonly lane: Lane
  readonly wallet: PrivateKeyAccount
  readonly chance: Chance
  readonly name: string
}

const MOST_SENDS = 3
/** Steps of one post: before and after the intent, the settlement and the publication. */
const STEPS = 6
const AFTER_A_CLAIM_S = 31

/**
 * One buyer with the client of its rail, who sends the same again while it does not know and pays anew only when it was told
 * that nothing was charged; the first trouble is given, more may follow.
 */
export async function buyForReal(
  chains: RealChains,
  store: Store,
  wallet: PrivateKeyAccount,
  first: Trouble,
  chance: Chance,
  name: string,
): Promise<RealPurchase> {
  const lane = await openLane(chains, store)
  const buyer: Buyer = { lane, wallet, chance, name }
  const maker: ClientMaker = first.rail === 'mpp' ? mpp : chance.pick(x402v2, x402v1)
  const host = chance.pick(...HOSTS)
  // Once the same message was paid for otherwise, a payment that somebody else makes for it has no post to come to.
  const never = first.what === SIGNED_ANEW ? [SIGNED_ANEW, 'settled by a third party'] : [SIGNED_ANEW]
  const possible = TROUBLES.filter(({ rail, what }) => rail === first.rail && !never.includes(what))
  const found: RealPurchase = { troubles: [], lies: [] }
  const pay = async (text: string): Promise<Captured> => {
    const { threads } = lane.start()
    const body = await signedBody(wallet, { host, text })
    return capture(maker, chains, wallet, endpointOf(first.rail, host), body, asking(threads))
  }
  const payAnew = ({ url, body }: Captured): Promise<Captured> =>
    capture(maker, chains, wallet, url, body, asking(lane.start().threads))
  let sent = await pay(`${name} asks.`)
  let isUsedByOther = false
  let last: PostAnswer | Problem | undefined
  for (let send = 0; send < MOST_SENDS; send++) {
    const trouble = send === 0 ? first : chance.once(2) ? undefined : chance.pick(first, ...possible)
    found.troubles.push(trouble?.what ?? 'ok')
    isUsedByOther ||= trouble?.what === 'settled by a third party' && (await settleElsewhere(chains, sent))
    const anew = trouble?.what === SIGNED_ANEW ? [await payAnew(sent), await payAnew(sent)] : []
    last = await attempt(buyer, sent, trouble, anew)
    inOrder(lane)
    if (last instanceof Problem && isFree(last)) {
      const credential = await credentialOf(lane.start(), sent)
      if (!isUsedByOther && (await chains.isUsed(credential)))
        found.lies.push(`${name}: ${last.slug}, and it was charged`)
      if (!isUsedByOther && last.status === 402) sent = await pay(`${name} asks again.`)
      continue
    }
    if (chance.once(3)) await reconcileBeside(buyer)
    if (!(last instanceof Problem) && last?.kind === 'published') break
    if (chance.once(3)) break
  }
  // Whoever paid through somebody else has to come here at least once.
  const isUnheard = last === undefined || last instanceof Problem
  if (isUnheard && isUsedByOther) await sendTo(lane.start().threads, sent)
  await lane.stop()
  return found
}

const isFree = (answer: Problem): boolean => answer.more.charged === false && answer.slug !== 'payment-conflict'

function inOrder({ facilitator, baseNode, tempoNode }: Lane): void {
  facilitator.script = 'ok'
  baseNode.fault = 'none'
  tempoNode.fault = 'none'
}

async function credentialOf({ rails }: Program, sent: Captured): Promise<Credential> {
  const request = requestOf(sent)
  const rail = rails[request.rail]
  const credential = 'read' in rail ? await rail.read(request) : undefined
  if (credential === undefined) throw new Error('the request carries no credential')
  return credential
}

/** Sends once, in the given trouble; `undefined` when the program was killed meanwhile. A new one looks around then. */
async function attempt(
  { lane, wallet, chance, name }: Buyer,
  sent: Captured,
  trouble: Trouble | undefined,
  /** The same message with payments of their own, as stock clients send it when they try again. */
  anew: readonly Captured[],
): Promise<PostAnswer | Problem | undefined> {
  const what = trouble?.what ?? 'ok'
  const { rail, host } = requestOf(sent)
  const node = rail === 'mpp' ? lane.tempoNode : lane.baseNode
  const cutNode = (): void => {
    node.fault = 'down'
  }
  lane.facilitator.script = trouble?.script ?? 'ok'
  lane.tempoNode.fault = trouble?.fault ?? 'none'
  if (what === 'node down') cutNode()
  const program = lane.start({
    ...(what === 'killed' ? { steps: chance.below(STEPS) } : {}),
    ...(what === 'answered before it is settled' ? { settleWaitMs: chance.below(50) } : {}),
    ...(what === 'node down while settling' ? { onSettle: cutNode } : {}),
  })
  const beside: Captured[] = [...anew]
  if (what === 'copies') beside.push(sent, sent, sent, sent)
  if (what === 'other body') beside.push({ ...sent, body: await signedBody(wallet, { host, text: `${name} cheats.` }) })
  if (what === 'other host') {
    const [here, there] = HOSTS
    const other = host === here ? there : here
    const body = await signedBody(wallet, { host: other, text: `${name} asks elsewhere.` })
    beside.push({ ...sent, url: endpointOf(rail, other), body })
  }
  if (what === 'amount changed') beside.push({ ...sent, headers: withChangedAmount(sent.headers) })
  const answers = [
    ...beside.map((other) => sendTo(chance.once(2) ? program.threads : lane.start().threads, other)),
    sendTo(program.threads, sent),
  ]
  const answer = await Promise.race([answers.at(-1), program.mortal.died])
  if (answer !== 'died') {
    await Promise.race([Promise.all(answers), program.mortal.died])
    return answer
  }
  inOrder(lane)
  if (chance.once(2)) await lookAtAll(lane.start())
  return undefined
}

/** Another program, whose clock says that every claim has ended, looks after what is due while the trouble lasts. */
async function reconcileBeside({ lane, chance }: Buyer): Promise<void> {
  lane.facilitator.script = chance.pick<Script>('ok', ...SCRIPTS)
  lane.tempoNode.fault = chance.pick<Fault>('none', 'down', ...FAULTS)
  const steps = chance.once(3) ? { steps: chance.below(STEPS) } : {}
  const other = lane.start({ aheadS: AFTER_A_CLAIM_S, ...steps })
  await Promise.race([reconcileDue(other), other.mortal.died])
  inOrder(lane)
}

const inHeader = z.looseObject({
  payload: z.object({
    authorization: z.custom<SignedAuthorization['authorization']>((value) => typeof value === 'object'),
    signature: z.custom<SignedAuthorization['signature']>((value) => isHex(value)),
  }),
})
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')
const decoded = (header: string): z.infer<typeof inHeader> =>
  inHeader.parse(JSON.parse(Buffer.from(header, 'base64').toString()))

/** Anybody who has seen a credential can have it settled. False when the chain did not take it any more. */
async function settleElsewhere({ base, tempo, thirdParty }: RealChains, { headers }: Captured): Promise<boolean> {
  const header = headers['payment-signature'] ?? headers['x-payment']
  try {
    if (header !== undefined) {
      await broadcast(base, decoded(header).payload, thirdParty)
      return true
    }
    const { payload } = MppCredential.deserialize<{ signature: `0x${string}` }>(headers.authorization ?? '')
    await sendRawTransactionSync(tempo.client, { serializedTransaction: payload.signature })
    return true
  } catch {
    // Used before, by this directory: that was the race to be had.
    return false
  }
}

function withChangedAmount(headers: Captured['headers']): Captured['headers'] {
  const changed = Object.entries(headers).map(([name, value]): [string, string] => {
    if (name === 'authorization') {
      const credential = MppCredential.deserialize(value)
      const request = { ...credential.challenge.request, amount: '1' }
      return [name, MppCredential.serialize({ ...credential, challenge: { ...credential.challenge, request } })]
    }
    if (name !== 'payment-signature' && name !== 'x-payment') return [name, value]
    const whole = decoded(value)
    const authorization = { ...whole.payload.authorization, value: '1' }
    return [name, base64({ ...whole, payload: { ...whole.payload, authorization } })]
  })
  return Object.fromEntries(changed)
}
