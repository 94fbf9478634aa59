import type { JudgementView } from '../../views/decision/open-judgement.ts'
import { evidenceHref } from '../json/judgement.ts'
import type { Site } from '../site.ts'
import { decisionMarkdown } from './decision.ts'
import { codeSpan } from './quote.ts'

const NOTHING = 'Nothing was found that speaks against this offer. That is no promise.'

/** What was found of an offer, then what is known of its route. */
export function judgementMarkdown(site: Site, view: JudgementView): string {
  const { question, allow, findings, decision } = view
  const lines = findings.map(
    (finding) =>
      `- **${finding.severity}** ${codeSpan(finding.code)}: ${finding.said} <${evidenceHref(site, view, finding)}>`,
  )
  const blocks = [
    '# What a guard would say',
    codeSpan(`${question.method ?? 'any method'} ${question.url}`),
    allow ? 'Allow: nothing stops this payment.' : 'Stop: do not pay this.',
    lines.length === 0 ? NOTHING : lines.join('\n'),
  ]
  const known = decision === undefined ? '' : `\n${decisionMarkdown(site, decision)}`
  return `${blocks.join('\n\n')}\n${known}`
}
