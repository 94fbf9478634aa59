import type { SellerHost } from '../domain/host.ts'
import type { Settlement } from '../domain/money/settlement.ts'
import type { Problem } from '../domain/problem.ts'
import { RAILS, type Rail } from '../domain/route.ts'
import type { TimestampUs } from '../domain/time/timestamp.ts'

/** A request for a paid post, as a rail sees it. */
export interface PaidRequest {
  readonly host: SellerHost
  /** The endpoint's own full address, from `BASE_URL`: never what the request says of itself. */
  readonly resource: string
  /** SHA-256 of the exact bytes of the body, lower-case hex. */
  readonly bodyDigest: string
  header(name: string): string | undefined
}

/** A credential that was read. Nothing about it has been asked of anybody yet: payer and amount are its own words. */
export interface Credential {
  /** One authorisation, whoever sends it how often: `network:asset:payer:nonce`, or the transaction's hash; lower case. */
  readonly key: string
  /** CAIP-2 form. */
  readonly network: string
  readonly asset: string
  /** In the form of `parseWallet`. */
  readonly payer: string
  readonly payee: string
  /** In the asset's base units. */
  readonly amount: string
  /** After this time it moves nothing any more. */
  readonly expiresUs: TimestampUs
  /** The client's own name for the payment, unique per payer. */
  readonly identifier: string | null
  /** Everything that settling needs, also in another process. A secret until it is settled. */
  readonly raw: string
}

/** A credential that was found good: the facilitator or node has confirmed payer and amount, and nothing has moved. */
export interface Checked {
  readonly ok: true
  readonly payer: string
  /** Where a search of the chain for this payment starts. */
  readonly fromBlock: number
}

/** Why a credential does not pay, in a word of the rail (`insufficient_funds`) and in the directory's own words. */
export interface Unfit {
  readonly ok: false
  readonly code: string
  readonly reason: string
  /** It pays for nothing here even when the chain holds its transfer: made for something else, long ago, or not the payer's. */
  readonly isFinal?: true
}

/** How long after its end a credential counts that somebody else has spent: honest payers lost an answer, and come back soon. */
export const LATE_US = 86_400_000_000

/** What helps a wallet that holds too little: another signature of it does not. */
export const FUND_WALLET = 'Add the asset to the wallet that pays, then send the same request with a new credential.'

/** A stored payment, as settling and looking for it need it. */
export interface Payment extends Omit<Credential, 'raw' | 'identifier'> {
  readonly raw: string | null
  readonly fromBlock: number
  readonly resource: string
}

export type Outcome =
  /** The transfer is on chain: at least the amount, from the payer to the payee. */
  | { readonly kind: 'paid'; readonly transaction: string; readonly logIndex: number }
  /** It is not, and it can never be any more. `isUnsure`: a node that lacks it for a moment would say the same. */
  | { readonly kind: 'expired'; readonly reason: string; readonly isUnsure?: true }
  /** It was refused for certain; the credential could still be used until it expires. */
  | { readonly kind: 'refused'; readonly code: string; readonly reason: string }
  /** It is not yet, or nobody can say. */
  | { readonly kind: 'unknown'; readonly reason: string }

/** How a payment that was seen on chain stands there now. */
export type Standing =
  /** Final: no reorganisation takes it away any more. */
  | (Extract<Outcome, { kind: 'paid' }> & { readonly isFinal: boolean })
  /** It is gone, and final blocks say that it can never come back. */
  | Extract<Outcome, { kind: 'expired' }>
  /** It is not there at the moment, or nobody can say. */
  | Extract<Outcome, { kind: 'unknown' }>

/** Hears what a facilitator or node really answered, in one line for the operator. */
export type Tell = (said: string) => void

/** What a settled payment is proved with to whoever sent it. */
export interface Settled extends Omit<Credential, 'raw' | 'identifier'> {
  readonly transaction: string
  readonly settledUs: TimestampUs
}

/** What of a rail works for ever, also when it is not set up any more: what was paid through it is known again, looked for and proved. */
export interface PastRail {
  readonly name: Rail
  /**
   * The credential of the request, if it has one. `asset`: of a payment that it may be, where the credential names none and
   * nothing is taken on its network.
   */
  read(request: PaidRequest, asset?: string): Promise<Credential | undefined>
  /** What the chain says. Never rejects. */
  look(payment: Payment): Promise<Outcome>
  /** Looks whether a payment is still on chain, in the transaction that it was seen in or in another. Never rejects. */
  watch?(payment: Payment, transaction: string): Promise<Standing>
  /** The receipt, as headers of the answer to this request. */
  receipt(payment: Settled, request: PaidRequest): Readonly<Record<string, string>>
}

/**
 * One way to be paid. Only `settle` moves money; everything else may be called at any time and any number of times.
 * Functions reject with a `Problem` for what the caller can do something about, always with `charged` among its members.
 */
export interface PaymentRail extends PastRail {
  /** What `/v1/policy` says about it. */
  readonly terms: readonly RailTerms[]
  /** The 402 answer. `fault` says why the credential that came did not pay. */
  demand(request: PaidRequest, fault?: Unfit): Promise<Problem>
  /** Asks whether the credential is good for this request now. */
  check(credential: Credential, request: PaidRequest): Promise<Checked | Unfit>
  /** Moves the money. Never rejects: what cannot be known is `unknown`. */
  settle(payment: Payment, tell?: Tell): Promise<Outcome>
  /** Only of a rail that may take a facilitator's word where it has no node. */
  readonly hindsight?: Hindsight
}

/** How a payment that a facilitator was believed is looked for once there is a node. */
export interface Hindsight {
  /** Those with a node now, in CAIP-2 form, also where payments are no longer taken. */
  readonly networks: readonly string[]
  /** What the chain says; `named` is the transaction that the facilitator named. Never rejects. */
  look(payment: Payment, named: string): Promise<Outcome>
}

export interface RailTerms {
  readonly network: string
  readonly asset: string
  readonly payee: string
  readonly amount: string
  readonly settlement: Settlement
}

/** A rail that the operator has not set up; `missing` are the variables to set. */
export interface UnsetRail {
  readonly name: Rail
  readonly missing: readonly string[]
  /** Made when it is first asked for: most have no past. */
  past(): Promise<PastRail>
}

const BEARS: Readonly<Record<Rail, (request: Pick<PaidRequest, 'header'>) => boolean>> = {
  x402: ({ header }) => header('payment-signature') !== undefined || header('x-payment') !== undefined,
  mpp: ({ header }) => /(^|,)\s*payment\s/i.test(header('authorization') ?? ''),
}

/** The rail whose credential a request bears, whatever it is worth. */
export const railBorne = (request: Pick<PaidRequest, 'header'>): Rail | undefined =>
  RAILS.find((rail) => BEARS[rail](request))

export const isSet = (rail: PaymentRail | UnsetRail): rail is PaymentRail => !('missing' in rail)

export const pastOf = async (rail: PaymentRail | UnsetRail): Promise<PastRail> => (isSet(rail) ? rail : rail.past())
