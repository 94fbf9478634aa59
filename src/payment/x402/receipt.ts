import type { PaidRequest, Settled } from '../rail.ts'
import { base64Of } from './demand.ts'

/** In the words of the version that the request speaks; never what a library had to say about it. */
export function receiptOf(payment: Settled, request: PaidRequest, name: string): Readonly<Record<string, string>> {
  const { transaction, payer } = payment
  const isSecond = request.header('payment-signature') !== undefined || request.header('x-payment') === undefined
  const network = isSecond ? payment.network : name
  return {
    [isSecond ? 'PAYMENT-RESPONSE' : 'X-PAYMENT-RESPONSE']: base64Of({ success: true, transaction, network, payer }),
  }
}
