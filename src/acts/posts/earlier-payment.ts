import { messageKeyOf } from '../../domain/money/payment.ts'
import { Problem } from '../../domain/problem.ts'
import { problem } from '../../domain/problem-kinds.ts'
import { lineFault } from '../../domain/words/text.ts'
import { pastOf } from '../../payment/rail.ts'
import { findPayment, findPaymentFor, findPaymentNamed, type StoredPayment } from '../../store/posts/payments.ts'
import type { Reader } from '../../store/schema.ts'
import { type PostBody, parsePostBody } from '../../wire/bodies/post-body.ts'
import { postMessage } from '../../wire/signed-lines.ts'
import type { PostCheckDeps, PostRequest } from './check-post.ts'
import type { Ledger } from './ledger.ts'

/** One signed message is charged once: what an earlier request with the same lines, or of the same name, has led to. */
export interface Earlier {
  /** `other`: the wallet gave the name to another request before. */
  readonly kind: 'same' | 'other'
  readonly payment: StoredPayment
}

/** The same, and the key of the credential that came along, if any can be read. */
export interface EarlierOf extends Earlier {
  readonly credentialKey: string | undefined
}

export const messageKeyIn = ({ host }: PostRequest, { wallet, text, signedAt }: PostBody): string =>
  messageKeyOf(wallet, postMessage({ host, text, signedAt }))

const LONGEST_NAME = 255

/** The client's own name for the request, in the scope of its wallet. Throws a `Problem` when it is not one. */
export function idempotencyKeyIn(request: PostRequest): string | null {
  const name = request.header('idempotency-key')
  if (name === undefined) return null
  if (lineFault(name, LONGEST_NAME) === undefined) return name
  throw problem('invalid-field', `Idempotency-Key is not 1 to ${LONGEST_NAME} characters of one line.`)
}

/**
 * Looked for before anything is asked or demanded, with a credential or without. `undefined` when there is none; what is
 * wrong with the request is for others to say.
 */
export async function earlierPayment(
  deps: Pick<Ledger, 'store' | 'rails'> & Pick<PostCheckDeps, 'signatures'>,
  request: PostRequest,
): Promise<EarlierOf | undefined> {
  const body = await bodyIn(request)
  if (body === undefined) return undefined
  const found = await findEarlier(deps.store.read, request, body)
  if (!found || !(await isSigned(deps, request, body, found.payment))) return undefined
  const credentialKey = await keyIn(deps, request, found.payment.asset)
  const own = await ownPayment(deps.store.read, request, body, credentialKey)
  return { ...(own ? { kind: 'same', payment: own } : found), credentialKey }
}

async function keyIn(
  { rails }: Pick<Ledger, 'rails'>,
  request: PostRequest,
  asset: string,
): Promise<string | undefined> {
  try {
    const rail = await pastOf(rails[request.rail])
    return (await rail.read(request, asset))?.key
  } catch {
    // Nobody needs it: the post is paid for.
    return undefined
  }
}

/** What this very credential has paid for: a message has two posts when a third party used one that was refused before. */
async function ownPayment(
  reader: Reader,
  request: PostRequest,
  body: PostBody,
  key: string | undefined,
): Promise<StoredPayment | undefined> {
  const own = key === undefined ? undefined : await findPayment(reader, key)
  if (own?.state !== 'settled') return undefined
  const { host, intent } = own
  return messageKeyOf(intent.wallet, postMessage({ host, ...intent })) === messageKeyIn(request, body) ? own : undefined
}

/** Throws a `Problem` when the message is new and its name is not one. */
export async function findEarlier(reader: Reader, request: PostRequest, body: PostBody): Promise<Earlier | undefined> {
  const charged = await findPaymentFor(reader, messageKeyIn(request, body))
  if (charged) return { kind: 'same', payment: charged }
  const name = idempotencyKeyIn(request)
  const named = name === null ? undefined : await findPaymentNamed(reader, body.wallet, name)
  if (named === undefined) return undefined
  const isSame = named.host === request.host && named.intent.text === body.text
  return { kind: isSame ? 'same' : 'other', payment: named }
}

async function bodyIn(request: PostRequest): Promise<PostBody | undefined> {
  try {
    return parsePostBody(await request.body())
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

/** The very signature that was checked before needs no second look. */
async function isSigned(
  { signatures }: Pick<PostCheckDeps, 'signatures'>,
  request: PostRequest,
  { wallet, text, signature, signedAt }: PostBody,
  { intent, host }: StoredPayment,
): Promise<boolean> {
  const isKnown =
    host === request.host &&
    intent.text === text &&
    intent.signedAt === signedAt &&
    intent.wallet === wallet &&
    intent.signature === signature
  if (isKnown) return true
  request.signing?.()
  try {
    await signatures.check(wallet, postMessage({ host: request.host, text, signedAt }), signature)
    return true
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return false
    throw error
  }
}
