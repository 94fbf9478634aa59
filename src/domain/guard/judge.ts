import { type Fact, type Finding, SEVERITIES, warning } from './finding.ts'
import type { BuyerPolicy, Known, LiveOffer } from './known.ts'
import { payeeFacts } from './payee-facts.ts'
import { offerFacts, priceFacts } from './price-facts.ts'
import { signedFacts } from './signed-facts.ts'
import { standingFacts } from './standing-facts.ts'

export interface Judgement {
  /** False exactly when a finding stops. */
  readonly allow: boolean
  /** What stops first, then warnings, then what is good to know. */
  readonly findings: readonly Finding[]
}

/** Compares what a seller asks for now with what is known of it. No score: every finding stands for itself. */
export function judge(known: Known, offer: LiveOffer, policy: BuyerPolicy): Judgement {
  const findings = [...offerFacts(offer, policy), ...factsOf(known, offer, policy)]
    .map((fact) => judged(fact, policy))
    .sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity))
  return { allow: !findings.some(({ severity }) => severity === 'stop'), findings }
}

function factsOf(known: Known, offer: LiveOffer, policy: BuyerPolicy): Fact[] {
  if (known === 'unknown host')
    return [warning('unknown_host', 'route', 'No listing source has named this host: nothing is known of it.')]
  if (known === 'unknown route')
    return [
      warning('never_probed', 'route', 'No listing source has named this route of the host: it was never probed.'),
    ]
  return [
    ...priceFacts(known, offer, policy),
    ...payeeFacts(known, offer),
    ...signedFacts(known, offer, policy),
    ...standingFacts(known),
  ]
}

/** A limit is kept whatever else a policy says; other codes stop when it names them, or by default when they are grave. */
function judged({ isGrave, ...fact }: Fact, { stop }: BuyerPolicy): Finding {
  const stops = fact.code === 'price_above_limit' || (stop === null ? isGrave : stop.includes(fact.code))
  return stops ? { ...fact, severity: 'stop' } : fact
}
