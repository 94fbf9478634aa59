import { type Judgement, judge } from '../../domain/guard/judge.ts'
import type { BuyerPolicy, Known, LiveOffer } from '../../domain/guard/known.ts'
import type { SellerHost } from '../../domain/host.ts'
import { METHODS, type Method, type Rail, type RouteAddress } from '../../domain/route.ts'
import type { Directory } from '../directory.ts'
import type { DecisionView } from './decision-view.ts'

/** What somebody is about to pay. Without a method, that is not known. */
export interface Question {
  readonly address: RouteAddress
  readonly url: string
  readonly method: Method | null
  readonly rail: Rail
  readonly offer: LiveOffer
  readonly policy: BuyerPolicy
}

/** What is known of a route, held against what its seller asks for now. */
export interface JudgementView extends Judgement {
  readonly question: Question
  readonly host: SellerHost
  /** `undefined`: no listing source has named the route. */
  readonly decision: DecisionView | undefined
}

type Looking = Pick<Directory, 'decision' | 'hostVersion'>

/**
 * Hooks of payment clients do not see the method of a request. Then the first route of that address which allows the offer
 * is meant, or the first there is: all of them are the same seller's own.
 */
export async function judgementOf(directory: Looking, question: Question): Promise<JudgementView> {
  const { address, method, rail, offer, policy } = question
  const { host, scheme, path } = address
  const view = (known: Known, decision?: DecisionView): JudgementView => ({
    ...judge(known, offer, policy),
    ...{ question, host, decision },
  })
  if ((await directory.hostVersion(host)) === undefined) return view('unknown host')
  let first: JudgementView | undefined
  for (const one of method === null ? METHODS : [method]) {
    const decision = await directory.decision(host, { scheme, method: one, path, rail })
    if (decision === undefined) continue
    const judged = view(decision.known, decision)
    if (judged.allow) return judged
    first ??= judged
  }
  return first ?? view('unknown route')
}
