import { sha256Hex } from '../domain/keys.ts'
import { requestHash } from '../domain/payment.ts'
import { Problem } from '../domain/problem.ts'
import { problem } from '../domain/problem-kinds.ts'
import { isSet, type PaymentRail, type UnsetRail } from '../payment/rail.ts'
import { findHostId } from '../store/hosts.ts'
import type { StoredPayment } from '../store/payments.ts'
import { type Charged, charged } from './charged.ts'
import { Flights } from './flights.ts'
import type { Admit } from './judge-post.ts'
import type { Ledger, PaymentLog } from './ledger.ts'
import { type Ending, Passage, Unfinished, type Way } from './passage.ts'
import type { Signatures } from './signatures.ts'
import type { PostAnswer, PostRequest, Threads } from './threads.ts'

export interface ThreadsOptions extends Ledger {
  readonly signatures: Signatures
  /** Asked once per post that is otherwise fine, before it is paid; by default everybody may. */
  readonly admit?: Admit
  /** A settlement that takes longer is answered with `pending`, and goes on. */
  readonly settleWaitMs?: number
}

const SETTLE_WAIT_MS = 20_000
const RETRY_AFTER_SECONDS = 5

/** The writing side of threads. */
export function threadsOf(options: ThreadsOptions): Threads {
  const way: Way = { admit: () => undefined, settleWaitMs: SETTLE_WAIT_MS, ...options, settling: new Flights() }
  const endings = new Flights<Ending>()

  const post = async (request: PostRequest): Promise<PostAnswer> => {
    const rail = way.rails[request.rail]
    if (!isSet(rail)) throw notConfigured(rail)
    const hostId = await findHostId(way.store.read, request.host)
    if (hostId === undefined) throw problem('unknown-host', `No listing source has named ${request.host}.`)
    const credential = await rail.read(request)
    if (credential === undefined) throw await rail.demand(request)
    const hash = requestHash(request.rail, request.host, request.bodyDigest)
    // Copies of one request share one passage; one with other bytes goes its own way, and the ledger's keys decide.
    const name = [credential.key, hash, sha256Hex(credential.raw)].join('\n')
    const { result, isFirst } = endings.share(name, () =>
      new Passage(way, { request, rail, credential, hostId, requestHash: hash }).ending(),
    )
    return answerOf(way.log, rail, request, await result, isFirst)
  }

  return {
    rails: way.rails,
    post: async (request) => {
      try {
        return await post(request)
      } catch (error) {
        throw truthful(way.log, error)
      }
    },
  }
}

async function answerOf(
  log: PaymentLog,
  rail: PaymentRail,
  request: PostRequest,
  ending: Ending,
  isFirst: boolean,
): Promise<PostAnswer> {
  switch (ending.kind) {
    case 'pending':
      return { kind: 'pending', postId: ending.postId, retryAfterSeconds: RETRY_AFTER_SECONDS }
    case 'unpaid':
      throw await rail.demand(request, ending.fault)
    case 'conflict':
      throw conflict(ending.payment)
    case 'published': {
      const headers = receiptOf(log, rail, ending.payment, request)
      return { kind: 'published', isNew: isFirst && ending.isNew, post: ending.post, headers }
    }
  }
}

function receiptOf(
  log: PaymentLog,
  rail: PaymentRail,
  payment: StoredPayment,
  request: PostRequest,
): Readonly<Record<string, string>> {
  try {
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

/** `charged` speaks of this request; what became of the earlier one is said beside it. */
const conflict = ({ state }: StoredPayment): Problem =>
  problem('payment-conflict', 'This payment came with another request before; nothing was charged for this one.', {
    more: { earlier_charged: EARLIER[state] },
  })

const notConfigured = ({ name, missing }: UnsetRail): Problem =>
  problem('rail-not-configured', `Payments by ${name} are not set up here: ${missing.join(', ')} not set.`, {
    more: { missing },
  })

/** Whatever goes wrong, the payer is told whether money moved. A `Problem` is only ever thrown when none did. */
function truthful(log: PaymentLog, error: unknown): Problem {
  if (error instanceof Problem) return charged(error, false)
  const { cause, moved } = error instanceof Unfinished ? error : new Unfinished(error, false)
  log.error({ err: cause, charged: moved }, 'a post could not be answered')
  const found = problem('internal', 'The post could not be answered.', {
    hint: 'Send the same request again, with the same payment, in a few seconds.',
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  })
  return charged(found, moved)
}
