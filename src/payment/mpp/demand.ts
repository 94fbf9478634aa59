import { Challenge } from 'mppx'
import type { Problem } from '../../domain/problem.ts'
import { problem } from '../../domain/problem-kinds.ts'
import { TEMPO_FEE, THREAD_DOLLARS } from '../../domain/thread.ts'
import { formatTimestamp } from '../../domain/time/timestamp.ts'
import { FUND_WALLET, type PaidRequest, type Unfit } from '../rail.ts'
import { boundTo, type MppDeps } from './charge.ts'
import { unanswered } from './problems.ts'
import { paymentProblem } from './refusals.ts'

const CHALLENGE_US = 5 * 60 * 1e6

/** The 402 with a fresh challenge for this host and body. */
export async function demandOf(
  { node, chargeOn, nowUs }: MppDeps,
  request: PaidRequest,
  fault?: Unfit,
): Promise<Problem> {
  try {
    const charge = chargeOn(await node.network())
    const { request: asked, ...bound } = boundTo(request.host, request.bodyDigest)
    const challenge = await charge.challenge.tempo.charge({
      ...asked,
      ...bound,
      description: `One post to the thread of ${request.host}`,
      expires: formatTimestamp(nowUs() + CHALLENGE_US),
    })
    return asking(Challenge.serialize(challenge), request, fault)
  } catch {
    return unanswered()
  }
}

function asking(challenge: string, { host }: PaidRequest, fault: Unfit | undefined): Problem {
  const headers = { 'WWW-Authenticate': challenge, 'Cache-Control': 'no-store' }
  const more = { charged: false, payment_problem: paymentProblem(fault?.code ?? 'payment-required') }
  return fault
    ? problem('payment-refused', fault.reason, {
        ...{ more, headers },
        ...(fault.code === 'payment-insufficient' && { hint: FUND_WALLET }),
      })
    : problem('payment-required', `A post to the thread of ${host} costs ${THREAD_DOLLARS} dollars. ${TEMPO_FEE}`, {
        ...{ more, headers },
      })
}
