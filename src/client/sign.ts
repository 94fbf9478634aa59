import { textFault } from '../domain/words/text.ts'
import type { PostRequest } from '../wire/api/post.ts'
import type { ReviewRequest } from '../wire/api/review.ts'
import { outcomeIn } from '../wire/bodies/outcome-body.ts'
import { digestMessage, reviewDigestMessage } from '../wire/message-lines.ts'
import { formatSignedAt } from '../wire/signed-at.ts'

/** A wallet that signs texts (EIP-191): any local account of viem is one. */
export interface Signer {
  readonly address: string
  signMessage(signed: { readonly message: string }): Promise<string>
}

export interface PostToSign {
  readonly host: string
  readonly text: string
  /** Milliseconds since 1970; now unless given. */
  readonly nowMs?: number
}

/** The body of a post, signed. Good for 10 minutes. */
export async function signPost(signer: Signer, { host, text, nowMs = Date.now() }: PostToSign): Promise<PostRequest> {
  const signedAt = formatSignedAt(nowMs * 1000)
  const message = digestMessage(host, await digestOf(text), signedAt)
  const signature = await signer.signMessage({ message })
  return { text, wallet: signer.address, signature, signed_at: signedAt }
}

/** With `directory`, the host of the directory's address, the signature is good for that one alone: always name it. */
export interface ReviewToSign extends Omit<ReviewRequest, 'wallet' | 'signature' | 'signed_at'> {
  /** Milliseconds since 1970; now unless given. */
  readonly nowMs?: number
}

/** The body of a review, signed. Good for 10 minutes. */
export async function signReview(
  signer: Signer,
  { nowMs = Date.now(), ...review }: ReviewToSign,
): Promise<ReviewRequest> {
  const signedAt = formatSignedAt(nowMs * 1000)
  const outcome = review.outcome && outcomeIn(review.outcome)
  const lines = { ...review, payment: review.payment ?? null, outcome, signedAt }
  const message = reviewDigestMessage(lines, await digestOf(review.text))
  const signature = await signer.signMessage({ message })
  return { ...review, wallet: signer.address, signature, signed_at: signedAt }
}

/** SHA-256 of the exact UTF-8 bytes, lower-case hex. */
export async function digestOf(text: string, isEmptyTaken = false): Promise<string> {
  const fault = text === '' && isEmptyTaken ? undefined : textFault(text)
  if (fault !== undefined) throw new TypeError(fault)
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
