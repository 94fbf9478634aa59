import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { isSameAddress } from '../../domain/wallet.ts'
import { type Checked, type Credential, LATE_US, type PaidRequest, type Unfit } from '../rail.ts'
import type { ChainView } from './chain-view.ts'
import { heldIn } from './credential.ts'
import { envelopeIn } from './envelope.ts'
import { evmPayload } from './evm/payload.ts'
import { type Facilitator, noAnswerWords } from './facilitator.ts'
import type { Offer } from './offer.ts'
import { unanswered } from './problems.ts'
import { refusalOf, unfit } from './refusals.ts'
import { readSolanaTransfer } from './solana/transfer.ts'

/** What is left of an authorisation when it comes must suffice to settle it, in seconds. */
const LEAST_S = 10
/** Until its end an unused authorisation has to be watched. */
const LONGEST_S = 86_400
/** A signature of one key, in hex; those of smart wallets are longer. */
const SHORTEST_SIGNATURE = 2 + 65 * 2
/** How far back an authorisation is looked for that somebody else may have broadcast already: half an hour on Base. */
const BEFORE_BLOCKS = 900

export interface CheckDeps {
  readonly offer: Offer | undefined
  readonly facilitator: Facilitator
  readonly chain: ChainView | undefined
  readonly nowUs: () => TimestampUs
}

/** Whether the credential pays for this request now. Rejects when facilitator or node do not answer. */
export async function checkCredential(
  deps: CheckDeps,
  credential: Credential,
  request: PaidRequest,
): Promise<Checked | Unfit> {
  const elsewhere = elsewhereFault(request)
  if (elsewhere !== undefined) return elsewhere
  const fault = faultOf(credential, deps.offer, deps.nowUs())
  return fault === undefined ? verified(deps, credential) : asSpent(deps, credential, fault)
}

/**
 * The same fault; final where the credential would not count either if it was spent already. What is spent is public, so
 * every word of it must be the payer's, its end too, and whoever lost an answer comes back soon.
 */
async function asSpent({ offer, chain, nowUs }: CheckDeps, credential: Credential, fault: Unfit): Promise<Unfit> {
  const held = heldIn(credential.raw)
  // Without a node nobody can say that it was spent.
  if (offer === undefined || chain === undefined || held === undefined) return fault
  const isLongOver = credential.expiresUs < nowUs() - LATE_US
  const isPayers = !isLongOver && (await chain.isSigned(held.paymentPayload.payload, offer).catch(silent))
  return isPayers ? fault : { ...fault, isFinal: true }
}

const silent = (): never => {
  throw unanswered('The node of the network does not answer.')
}

/** Why a credential does not pay an offer, as far as it can be said without asking anybody. */
function faultOf(credential: Credential, offer: Offer | undefined, nowUs: TimestampUs): Unfit | undefined {
  if (offer === undefined) return unfit('invalid_network', `Payments on ${credential.network} are not taken here.`)
  if (!isSameAddress(credential.asset, offer.asset)) return unfit('invalid_asset', `The asset is not ${offer.asset}.`)
  if (!isSameAddress(credential.payee, offer.payee))
    return unfit('recipient_mismatch', `The payee is not ${offer.payee}.`)
  if (credential.amount !== offer.amount) {
    return unfit('amount_mismatch', `The amount is ${credential.amount}, not ${offer.amount}.`)
  }
  const held = heldIn(credential.raw)
  if (held === undefined) return unfit('invalid_network', `x402 version 1 does not know ${credential.network}.`)
  return offer.kind === 'solana'
    ? solanaFault(held.paymentPayload.payload)
    : evmFault(held.paymentPayload.payload, BigInt(Math.floor(nowUs / 1_000_000)))
}

function evmFault(payload: unknown, nowS: bigint): Unfit | undefined {
  const { authorization, signature } = evmPayload.parse(payload)
  const endS = BigInt(authorization.validBefore)
  if (endS < nowS + BigInt(LEAST_S))
    return unfit('authorization_expired', 'The authorisation has ended or is about to.')
  if (endS > nowS + BigInt(LONGEST_S)) {
    return unfit('authorization_too_long', 'The authorisation is valid for more than a day.')
  }
  if (BigInt(authorization.validAfter) > nowS) {
    return unfit('authorization_not_yet_valid', 'The authorisation is not valid yet.')
  }
  return signature.length < SHORTEST_SIGNATURE
    ? unfit('invalid_signature', 'The signature of the authorisation is too short.')
    : undefined
}

function solanaFault({ transaction }: Readonly<Record<string, unknown>>): Unfit | undefined {
  const transfer = readSolanaTransfer(Buffer.from(String(transaction), 'base64'))
  if (!transfer?.isSigned) return unfit('invalid_signature', 'The payer has not signed the transaction.')
  return transfer.isPlain
    ? undefined
    : unfit('invalid_instructions', 'The transaction does more than to transfer, set its fee and leave a note.')
}

/** The signature binds no address, but a client of version 2 says for which one it was asked to pay. */
function elsewhereFault(request: PaidRequest): Unfit | undefined {
  const named = envelopeIn(request)?.resource ?? null
  return named === null || named === request.resource
    ? undefined
    : { ...unfit('resource_mismatch', 'The payment was made out for another address.'), isFinal: true }
}

/** Asks the facilitator, and where a payment starts on the chain. Rejects when either does not answer. */
async function verified(deps: CheckDeps, credential: Credential): Promise<Checked | Unfit> {
  const { facilitator, chain } = deps
  const held = heldIn(credential.raw)
  if (held === undefined) return unfit('invalid_payload', 'The payment cannot be settled.')
  const [verdict, head] = await Promise.all([facilitator.verify(held), headOf(chain)])
  if (!verdict.answered) {
    if (verdict.status !== 400 && verdict.status !== 422) throw unanswered(`The facilitator ${noAnswerWords(verdict)}.`)
    return asSpent(deps, credential, { ok: false, ...refusalOf(undefined) })
  }
  // What could not be looked for afterwards is not begun.
  if (head === undefined) return silent()
  const { payer } = credential
  if (verdict.isValid) {
    return verdict.payer === undefined || isSameAddress(verdict.payer, payer)
      ? { ok: true, payer, fromBlock: head }
      : asSpent(deps, credential, unfit('payer_mismatch', 'The facilitator sees another payer.'))
  }
  const refused = await asSpent(deps, credential, { ok: false, ...refusalOf(verdict.invalidReason) })
  if (refused.isFinal) return refused
  // Whoever saw the authorisation may have broadcast it first: then it has paid, and that is all we want of it.
  const fromBlock = Math.max(0, head - BEFORE_BLOCKS)
  const seen = await chain?.look({ ...credential, fromBlock }).catch(silent)
  return seen?.kind === 'paid' ? { ok: true, payer, fromBlock } : refused
}

/** Zero without a node; `undefined` when it does not answer. */
const headOf = async (chain: ChainView | undefined): Promise<number | undefined> =>
  chain === undefined ? 0 : chain.head().catch(() => undefined)
