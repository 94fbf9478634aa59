import { messageKeyOf } from '../../domain/money/payment.ts'
import { Problem } from '../../domain/problem.ts'
import { problem } from '../../domain/problem-kinds.ts'
import { lineFault } from '../../domain/words/text.ts'
import { findPaymentFor, findPaymentNamed, type StoredPayment } from '../../store/posts/payments.ts'
import type { Reader } from '../../store/schema.ts'
import { type PostBody, parsePostBody } from '../../wire/post-body.ts'
import { postMessage } from '../../wire/signed-lines.ts'
import type { PostCheckDeps, PostRequest } from './check-post.ts'
import type { Ledger } from './ledger.ts'

/** One signed message is charged once: what an earlier request with the same lines, or of the same name, has led to. */
export type Earlier =
  | { readonly kind: 'same'; readonly payment: StoredPayment }
  /** The wallet gave the name to another request before. */
  | { readonly kind: 'other'; readonly payment: StoredPayment }

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
  deps: Pick<Ledger, 'store'> & Pick<PostCheckDeps, 'signatures'>,
  request: PostRequest,
): Promise<Earlier | undefined> {
  const body = await bodyIn(request)
  if (body === undefined) return undefined
  const found = await findEarlier(deps.store.read, request, body, idempotencyKeyIn(request))
  return found && (await isSigned(deps, request, body, found.payment)) ? found : undefined
}

export async function findEarlier(
  reader: Reader,
  request: PostRequest,
  body: PostBody,
  name: string | null,
): Promise<Earlier | undefined> {
  const charged = await findPaymentFor(reader, messageKeyIn(request, body))
  if (charged) return { kind: 'same', payment: charged }
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
