import { SingleFlight } from '../../async/single-flight.ts'
import { tally } from '../../async/tally.ts'
import { sha256Hex } from '../../domain/keys.ts'
import { requestHash } from '../../domain/money/payment.ts'
import { Problem } from '../../domain/problem.ts'
import { problem } from '../../domain/problem-kinds.ts'
import { RAILS } from '../../domain/route.ts'
import { isFull, isUnready, reasonOf } from '../../domain/store-trouble.ts'
import { isSet, type PaymentRail, pastOf, railBorne, type Unfit, type UnsetRail } from '../../payment/rail.ts'
import type { Signatures } from '../../payment/signatures.ts'
import { findHostId } from '../../store/host-id.ts'
import type { StoredPayment } from '../../store/posts/payments.ts'
import type { FoundPost } from '../../store/posts/read-post.ts'
import { nearHosts } from '../../store/search/near-hosts.ts'
import { fillPath, PAID_THREAD_PATHS } from '../../wire/paths.ts'
import { unknownHost } from '../../wire/unknown-host.ts'
import type { Admit, PostRequest } from './check-post.ts'
import { earlierPayment, idempotencyKeyIn } from './earlier-payment.ts'
import { type Clash, outcomeOf, type PostDeps, type PostOutcome, standingNow } from './known-payment.ts'
import type { Ledger, PaymentLog } from './ledger.ts'
import { type Charged, PaidPostFlow, PaymentInterrupted } from './paid-post-flow.ts'

export type { PostRequest } from './check-post.ts'

/**
 * `charged` is false when this very request costs nothing: an earlier one with the same signed message has paid, or may
 * have, and the credential of this one, if it has any, stays unused.
 */
export type PostAnswer =
  /** Paid and visible. The same signed message again answers the same post, with `isNew` false. */
  | {
      readonly kind: 'published'
      readonly isNew: boolean
      readonly post: FoundPost
      /** The receipt. */
      readonly headers: Readonly<Record<string, string>>
      readonly charged?: false
    }
  /** Asked to be paid, and nobody can say yet whether it was: the same request again tells. */
  | {
      readonly kind: 'pending'
      readonly postId: string
      readonly retryAfterSeconds: number
      readonly charged?: false
    }

/** The writing side of discussion threads. */
export interface Threads {
  readonly rails: Ledger['rails']
  /** Rejects with a `Problem` that says by `charged` whether money moved. */
  post(request: PostRequest): Promise<PostAnswer>
}

export interface ThreadsOptions extends Ledger {
  readonly signatures: Signatures
  /** Asked once per post that is otherwise fine, before it is paid; by default everybody may. */
  readonly admit?: Admit
  /** A settlement that takes longer is answered with `pending`, and goes on. */
  readonly settleWaitMs?: number
}

const SETTLE_WAIT_MS = 20_000
const RETRY_AFTER_SECONDS = 5

export function createThreads(options: ThreadsOptions): Threads {
  const deps: PostDeps = {
    admit: () => undefined,
    settleWaitMs: SETTLE_WAIT_MS,
    ...options,
    settling: new SingleFlight(),
  }
  const flows = new SingleFlight<PostOutcome>()
  const onTrouble = troubleOf(deps.log)

  const post = async (request: PostRequest): Promise<PostAnswer> => {
    const rail = deps.rails[request.rail]
    const hostId = await findHostId(deps.store.read, request.host)
    const earlier = hostId === undefined ? undefined : await earlierPayment(deps, request)
    // What is paid for is answered also where nothing can be paid any more.
    if (earlier?.kind === 'same') {
      const outcome = await again(deps, earlier.payment)
      const { credentialKey, payment } = earlier
      const isOwn = credentialKey === payment.key
      if (outcome.kind !== 'unpaid') return answerOf(deps, request, outcome, credentialKey, isOwn)
    }
    if (!isSet(rail)) throw notConfigured(rail, deps.rails)
    if (hostId === undefined) throw unknownHost(request.host, await nearHosts(deps.store, request.host))
    if (earlier?.kind === 'other') throw conflict(earlier.payment, 'Idempotency-Key')
    const credential = await rail.read(request)
    if (credential === undefined) throw await rail.demand(request, misplaced(request))
    idempotencyKeyIn(request)
    const hash = requestHash(request.rail, request.host, request.bodyDigest)
    // Copies of one request share one flow; one with other bytes goes its own way, and the ledger's keys decide.
    const name = [credential.key, hash, sha256Hex(credential.raw)].join('\n')
    const { result, isFirst } = flows.share(name, () =>
      new PaidPostFlow(deps, { request, rail, credential, hostId, requestHash: hash }).outcome(),
    )
    return answerOf(deps, request, await result, credential.key, isFirst)
  }

  return {
    rails: deps.rails,
    post: async (request) => {
      try {
        return await post(request)
      } catch (error) {
        throw truthful(onTrouble, error)
      }
    },
  }
}

/** Whatever fails here, the payer is told that the earlier request may have been charged. */
async function again(deps: PostDeps, payment: StoredPayment): Promise<PostOutcome> {
  try {
    return await outcomeOf(deps, await standingNow(deps, payment))
  } catch (error) {
    throw new PaymentInterrupted(error, EARLIER[payment.state])
  }
}

/** A credential of another rail is named as such: it would be asked for for ever. */
function misplaced(request: PostRequest): Unfit | undefined {
  const borne = railBorne(request)
  if (borne === undefined || borne === request.rail) return undefined
  const place = fillPath(PAID_THREAD_PATHS[borne], { host: request.host })
  const reason = `The credential is one of ${borne}, and this address takes ${request.rail}: post to ${place} with it.`
  return { ok: false, code: 'credential_of_another_rail', reason }
}

async function answerOf(
  { log, rails }: PostDeps,
  request: PostRequest,
  outcome: PostOutcome,
  credentialKey: string | undefined,
  isFirst: boolean,
): Promise<PostAnswer> {
  if (outcome.kind === 'conflict') throw conflict(outcome.payment, outcome.clash)
  if (outcome.kind === 'unpaid') {
    const asked = rails[request.rail]
    throw isSet(asked) ? await asked.demand(request, outcome.fault) : notConfigured(asked, rails)
  }
  const { payment } = outcome
  const unused = payment.key === credentialKey ? {} : ({ charged: false } as const)
  if (outcome.kind === 'pending') {
    return { kind: 'pending', postId: payment.postId, retryAfterSeconds: RETRY_AFTER_SECONDS, ...unused }
  }
  const headers = await receiptOf(log, rails[payment.rail], payment, request)
  return { kind: 'published', isNew: isFirst && outcome.isNew, post: outcome.post, headers, ...unused }
}

async function receiptOf(
  log: PaymentLog,
  known: PaymentRail | UnsetRail,
  payment: StoredPayment,
  request: PostRequest,
): Promise<Readonly<Record<string, string>>> {
  try {
    const rail = await pastOf(known)
    return rail.receipt({ ...payment, transaction: payment.transaction ?? '', settledUs: payment.updatedUs }, request)
  } catch (error) {
    // Paid and visible: the post is the answer, with or without a receipt.
    log.error({ err: error, post: payment.postId }, 'a receipt could not be made')
    return {}
  }
}

const EARLIER: Readonly<Record<StoredPayment['state'], Charged>> = {
  settled: true,
  pending: 'pending',
  refused: false,
  expired: false,
}

const CLASHES: Readonly<Record<Clash, { readonly what: string; readonly hint?: string }>> = {
  credential: { what: 'payment' },
  'payment-identifier': {
    what: 'payment-identifier',
    hint: 'Pay with a payment-identifier of its own, or send the earlier request unchanged to get its answer.',
  },
  'Idempotency-Key': {
    what: 'Idempotency-Key',
    hint: 'Send it with an Idempotency-Key of its own, or send the earlier request unchanged to get its answer.',
  },
}

/** `charged` speaks of this request; what became of the earlier one is said beside it. */
function conflict({ state }: StoredPayment, clash: Clash): Problem {
  const { what, ...hint } = CLASHES[clash]
  return problem(
    'payment-conflict',
    `This ${what} came with another request before; nothing was charged for this one.`,
    {
      ...hint,
      more: { earlier_charged: EARLIER[state] },
    },
  )
}

function notConfigured({ name, missing }: UnsetRail, rails: Ledger['rails']): Problem {
  const other = RAILS.find((rail) => isSet(rails[rail]))
  return problem('rail-not-configured', `Payments by ${name} are not set up here: ${missing.join(', ')} not set.`, {
    more: { missing },
    ...(other !== undefined && {
      hint: `Use ${other}, or ask the operator to set the variables that the problem names.`,
    }),
  })
}

type OnTrouble = (cause: unknown, moved: Charged) => void

/** A store that is away, busy or full fails every post for the same reason, which is one line a second. */
function troubleOf(log: PaymentLog): OnTrouble {
  const withoutStore = tally<unknown>((posts, cause) =>
    log.error({ posts, reason: reasonOf(cause) }, 'posts could not be answered'),
  )
  return (cause, moved) => {
    if (isFull(cause) || isUnready(cause)) withoutStore(cause)
    else log.error({ err: cause, charged: moved }, 'a post could not be answered')
  }
}

/** Whatever goes wrong, the payer is told whether money moved. A `Problem` is only ever thrown when none did. */
function truthful(onTrouble: OnTrouble, error: unknown): Problem {
  if (error instanceof Problem) return error.saying({ charged: false })
  const { cause, moved } = error instanceof PaymentInterrupted ? error : new PaymentInterrupted(error, false)
  onTrouble(cause, moved)
  const kind = isFull(cause) ? 'store-full' : isUnready(cause) ? 'not-ready' : 'internal'
  return problem(kind, 'The post could not be answered.', {
    hint: 'Send the same request again, with the same payment, in a few seconds.',
    more: { charged: moved },
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  })
}
