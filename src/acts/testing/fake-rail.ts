import { z } from 'zod'
import { problem } from '../../domain/problem-kinds.ts'
import type { Rail } from '../../domain/route.ts'
import { THREAD_DOLLARS } from '../../domain/thread.ts'
import type { Credential, Outcome, PaidRequest, Payment, PaymentRail, RailTerms } from '../../payment/rail.ts'
import { FAKE_MARGIN_US, type FakeTransfer } from './fake-chain.ts'
import {
  type Answer,
  answerOf,
  authorisationOf,
  FAKE_TERMS,
  type FakeFacilitatorOptions,
  nonceOf,
} from './fake-facilitator.ts'

export const FAKE_HEADER = 'fake-payment'
export const fakeCredential = z.strictObject({
  payer: z.string(),
  payee: z.string(),
  amount: z.string(),
  nonce: z.string(),
  expiresUs: z.int(),
  identifier: z.string().nullable(),
})
export type FakeCredential = z.infer<typeof fakeCredential>

export interface FakeRailOptions extends FakeFacilitatorOptions {
  readonly name: Rail
  /** False while the node is away: nobody can say anything about the chain. */
  readonly isNodeUp?: () => boolean
  /** False where no node is set up: the facilitator's word is taken, as the real rail does. By default there is one. */
  readonly hasNode?: () => boolean
  /** Called around every settlement, to stop the program there. */
  readonly onSettle?: (moment: 'before' | 'after', payment: Payment) => Promise<void>
}

/** A stand-in for a rail and its facilitator over a fake chain. Its real siblings are held to the same contract. */
export function fakeRail(options: FakeRailOptions): PaymentRail & { readonly settled: string[] } {
  const { chain, nowUs } = options
  /** Keys in the order in which settling was asked for. */
  const settled: string[] = []

  const hasNode = options.hasNode ?? (() => true)

  /** A named transaction is looked into first; it counts when it holds the payment's own transfer. */
  const look = async (payment: Payment, named?: string): Promise<Outcome> => {
    if (!hasNode()) return unknown('no node is configured')
    if (options.isNodeUp?.() === false) return unknown('the node does not answer')
    const own = chain.find({ payer: payment.payer, nonce: nonceOf(payment.key) })
    const inNamed = chain.transfers().find(({ transaction }) => transaction === named)
    for (const found of [inNamed, own]) {
      if (found && found.atUs <= nowUs() && pays(found, payment)) {
        return { kind: 'paid', transaction: found.transaction, logIndex: found.logIndex }
      }
    }
    return nowUs() >= payment.expiresUs + FAKE_MARGIN_US
      ? { kind: 'expired', reason: 'the authorisation has expired' }
      : { kind: 'unknown', reason: 'not on chain yet' }
  }

  return {
    name: options.name,
    get terms(): readonly RailTerms[] {
      return [{ ...FAKE_TERMS, settlement: hasNode() ? 'verified on chain' : 'as the facilitator says' }]
    },
    settled,
    demand: async (_request, fault) =>
      fault === undefined
        ? problem('payment-required', `A post costs ${THREAD_DOLLARS} dollars.`, { more: { charged: false } })
        : problem('payment-refused', fault.reason, { more: { charged: false, code: fault.code } }),
    read: async (request) => readCredential(request),
    check: async (credential) => {
      const authorisation = authorisationOf(credential)
      const refuse = (code: string) => ({ ok: false as const, code, reason: `the payment is not good: ${code}` })
      if (credential.payee !== FAKE_TERMS.payee) return refuse('wrong_payee')
      if (BigInt(credential.amount) < BigInt(FAKE_TERMS.amount)) return refuse('amount_too_low')
      if (nowUs() >= credential.expiresUs) return refuse('expired')
      if (chain.find(authorisation)) return refuse('nonce_used')
      return { ok: true, payer: credential.payer, fromBlock: 1 }
    },
    settle: async (payment) => {
      settled.push(payment.key)
      await options.onSettle?.('before', payment)
      const answer = await answerOf(options, payment)
      const outcome = await outcomeOf(answer, payment, hasNode(), look)
      await options.onSettle?.('after', payment)
      return outcome
    },
    look: (payment) => look(payment),
    hindsight: {
      get networks(): readonly string[] {
        return hasNode() ? [FAKE_TERMS.network] : []
      },
      look,
    },
    receipt: ({ transaction }) => ({ 'Fake-Receipt': transaction }),
  }
}

/** In the real rail's order: what fits is looked into by the node or, without one, believed; then the chain decides. */
async function outcomeOf(
  answer: Answer,
  payment: Payment,
  hasNode: boolean,
  look: (payment: Payment, named?: string) => Promise<Outcome>,
): Promise<Outcome> {
  if (answer.said === 'expired') return { kind: 'expired', reason: 'the facilitator says so' }
  const isClaim =
    answer.said === 'settled' &&
    answer.payer === payment.payer &&
    BigInt(answer.amount) >= BigInt(payment.amount) &&
    answer.transaction !== ''
  if (isClaim && !hasNode) return { kind: 'paid', transaction: answer.transaction, logIndex: -1 }
  const seen = await look(payment, isClaim ? answer.transaction : undefined)
  return seen.kind === 'unknown' && answer.said === 'refused'
    ? { kind: 'refused', code: answer.code, reason: answer.reason }
    : seen
}

const unknown = (reason: string): Outcome => ({ kind: 'unknown', reason })

const pays = (transfer: FakeTransfer, payment: Pick<Payment, 'key' | 'payer' | 'payee' | 'amount'>): boolean =>
  transfer.nonce === nonceOf(payment.key) &&
  transfer.payer === payment.payer &&
  transfer.payee === payment.payee &&
  BigInt(transfer.amount) >= BigInt(payment.amount)

export const fakeHeader = (credential: FakeCredential): string =>
  Buffer.from(JSON.stringify(credential)).toString('base64')

function readCredential(request: PaidRequest): Credential | undefined {
  const text = request.header(FAKE_HEADER)
  if (text === undefined) return undefined
  const reading = fakeCredential.safeParse(parsed(text))
  if (!reading.success) throw problem('malformed-payment', 'The payment header cannot be read.')
  const { payer, payee, amount, nonce, expiresUs, identifier } = reading.data
  const { network, asset } = FAKE_TERMS
  const key = [network, asset, payer, nonce].join(':').toLowerCase()
  return { key, network, asset, payer, payee, amount, expiresUs, identifier, raw: text }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64').toString())
  } catch {
    return undefined
  }
}
