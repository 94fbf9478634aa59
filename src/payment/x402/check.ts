import type { TimestampUs } from '../../domain/timestamp.ts'
import type { Credential, Unfit } from '../rail.ts'
import { heldIn } from './credential.ts'
import { evmPayload } from './evm-payload.ts'
import { isSame, type Offer } from './offer.ts'
import { readSolanaTransfer } from './solana-transfer.ts'

/** What is left of an authorisation when it comes must suffice to settle it, in seconds. */
const LEAST_S = 10
/** Until its end an unused authorisation has to be watched. */
const LONGEST_S = 86_400
/** A signature of one key, in hex; those of smart wallets are longer. */
const SHORTEST_SIGNATURE = 2 + 65 * 2

export const unfit = (code: string, reason: string): Unfit => ({ ok: false, code, reason })

/** Why a credential does not pay an offer, as far as it can be said without asking anybody. */
export function faultOf(credential: Credential, offer: Offer | undefined, nowUs: TimestampUs): Unfit | undefined {
  if (offer === undefined) return unfit('invalid_network', `Payments on ${credential.network} are not taken here.`)
  if (!isSame(credential.asset, offer.asset)) return unfit('invalid_asset', `The asset is not ${offer.asset}.`)
  if (!isSame(credential.payee, offer.payee)) return unfit('recipient_mismatch', `The payee is not ${offer.payee}.`)
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
