import { z } from 'zod'
import { problem } from '../../domain/problem-kinds.ts'
import type { Rail } from '../../domain/route.ts'
import type { TimestampUs } from '../../domain/timestamp.ts'
import type { Credential, Outcome, PaidRequest, Payment, PaymentRail, RailTerms } from '../../payment/rail.ts'
import { type Authorisation, FAKE_MARGIN_US, type FakeChain, type FakeTransfer } from './fake-chain.ts'

/** How a fake facilitator behaves when it is asked to settle. */
export const SETTLE_FAULTS = [
  'ok',
  'invalid',
  'unanswered',
  'reset after broadcast',
  'error after broadcast',
  'mined later',
  'wrong payer',
  'wrong amount',
  'empty transaction',
  'broadcast, empty transaction',
  'transaction of another',
  'settled by a third party',
  'says expired',
  'rejects',
  'rejects after broadcast',
] as const
export type SettleFault = (typeof SETTLE_FAULTS)[number]

export const FAKE_HEADER = 'fake-payment'
export const FAKE_TERMS: RailTerms = {
  network: 'eip155:31337',
  asset: '0xa55e7a55e7a55e7a55e7a55e7a55e7a55e7a55e7',
  payee: '0x9a7ee9a7ee9a7ee9a7ee9a7ee9a7ee9a7ee9a7ee',
  amount: '50000',
  settlement: 'verified on chain',
}

const header = z.strictObject({
  payer: z.string(),
  payee: z.string(),
  amount: z.string(),
  nonce: z.string(),
  expiresUs: z.int(),
  identifier: z.string().nullable(),
})
export type FakeCredential = z.infer<typeof header>

export interface FakeRailOptions {
  readonly name: Rail
  readonly chain: FakeChain
  readonly nowUs: () => TimestampUs
  readonly fault: () => SettleFault
  /** False while the node is away: nobody can say anything about the chain. */
  readonly isNodeUp?: () => boolean
  /**
   * A transaction that has paid for another post, which a facilitator names again. A rail without a node believes it, so
   * that only the ledger can find out.
   */
  readonly another?: () => Promise<string | undefined>
  /** Called around every settlement, to stop the program there. */
  readonly onSettle?: (moment: 'before' | 'after', payment: Payment) => Promise<void>
}

/** A stand-in for a rail and its facilitator over a fake chain. Its real siblings are held to the same contract. */
export function fakeRail(options: FakeRailOptions): PaymentRail & { readonly settled: string[] } {
  const { chain, nowUs } = options
  /** Keys in the order in which settling was asked for. */
  const settled: string[] = []

  const look = async (payment: Omit<Payment, 'raw'>): Promise<Outcome> => {
    if (options.isNodeUp?.() === false) return { kind: 'unknown', reason: 'the node does not answer' }
    const found = chain.find({ payer: payment.payer, nonce: nonceOf(payment.key) })
    if (found && found.atUs <= nowUs() && pays(found, payment)) {
      return { kind: 'paid', transaction: found.transaction, logIndex: found.logIndex }
    }
    return nowUs() >= payment.expiresUs + FAKE_MARGIN_US
      ? { kind: 'expired', reason: 'the authorisation has expired' }
      : { kind: 'unknown', reason: 'not on chain yet' }
  }

  return {
    name: options.name,
    terms: [FAKE_TERMS],
    settled,
    demand: async (_request, fault) =>
      fault === undefined
        ? problem('payment-required', 'A post costs 0.05 dollars.', { more: { charged: false } })
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
      const outcome = await settle(options, payment, look)
      await options.onSettle?.('after', payment)
      return outcome
    },
    look,
    receipt: ({ transaction }) => ({ 'Fake-Receipt': transaction }),
  }
}

async function settle(
  { chain, nowUs, fault, another }: FakeRailOptions,
  payment: Payment,
  look: (payment: Payment) => Promise<Outcome>,
): Promise<Outcome> {
  if (payment.raw === null) return { kind: 'unknown', reason: 'there is no credential any more' }
  const authorisation = authorisationOf({ ...payment, raw: payment.raw, identifier: null })
  const send = (delayUs = 0) => chain.broadcast(authorisation, 'facilitator', nowUs(), delayUs)
  const unknown = (reason: string): Outcome => ({ kind: 'unknown', reason })
  switch (fault()) {
    case 'ok':
      return send() ? look(payment) : { kind: 'refused', code: 'nonce_used', reason: 'the nonce is used' }
    case 'invalid':
      return { kind: 'refused', code: 'invalid', reason: 'the facilitator refused it' }
    case 'unanswered':
      return unknown('the facilitator does not answer')
    case 'reset after broadcast':
    case 'error after broadcast':
      send()
      return unknown('the answer was lost')
    case 'mined later':
      send(20_000_000)
      return unknown('the transaction waits')
    // A success whose transfer is not the payment: rails look at the transfer, so that nobody knows what this means.
    case 'wrong payer':
    case 'wrong amount':
      return unknown('the named transaction holds no such transfer')
    case 'broadcast, empty transaction':
      send()
      return { kind: 'paid', transaction: '', logIndex: -1 }
    case 'empty transaction':
      return { kind: 'paid', transaction: '', logIndex: -1 }
    case 'transaction of another': {
      const other = await another?.()
      return other ? { kind: 'paid', transaction: other, logIndex: -1 } : unknown('no transaction')
    }
    case 'settled by a third party':
      chain.broadcast(authorisation, 'third party', nowUs())
      return { kind: 'refused', code: 'nonce_used', reason: 'the nonce is used' }
    case 'says expired':
      return { kind: 'expired', reason: 'the facilitator says so' }
    case 'rejects after broadcast':
      send()
      throw new Error('the rail broke its word')
    case 'rejects':
      throw new Error('the rail broke its word')
  }
}

const pays = (transfer: FakeTransfer, payment: Pick<Payment, 'payer' | 'payee' | 'amount'>): boolean =>
  transfer.payer === payment.payer &&
  transfer.payee === payment.payee &&
  BigInt(transfer.amount) >= BigInt(payment.amount)

const nonceOf = (key: string): string => key.slice(key.lastIndexOf(':') + 1)

const authorisationOf = ({ payer, payee, amount, key, expiresUs }: Credential): Authorisation => ({
  payer,
  payee,
  amount,
  nonce: nonceOf(key),
  expiresUs,
})

export const fakeHeader = (credential: FakeCredential): string =>
  Buffer.from(JSON.stringify(credential)).toString('base64')

function readCredential(request: PaidRequest): Credential | undefined {
  const text = request.header(FAKE_HEADER)
  if (text === undefined) return undefined
  const reading = header.safeParse(parsed(text))
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
