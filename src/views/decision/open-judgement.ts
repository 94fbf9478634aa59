import { type Judgement, judge } from '../../domain/guard/judge.ts'
import type { Known, KnownRoute } from '../../domain/guard/known.ts'
import type { SellerHost } from '../../domain/host.ts'
import { currentRows } from '../../domain/money/route-price.ts'
import { METHODS } from '../../domain/route.ts'
import type { DecideBody } from '../../wire/bodies/decide-body.ts'
import type { Directory } from '../directory.ts'
import type { DecisionView } from './decision-view.ts'

/** What is known of a route, held against what its seller asks for now. */
export interface JudgementView extends Judgement {
  readonly question: DecideBody
  readonly host: SellerHost
  /** `undefined`: no listing source has named the route. */
  readonly decision: DecisionView | undefined
}

type Looking = Pick<Directory, 'decision' | 'hostVersion'>

/**
 * Hooks of payment clients do not see the method of a request. Then the first route of that address which allows the offer
 * is meant, or else the first that stops: all of them are the same seller's own, and it may list what it likes. So one that
 * stops is overruled by none of which less is known, nor by a template where a route is listed at that very address.
 */
export async function judgementOf(directory: Looking, question: DecideBody): Promise<JudgementView> {
  const { address, method, rail, offer, policy } = question
  const { host, scheme, path } = address
  const view = (known: Known, decision?: DecisionView): JudgementView => ({
    ...judge(known, offer, policy),
    ...{ question, host, decision },
  })
  if ((await directory.hostVersion(host)) === undefined) return view('unknown host')
  const decisions: DecisionView[] = []
  for (const one of method === null ? METHODS : [method]) {
    const decision = await directory.decision(host, { scheme, method: one, path, rail })
    if (decision !== undefined) decisions.push(decision)
  }
  const exact = decisions.filter(({ known }) => !known.isTemplate)
  const near = exact.length > 0 ? exact : decisions
  const isKnownWell = ({ known }: DecisionView): boolean =>
    ASPECTS.every((isKnown) => isKnown(known) || !near.some((other) => isKnown(other.known)))
  const judged = near.map((decision) => view(decision.known, decision))
  return (
    judged.find(({ allow, decision }) => allow && decision && isKnownWell(decision)) ??
    judged.find(({ allow }) => !allow) ??
    judged[0] ??
    view('unknown route')
  )
}

/** What can be known of a route that speaks for or against an offer. */
const ASPECTS: readonly ((route: KnownRoute) => boolean)[] = [
  ({ listings, offers }) => [...currentRows(listings), ...offers].some(({ price }) => price !== null),
  ({ payees }) => payees.length > 0,
]
