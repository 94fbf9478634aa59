import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { OnCall } from '../call-outcome.ts'
import { remembered } from '../nodes.ts'
import type { PastRail, PaymentRail, RailTerms, UnsetRail } from '../rail.ts'
import type { MppConfig } from '../settings.ts'
import { type Charge, createCharge, type MppDeps } from './charge.ts'
import { checkCredential } from './check.ts'
import { credentialIn } from './credential.ts'
import { demandOf } from './demand.ts'
import { lookForPayment, outcomeOf, seeOnChain, watchPayment } from './look.ts'
import { createTempoNode, type TempoNode } from './node.ts'
import { AMOUNT, offerOf } from './offer.ts'
import { malformed } from './problems.ts'
import { receiptOf } from './receipt.ts'
import { settlePayment } from './settle.ts'

export interface MppOptions {
  readonly config: MppConfig
  /** Host of `BASE_URL`: wallets show it, and a payment names it. */
  readonly realm: string
  /** Nodes by CAIP-2 network: with the rail unset, what was paid on one of them is looked for there. */
  readonly rpcUrls?: ReadonlyMap<string, string>
  nowUs(): TimestampUs
  /** How long one call to the node may take. */
  readonly callMs?: number
  /** How long a broadcast is waited for before its outcome counts as unknown. */
  readonly settleMs?: number
  readonly onCall?: OnCall | undefined
}

/**
 * The mpp rail as configured, charging on Tempo in pull mode: the client signs a transfer, this directory sends it. Asks
 * the node nothing yet. Throws when a variable has a value that it cannot have.
 */
export function createMppRail({
  config,
  realm,
  rpcUrls = new Map(),
  nowUs,
  callMs = 5_000,
  settleMs = 15_000,
  onCall,
}: MppOptions): PaymentRail | UnsetRail {
  const found = offerOf(config, realm)
  if (!found.ok) {
    const nodeOn = remembered((network) => {
      const url = config.rpcUrl ?? rpcUrls.get(network)
      return url === undefined ? undefined : createTempoNode(url, callMs, onCall)
    })
    return { name: 'mpp', missing: found.missing, past: async () => createPast(nodeOn, nowUs) }
  }
  const { offer } = found
  const node = createTempoNode(offer.rpcUrl, callMs, onCall)
  let charge: Charge | undefined
  const deps: MppDeps = {
    offer,
    node,
    chargeOn: (network) => {
      charge ??= createCharge(offer, network.client)
      return charge
    },
    nowUs,
    settleMs,
  }
  return {
    name: 'mpp',
    get terms() {
      return termsOf(deps)
    },
    demand: (request, fault) => demandOf(deps, request, fault),
    read: (request) => credentialIn(request, (fault) => demandOf(deps, request, fault)),
    check: (credential, request) => checkCredential(deps, credential, request),
    settle: (payment, tell) => settlePayment(deps, payment, tell),
    look: (payment) => lookForPayment(deps, payment),
    watch: (payment) => watchPayment(deps, payment),
    receipt: receiptOf,
  }
}

/** What is stored was found to be for its very request before. */
function createPast(nodeOn: (network: string) => TempoNode | undefined, nowUs: () => TimestampUs): PastRail {
  return {
    name: 'mpp',
    read: (request) => credentialIn(request, async (fault) => malformed(fault)),
    look: async (payment) => {
      const node = nodeOn(payment.network)
      return outcomeOf(node ? await seeOnChain({ node, nowUs }, payment) : { kind: 'blind' })
    },
    watch: async (payment) => {
      const node = nodeOn(payment.network)
      return node ? watchPayment({ node, nowUs }, payment) : { kind: 'unknown', reason: 'No Tempo node is configured.' }
    },
    receipt: receiptOf,
  }
}

/** Whoever asks before the node has answered makes the next answer whole; a failure is told by `demand`. */
function termsOf({ offer, node }: MppDeps): readonly RailTerms[] {
  const { known } = node
  if (!known) void node.network().catch(() => undefined)
  if (!known) return []
  const terms = { network: known.name, asset: offer.currency, payee: offer.recipient, amount: AMOUNT }
  return [{ ...terms, settlement: 'verified on chain' }]
}
