import { Challenge, Receipt } from 'mppx'
import { getAddress } from 'viem'
import { getBlockNumber, readContract } from 'viem/actions'
import { Abis } from 'viem/tempo'
import type { Problem } from '../../domain/problem.ts'
import { problem } from '../../domain/problem-kinds.ts'
import { formatTimestamp, type TimestampUs } from '../../domain/timestamp.ts'
import { walletKey } from '../../domain/wallet.ts'
import { parseWallet } from '../../wire/wallet.ts'
import type {
  Checked,
  Credential,
  Outcome,
  PaidRequest,
  Payment,
  PaymentRail,
  RailTerms,
  Settled,
  Unfit,
} from '../rail.ts'
import { unboundOf } from './bound.ts'
import { AMOUNT, boundTo, type Charge, type ChargeSettings, openCharge } from './charge.ts'
import { type Pull, readCredential } from './credential.ts'
import { held, hold } from './held.ts'
import { seeOnChain } from './look.ts'
import type { Network, TempoClient, TempoNode } from './node.ts'
import { paymentProblem, unfit, unfitOf } from './problem-types.ts'
import { outcomeOf, settleOn } from './settle.ts'

export interface MppParts {
  readonly charge: ChargeSettings
  readonly node: TempoNode
  nowUs(): TimestampUs
  readonly settleMs: number
}

const CHALLENGE_US = 5 * 60 * 1e6
const RETRY_AFTER = { 'Retry-After': '5' }

/** Charges on Tempo in pull mode: the client signs a transfer, this directory sends it. */
export function mppRail(parts: MppParts): PaymentRail {
  const { node, nowUs } = parts
  let open: Charge | undefined
  const chargeOn = (network: Network): Charge => {
    open ??= openCharge(parts.charge, network.client)
    return open
  }

  async function demand(request: PaidRequest, fault?: Unfit): Promise<Problem> {
    try {
      const charge = chargeOn(await node.network())
      const { request: asked, ...bound } = boundTo(request.host, request.bodyDigest)
      const challenge = await charge.challenge.tempo.charge({
        ...asked,
        ...bound,
        description: `One post to the thread of ${request.host}`,
        expires: formatTimestamp(nowUs() + CHALLENGE_US),
      })
      return demandOf(Challenge.serialize(challenge), request, fault)
    } catch {
      return backend()
    }
  }

  async function read(request: PaidRequest): Promise<Credential | undefined> {
    const header = request.header('authorization')
    const reading = await readCredential(header)
    if (header === undefined || reading.kind === 'none') return undefined
    if (reading.kind === 'pull') return credentialOf(reading.pull, hold(header, request))
    const fault = unfit(reading.code)
    // The scheme answers a method that is not offered with 400, everything else with a fresh demand.
    throw reading.code === 'method-unsupported'
      ? problem('malformed-payment', fault.reason, {
          more: { charged: false, payment_problem: paymentProblem(fault.code) },
        })
      : await demand(request, fault)
  }

  async function check(credential: Credential, request: PaidRequest): Promise<Checked | Unfit> {
    const reading = await readCredential(held(credential.raw)?.authorization)
    if (reading.kind !== 'pull') return unfit('malformed-credential')
    const { pull } = reading
    const isOurs = Challenge.verify(pull.credential.challenge, { secretKey: parts.charge.secretKey })
    if (!isOurs) return unfit('invalid-challenge')
    try {
      const network = await node.network()
      const made = { host: request.host, body: request.bodyDigest }
      const fault = (await unboundOf(pull, chargeOn(network), made)) ?? faultOf(pull, network.chainId, nowUs())
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
      throw backend()
    }
  }

  async function look(payment: Payment): Promise<Outcome> {
    const sight = await seeOnChain(node, payment)
    const isMeant = sight.kind !== 'paid' || (await isForItsRequest(payment.raw))
    return isMeant ? outcomeOf(sight) : { kind: 'unknown', reason: 'The transfer was made for another request.' }
  }

  /** Holds also for a credential that comes late and was sent by somebody else. Without `raw` it was checked before. */
  async function isForItsRequest(raw: string | null): Promise<boolean> {
    if (raw === null) return true
    const stored = held(raw)
    const reading = await readCredential(stored?.authorization)
    if (stored === undefined || reading.kind !== 'pull') return false
    return (await unboundOf(reading.pull, chargeOn(await node.network()), stored)) === undefined
  }

  return {
    name: 'mpp',
    get terms(): readonly RailTerms[] {
      const { known } = node
      // Whoever asks before the node has answered makes the next answer whole; a failure is told by `demand`.
      if (!known) void node.network().catch(() => undefined)
      const { currency, recipient } = parts.charge
      if (!known) return []
      const terms = { network: known.name, asset: currency, payee: recipient, amount: AMOUNT }
      return [{ ...terms, settlement: 'verified on chain' }]
    },
    demand,
    read,
    check,
    settle: (payment) => settleOn(parts, payment),
    look,
    receipt: receiptOf,
  }
}

function demandOf(challenge: string, request: PaidRequest, fault: Unfit | undefined): Problem {
  const headers = { 'WWW-Authenticate': challenge, 'Cache-Control': 'no-store' }
  const more = { charged: false, payment_problem: paymentProblem(fault?.code ?? 'payment-required') }
  return fault
    ? problem('payment-refused', fault.reason, { more, headers })
    : problem('payment-required', `A post to the thread of ${request.host} costs 0.05 dollars.`, { more, headers })
}

const backend = (): Problem =>
  problem('payment-backend', 'The Tempo node of this directory does not answer.', {
    more: { charged: false },
    headers: RETRY_AFTER,
  })

const credentialOf = ({ hash, payer, transaction, challenge }: Pull, raw: string): Credential => ({
  key: hash,
  network: `tempo:${challenge.chainId}`,
  asset: challenge.currency,
  payer,
  payee: challenge.recipient,
  amount: challenge.amount,
  expiresUs: transaction.validBeforeUs,
  identifier: null,
  raw,
})

/** What mppx does not ask of a transaction that its sender pays the fee of. */
function faultOf({ transaction, challenge }: Pull, chainId: number, nowUs: TimestampUs): Unfit | undefined {
  if (transaction.chainId !== chainId) return unfit('verification-failed', 'The transaction is for another network.')
  if (transaction.validBeforeUs <= nowUs) return unfit('payment-expired')
  if (transaction.validBeforeUs > challenge.expiresUs)
    return unfit('verification-failed', "The transaction's validBefore is later than the challenge's expiry.")
  if (transaction.validAfterUs > nowUs) return unfit('verification-failed', 'The transaction is not valid yet.')
  return undefined
}

/** Not every node tries the calls of a transaction when mppx has it simulated. One that swaps first may hold nothing yet. */
async function canAfford(client: TempoClient, { payer, transaction, challenge }: Pull): Promise<boolean> {
  const { currency, amount } = challenge
  if (!transaction.calls.every(({ to }) => walletKey(to) === walletKey(currency))) return true
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

function receiptOf({ transaction, settledUs }: Settled): Readonly<Record<string, string>> {
  const timestamp = formatTimestamp(settledUs)
  const receipt = Receipt.from({ method: 'tempo', status: 'success', timestamp, reference: transaction })
  return { 'Payment-Receipt': Receipt.serialize(receipt), 'Cache-Control': 'private' }
}
