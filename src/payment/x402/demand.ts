import type { Problem } from '../../domain/problem.ts'
import { problem } from '../../domain/problem-kinds.ts'
import { THREAD_DOLLARS } from '../../domain/thread.ts'
import { FUND_WALLET, type PaidRequest, type Unfit } from '../rail.ts'
import { declaredExtensions } from './extensions.ts'
import type { Offer } from './offer.ts'
import { isShort } from './refusals.ts'
import { requirementsV1, requirementsV2, resourceOf } from './requirements.ts'

export const base64Of = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')

/** One 402 for both versions: version 2 reads the header, version 1 the members of the problem document. */
export function demandOf(offers: readonly Offer[], request: PaidRequest, fault?: Unfit): Problem {
  const error = fault?.code ?? 'payment_required'
  const required = {
    x402Version: 2,
    error,
    resource: resourceOf(request.resource),
    accepts: offers.map(requirementsV2),
    extensions: declaredExtensions(),
  }
  const accepts = offers.flatMap((offer) => requirementsV1(offer, request.resource) ?? [])
  const particulars = {
    more: { x402Version: 1, error, accepts, charged: false },
    headers: { 'PAYMENT-REQUIRED': base64Of(required), 'Cache-Control': 'no-store' },
  }
  return fault === undefined
    ? problem('payment-required', `A post costs ${THREAD_DOLLARS} dollars.`, particulars)
    : problem('payment-refused', `${fault.reason} Nothing was charged.`, {
        ...particulars,
        ...(isShort(fault.code) && { hint: FUND_WALLET }),
      })
}
