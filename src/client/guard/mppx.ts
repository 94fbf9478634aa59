import { addressOf, type Calls, callOf } from './address.ts'
import { fieldOf } from './field.ts'
import { mppAsked } from './offer.ts'
import type { Ask } from './question.ts'
import { insist } from './verdict.ts'

/** `create` of mppx, as far as a guard knows it. */
export type MppxCreate = (config: never) => object

/** A request that was answered, and what it would cost. */
export interface Prepared {
  readonly request: { readonly method: string; readonly url: string }
  readonly payment?: { readonly challenge: object } | undefined
}

/** An mppx client whose requests can be prepared. */
export interface PreparingMppx<P extends Prepared> {
  prepareRequest(input: string | URL, init: RequestInit | undefined, options: { requirePayment: true }): Promise<P>
}

/** What is told of a challenge, as far as a guard knows it. */
interface Received {
  readonly createCredential: object
  readonly input?: unknown
  readonly init?: unknown
  readonly response?: unknown
}

/**
 * `onChallenge` can refuse and does not see the address; `challenge.received` sees it just before and cannot refuse. Both
 * are handed the same `createCredential`.
 */
export function guardMppx<T extends MppxCreate>(create: T, ask: Ask, calls: Calls): T {
  const apply = (target: T, self: unknown, [config]: [object]): object => {
    const own = fieldOf(config, 'onChallenge')
    const onChallenge = async (challenge: object, helpers: { readonly createCredential: object }): Promise<unknown> => {
      await insist(ask({ url: undefined, ...calls.get(helpers.createCredential), ...mppAsked(challenge) }))
      return typeof own === 'function' ? own(challenge, helpers) : undefined
    }
    const client = Reflect.apply(target, self, [{ ...config, onChallenge }])
    const listen = fieldOf(client, 'onChallengeReceived')
    if (typeof listen === 'function')
      listen.call(client, ({ createCredential, input, init, response }: Received) => {
        calls.set(createCredential, callOf(input, init, response))
      })
    return client
  }
  return new Proxy(create, { apply })
}

/** Rejects with `PaymentStopped`, or answers a request that waits for `payment.pay()`. */
export async function guardPrepared<P extends Prepared>(
  mppx: PreparingMppx<P>,
  ask: Ask,
  input: string | URL,
  init: RequestInit | undefined,
) {
  const prepared = await mppx.prepareRequest(input, init, { requirePayment: true })
  const { request, payment } = prepared
  if (!payment) throw new TypeError('nothing is to be paid')
  const { method, url: answered } = request
  await insist(ask({ method, url: addressOf(input), answered, ...mppAsked(payment.challenge) }))
  return { ...prepared, payment }
}
