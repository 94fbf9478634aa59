import { Challenge, PaymentRequest } from 'mppx'
import { decodeFunctionData, getAddress, type Hex, keccak256, stringToHex } from 'viem'
import { getBlockNumber, readContract } from 'viem/actions'
import { Abis } from 'viem/tempo'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { isSameAddress } from '../../domain/wallet.ts'
import { parseWallet } from '../../wire/wallet.ts'
import { type Checked, type Credential, LATE_US, type PaidRequest, type Unfit } from '../rail.ts'
import { boundTo, type Charge, type MppDeps } from './charge.ts'
import { type Held, heldIn, type Pull, readCredential } from './credential.ts'
import type { TempoClient } from './node.ts'
import type { Offer } from './offer.ts'
import { unanswered } from './problems.ts'
import { unfit, unfitOf } from './refusals.ts'

/** Whether the credential pays for this request now. Rejects when the node does not answer. */
export async function checkCredential(
  { offer, node, chargeOn, nowUs }: MppDeps,
  credential: Credential,
  request: PaidRequest,
): Promise<Checked | Unfit> {
  const reading = await readCredential(heldIn(credential.raw)?.authorization)
  if (reading.kind !== 'pull') return unfit('malformed-credential')
  const { pull } = reading
  const isOurs = Challenge.verify(pull.credential.challenge, { secretKey: offer.secretKey })
  // Whatever the transaction paid for, it was asked for elsewhere: what somebody else asks for buys nothing here.
  if (!isOurs) return { ...unfit('invalid-challenge'), isFinal: true }
  try {
    const network = await node.network()
    const made = { host: request.host, body: request.bodyDigest }
    const fault = (await unboundOf(pull, chargeOn(network), made)) ?? faultOf(pull, offer, network.chainId, nowUs())
    if (fault) return fault
    const bound = boundTo(request.host, request.bodyDigest)
    const { details } = await chargeOn(network).validateCredential(pull.credential, bound)
    const payer = payerIn(details)
    if (payer === undefined || payer !== credential.payer) return unfit('verification-failed')
    if (!(await canAfford(network.client, pull))) return unfit('payment-insufficient')
    return { ok: true, payer, fromBlock: Number(await getBlockNumber(network.client)) }
  } catch (error) {
    const fault = unfitOf(error)
    if (fault) return fault
    throw unanswered()
  }
}

/**
 * Why a credential was not made for this host and body, for good; `undefined` when it was. Asks nobody, and holds for ever: also
 * after the credential has expired or was spent, and after the operator has changed key or recipient. Whether this
 * directory made the challenge is for `checkCredential` to find.
 */
export async function unboundOf(
  { credential, challenge, transaction }: Pull,
  charge: Charge,
  made: Pick<Held, 'host' | 'body'>,
): Promise<Unfit | undefined> {
  const { request, ...bound } = boundTo(made.host, made.body)
  const { meta = {}, opaque = PaymentRequest.serialize(meta) } = await charge.challenge.tempo.charge({
    ...request,
    ...bound,
  })
  if (credential.challenge.opaque !== opaque) return { ...unfit('invalid-challenge'), isFinal: true }
  const nonce = nonceOf(credential.challenge.id)
  const isAnswer = transaction.calls.some(
    ({ to, data }) => isSameAddress(to, challenge.currency) && isPaidBy(data, challenge, nonce),
  )
  return isAnswer
    ? undefined
    : { ...unfit('verification-failed', 'The transaction was made for another challenge.'), isFinal: true }
}

/** The last 7 bytes of the memo of a transfer that answers a challenge, as hex digits. */
const nonceOf = (challengeId: string): string => keccak256(stringToHex(challengeId)).slice(2, 16)

/** The memo stands on the very transfer that pays: another one beside it may pay the same recipient for something else. */
function isPaidBy(data: Hex, { recipient, amount }: Pull['challenge'], nonce: string): boolean {
  try {
    const call = decodeFunctionData({ abi: Abis.tip20, data })
    if (call.functionName !== 'transferWithMemo') return false
    const [to, paid, memo] = call.args
    return isSameAddress(to, recipient) && paid >= BigInt(amount) && memo.toLowerCase().endsWith(nonce)
  } catch {
    return false
  }
}

/** What mppx does not ask of a transaction that its sender pays the fee of. */
function faultOf(
  { credential, transaction, challenge }: Pull,
  { realm, recipient, currency }: Offer,
  chainId: number,
  nowUs: TimestampUs,
): Unfit | undefined {
  if (transaction.chainId !== chainId) return unfit('verification-failed', 'The transaction is for another network.')
  if (transaction.validBeforeUs < nowUs - LATE_US) return { ...unfit('payment-expired'), isFinal: true }
  if (transaction.validBeforeUs <= nowUs) return unfit('payment-expired')
  const isAsNow =
    credential.challenge.realm === realm &&
    isSameAddress(challenge.recipient, recipient) &&
    isSameAddress(challenge.currency, currency)
  if (!isAsNow)
    return unfit(
      'invalid-challenge',
      'This directory has changed whom, in what or where it is paid since it made the challenge.',
    )
  if (transaction.validBeforeUs > challenge.expiresUs)
    return unfit('verification-failed', "The transaction's validBefore is later than the challenge's expiry.")
  if (transaction.validAfterUs > nowUs) return unfit('verification-failed', 'The transaction is not valid yet.')
  return undefined
}

/** Not every node tries the calls of a transaction when mppx has it simulated. One that swaps first may hold nothing yet. */
async function canAfford(client: TempoClient, { payer, transaction, challenge }: Pull): Promise<boolean> {
  const { currency, amount } = challenge
  if (!transaction.calls.every(({ to }) => isSameAddress(to, currency))) return true
  const balance = await readContract(client, {
    abi: Abis.tip20,
    address: getAddress(currency),
    functionName: 'balanceOf',
    args: [getAddress(payer)],
  })
  return balance >= BigInt(amount)
}

/** The sender that the transaction's signature names. */
function payerIn(details: unknown): string | undefined {
  if (typeof details !== 'object' || details === null || !('sender' in details)) return undefined
  return typeof details.sender === 'string' ? parseWallet(details.sender) : undefined
}
