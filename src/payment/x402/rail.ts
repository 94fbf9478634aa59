import { networkKey } from '../../domain/network.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { OnCall } from '../call-outcome.ts'
import { throughDoor } from '../door.ts'
import { createNodes, type Nodes } from '../nodes.ts'
import type { PaidRequest, PastRail, PaymentRail, Unfit, UnsetRail } from '../rail.ts'
import type { X402Config } from '../settings.ts'
import { type ChainView, createChainView } from './chain-view.ts'
import { checkCredential } from './check.ts'
import { credentialIn } from './credential.ts'
import { demandOf } from './demand.ts'
import { createFacilitator, type Deadlines } from './facilitator.ts'
import { createFeePayers, payableNow } from './fee-payers.ts'
import { lookForPayment, watchPayment } from './look.ts'
import { nameOfNetwork, type Offer, offersOf } from './offer.ts'
import { malformed, unanswered } from './problems.ts'
import { receiptOf } from './receipt.ts'
import { settlePayment } from './settle.ts'

export interface X402RailOptions {
  readonly config: X402Config
  readonly rpcUrls: ReadonlyMap<string, string>
  readonly fetch?: typeof fetch
  readonly nowUs: () => TimestampUs
  readonly deadlines?: Partial<Deadlines>
  readonly onCall?: OnCall | undefined
}

const DEADLINES: Deadlines = { verifyMs: 10_000, settleMs: 30_000, supportedMs: 3_000 }

/**
 * The x402 rail as configured. Asks nobody yet. The stock middleware runs a paid write once per copy of a payment, so only
 * its parts are used.
 */
export function createX402Rail(options: X402RailOptions): PaymentRail | UnsetRail {
  const { config, nowUs } = options
  const found = offersOf(config)
  const nodes = createNodes(options.rpcUrls, undefined, options.onCall)
  if (!found.ok || config.facilitatorUrl === undefined) {
    const missing = found.ok ? ['X402_FACILITATOR_URL'] : found.missing
    return { name: 'x402', missing, past: async () => createPast(nodes, nowUs) }
  }
  const { offers } = found
  const facilitator = createFacilitator({
    url: config.facilitatorUrl,
    headers: config.facilitatorHeaders,
    fetch: options.fetch ?? throughDoor,
    deadlines: { ...DEADLINES, ...options.deadlines },
    onCall: options.onCall,
  })
  const feePayers = createFeePayers(facilitator, nowUs)
  const offerOn = (network: string): Offer | undefined => offers.find((offer) => offer.network === network)
  const chainOf = ({ network }: { readonly network: string }): ChainView | undefined => createChainView(nodes, network)

  const demand = async (request: PaidRequest, fault?: Unfit) => {
    const payable = await payableNow(offers, feePayers)
    if (payable.length === 0) throw unanswered('The facilitator does not say who pays the fees of a transaction.')
    return demandOf(payable, request, fault)
  }

  return {
    ...createPast(nodes, nowUs),
    terms: offers.map(({ network, asset, payee, amount }) => {
      const settlement = createChainView(nodes, network) ? 'verified on chain' : 'as the facilitator says'
      return { network, asset, payee, amount, settlement }
    }),
    demand,
    read: (request, asset) => credentialIn({ offerOn, nowUs, asset }, request, (fault) => demand(request, fault)),
    check: (credential, request) => {
      const offer = offerOn(credential.network)
      return checkCredential({ offer, facilitator, chain: chainOf(credential), nowUs }, credential, request)
    },
    settle: (payment, tell) => settlePayment(payment, facilitator, chainOf(payment), tell),
    hindsight: {
      networks: [...options.rpcUrls.keys()].map(networkKey).filter((network) => createChainView(nodes, network)),
      look: (payment, named) => lookForPayment(payment, chainOf(payment), named),
    },
  }
}

function createPast(nodes: Nodes, nowUs: () => TimestampUs): PastRail {
  const chainOf = ({ network }: { readonly network: string }): ChainView | undefined => createChainView(nodes, network)
  const offerOn = () => undefined
  return {
    name: 'x402',
    read: (request, asset) => credentialIn({ offerOn, nowUs, asset }, request, async ({ reason }) => malformed(reason)),
    look: (payment) => lookForPayment(payment, chainOf(payment)),
    watch: (payment, transaction) => watchPayment(payment, chainOf(payment), transaction),
    receipt: (payment, request) => receiptOf(payment, request, nameOfNetwork(payment.network) ?? payment.network),
  }
}
