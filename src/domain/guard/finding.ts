/** What can be found about an offer before it is paid. A closed vocabulary: programs name codes in their policies. */
export const FINDING_CODES = [
  'price_above_listed',
  'price_above_observed',
  'price_above_limit',
  'payee_never_seen',
  'payee_changed',
  'network_unlisted',
  'asset_unknown',
  'failing_now',
  'unreachable_lately',
  'seen_differently',
  'never_probed',
  'unknown_host',
  'no_longer_listed',
  'retired_by_seller',
  'moved_by_seller',
  'buyers_not_served',
  'signed_offer_differs',
  'directory_unreachable',
] as const
export type FindingCode = (typeof FINDING_CODES)[number]

export const SEVERITIES = ['stop', 'warn', 'info'] as const
export type Severity = (typeof SEVERITIES)[number]

/** Where whoever doubts a finding can look. */
export type EvidencePlace = 'route' | 'probes' | 'listings' | 'reviews'

/** One thing to know before paying: a fixed sentence with values, and where its evidence is. */
export interface Finding {
  readonly code: FindingCode
  readonly severity: Severity
  readonly said: string
  readonly evidence: EvidencePlace
}

/** A finding before a policy has judged it. `isGrave`: it stops unless the policy says otherwise. */
export interface Fact extends Omit<Finding, 'severity'> {
  readonly severity: Exclude<Severity, 'stop'>
  readonly isGrave: boolean
}

export const note = (code: FindingCode, evidence: EvidencePlace, said: string): Fact => ({
  ...{ code, evidence, said, severity: 'info', isGrave: false },
})

export const warning = (code: FindingCode, evidence: EvidencePlace, said: string): Fact => ({
  ...{ code, evidence, said, severity: 'warn', isGrave: false },
})

export const grave = (code: FindingCode, evidence: EvidencePlace, said: string): Fact => ({
  ...{ code, evidence, said, severity: 'warn', isGrave: true },
})
