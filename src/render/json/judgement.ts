import type { Finding } from '../../domain/guard/finding.ts'
import type { JudgementView } from '../../views/decision/open-judgement.ts'
import {
  apiHostsHref,
  apiListingHistoryHref,
  apiReviewsHref,
  fullAddress,
  routeHref,
  routeProbesHref,
  type Site,
  withQuery,
} from '../site.ts'
import { priceOrNull } from '../values.ts'
import { EVIDENCE_LABEL } from '../words.ts'
import { decisionJson } from './decision.ts'

/** Where the evidence of a finding is: of what nobody has named, the search that finds nothing. */
export function evidenceHref(site: Site, { host, decision }: JudgementView, { evidence }: Finding): string {
  if (decision === undefined) return fullAddress(site, withQuery(apiHostsHref, { q: host }))
  if (evidence === 'probes') return fullAddress(site, routeProbesHref(host, decision.route))
  if (evidence === 'listings') return fullAddress(site, apiListingHistoryHref(host))
  if (evidence === 'reviews') return fullAddress(site, apiReviewsHref(host))
  return fullAddress(site, routeHref(host, decision.route))
}

const UNKNOWN = 'Everything: no listing source has named this route.'

/** What `GET` answers of the route, and what was found of the offer. */
export function judgementJson(site: Site, view: JudgementView) {
  const { question, host, decision, allow, findings } = view
  const { method, url, rail, offer } = question
  const { unknown = [UNKNOWN], ...known } = decision === undefined ? {} : decisionJson(site, decision)
  return {
    ...known,
    asked: { method, url, rail },
    host,
    evidence_label: EVIDENCE_LABEL,
    offer: { ...offer, price: priceOrNull(offer.price) },
    allow,
    findings: findings.map((finding) => ({
      code: finding.code,
      severity: finding.severity,
      said: finding.said,
      href: evidenceHref(site, view, finding),
    })),
    unknown,
  }
}
