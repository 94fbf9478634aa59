import { networkKey } from '../../domain/network.ts'
import type { TimestampUs } from '../../domain/timestamp.ts'
import { networkKind, nodesOf } from '../nodes.ts'
import type { Checked, Credential, PaidRequest, PaymentRail, Settled, Unfit, UnsetRail } from '../rail.ts'
import type { X402Config } from '../settings.ts'
import { faultOf, unfit } from './check.ts'
import { evmCredential, heldIn, readV1, readV2, solanaCredential } from './credential.ts'
import { base64Of, demandOf } from './demand.ts'
import { type Deadlines, type Facilitator, openFacilitator } from './facilitator.ts'
import { openFeePayers } from './fee-payers.ts'
import { type Ledger, ledgerOf } from './ledger.ts'
import { unanswered } from './malformed.ts'
import { isSame, type Offer, offersOf } from './offer.ts'
import { refusalOf } from './refusals.ts'
import { lookFor, settlePayment } from './settle.ts'

export interface X402RailOptions {
  readonly config: X402Config
  readonly rpcUrls: ReadonlyMap<string, string>
  readonly fetch?: typeof fetch
  readonly nowUs: () => TimestampUs
  readonly deadlines?: Partial<Deadlines>
}

const DEADLINES: Deadlines = { verifyMs: 10_000, settleMs: 30_000, supportedMs: 3_000 }

/** How far back an authorisation is looked for that somebody else may have broadcast already: half an hour on Base. */
const BEFORE_BLOCKS = 900

/** The x402 rail. The stock middleware runs a paid write once per copy of a payment, so only its parts are used. */
export function openX402Rail(options: X402RailOptions): PaymentRail | UnsetRail {
  const { config, nowUs } = options
  const found = offersOf(config)
  if (!found.ok || config.facilitatorUrl === undefined) {
    return { name: 'x402', missing: found.ok ? ['X402_FACILITATOR_URL'] : found.missing }
  }
  const { offers } = found
  const nodes = nodesOf(options.rpcUrls)
  const facilitator = openFacilitator({
    url: config.facilitatorUrl,
    headers: config.facilitatorHeaders,
    fetch: options.fetch ?? fetch,
    deadlines: { ...DEADLINES, ...options.deadlines },
  })
  const feePayers = openFeePayers(facilitator, nowUs)
  const offerOn = (network: string): Offer | undefined => offers.find((offer) => offer.network === network)

  /** Offers as they can be paid now: on Solana the facilitator has to name a fee payer first. */
  const payable = async (): Promise<readonly Offer[]> => {
    const each = await Promise.all(
      offers.map(async (offer): Promise<Offer | undefined> => {
        if (offer.kind !== 'solana') return offer
        const feePayer = await feePayers(offer.network)
        return feePayer === undefined ? undefined : { ...offer, extra: { ...offer.extra, feePayer } }
      }),
    )
    return each.filter((offer) => offer !== undefined)
  }

  const demand = async (request: PaidRequest, fault?: Unfit) => {
    const now = await payable()
    if (now.length === 0) throw unanswered('The facilitator does not say who pays the fees of a transaction.')
    return demandOf(now, request, fault)
  }

  return {
    name: 'x402',
    terms: offers.map(({ network, asset, payee, amount }) => {
      const settlement = ledgerOf(nodes, network) ? 'verified on chain' : 'as the facilitator says'
      return { network, asset, payee, amount, settlement }
    }),
    demand,
    async read(request) {
      const second = request.header('payment-signature')
      const first = request.header('x-payment')
      if (second === undefined && first === undefined) return undefined
      const envelope = second === undefined ? readV1(first ?? '') : readV2(second)
      if (envelope.scheme !== 'exact') {
        throw await demand(request, unfit('unsupported_scheme', 'Only the scheme exact is taken here.'))
      }
      const offer = offerOn(envelope.network)
      const kind = networkKind(envelope.network)
      if (kind === 'eip155') return evmCredential(envelope, offer, request.resource)
      if (kind === 'solana') return solanaCredential(envelope, offer, request.resource, nowUs())
      throw await demand(request, unfit('invalid_network', 'Payments on this network are not taken here.'))
    },
    async check(credential, request) {
      const fault = elsewhereFault(request) ?? faultOf(credential, offerOn(credential.network), nowUs())
      return fault ?? verified(credential, facilitator, ledgerOf(nodes, credential.network))
    },
    settle: (payment) => settlePayment(payment, facilitator, ledgerOf(nodes, payment.network)),
    look: (payment) => lookFor(payment, ledgerOf(nodes, payment.network)),
    hindsight: {
      networks: [...options.rpcUrls.keys()].map(networkKey).filter((network) => ledgerOf(nodes, network)),
      look: (payment, named) => lookFor(payment, ledgerOf(nodes, payment.network), named),
    },
    receipt: (payment, request) => receiptOf(payment, request, offerOn(payment.network)?.name ?? payment.network),
  }
}

/** The signature binds no address, but a client of version 2 says for which one it was asked to pay. */
function elsewhereFault(request: PaidRequest): Unfit | undefined {
  const second = request.header('payment-signature')
  const named = second === undefined ? null : readV2(second).resource
  return named === null || named === request.resource
    ? undefined
    : unfit('resource_mismatch', 'The payment was made out for another address.')
}

/** Asks the facilitator, and where a payment starts on the chain. Rejects when either does not answer. */
async function verified(
  credential: Credential,
  facilitator: Facilitator,
  ledger: Ledger | undefined,
): Promise<Checked | Unfit> {
  const held = heldIn(credential.raw)
  if (held === undefined) return unfit('invalid_payload', 'The payment cannot be settled.')
  const [verdict, head] = await Promise.all([facilitator.verify(held), headOf(ledger)])
  if (!verdict.answered) {
    if (verdict.status === 400 || verdict.status === 422) return { ok: false, ...refusalOf(undefined) }
    throw unanswered('The facilitator does not answer.')
  }
  // What could not be looked for afterwards is not begun.
  if (head === undefined) throw unanswered('The node of the network does not answer.')
  const { payer } = credential
  if (verdict.isValid) {
    return verdict.payer === undefined || isSame(verdict.payer, payer)
      ? { ok: true, payer, fromBlock: head }
      : unfit('payer_mismatch', 'The facilitator sees another payer.')
  }
  // Whoever saw the authorisation may have broadcast it first: then it has paid, and that is all we want of it.
  const fromBlock = Math.max(0, head - BEFORE_BLOCKS)
  const seen = await ledger?.look({ ...credential, fromBlock }).catch(() => {
    throw unanswered('The node of the network does not answer.')
  })
  return seen?.kind === 'paid' ? { ok: true, payer, fromBlock } : { ok: false, ...refusalOf(verdict.invalidReason) }
}

/** Zero without a node; `undefined` when it does not answer. */
const headOf = async (ledger: Ledger | undefined): Promise<number | undefined> =>
  ledger === undefined ? 0 : ledger.head().catch(() => undefined)

/** In the words of the version that the request speaks; never what a library had to say about it. */
function receiptOf(payment: Settled, request: PaidRequest, name: string): Readonly<Record<string, string>> {
  const { transaction, payer } = payment
  const isSecond = request.header('payment-signature') !== undefined
  const network = isSecond ? payment.network : name
  return {
    [isSecond ? 'PAYMENT-RESPONSE' : 'X-PAYMENT-RESPONSE']: base64Of({ success: true, transaction, network, payer }),
  }
}
