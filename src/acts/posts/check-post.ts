import { problem } from '../../domain/problem-kinds.ts'
import type { Rail } from '../../domain/route.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { isSameAddress } from '../../domain/wallet.ts'
import type { Credential, PaidRequest, PaymentRail } from '../../payment/rail.ts'
import type { Signatures } from '../../payment/signatures.ts'
import { type PostBody, parsePostBody } from '../../wire/bodies/post-body.ts'
import { signedAtFault } from '../../wire/signed-at.ts'
import { postMessage } from '../../wire/signed-lines.ts'
import { checkLines } from '../check-lines.ts'
import { untimely } from '../signed-for.ts'

/** A request to post, read but not judged. */
export interface PostRequest extends PaidRequest {
  readonly rail: Rail
  /** The JSON of the body. Rejects with a `Problem` when it cannot be read. */
  body(): Promise<unknown>
  /** Counts a signature that is about to be checked; throws a `Problem` when its sender has asked for too many. */
  signing?(): void
}

/** Lets a wallet write, or throws a `Problem` when it has written too often. */
export type Admit = (wallet: string) => void

export interface PostCheckDeps {
  readonly signatures: Signatures
  readonly admit: Admit
  readonly nowUs: () => TimestampUs
}

/** Everything about a post that costs nobody anything to check. Rejects with a `Problem`; nothing was charged then. */
export async function checkPost(
  { signatures, admit, nowUs }: PostCheckDeps,
  request: PostRequest,
  credential: Credential,
): Promise<PostBody> {
  const document = await request.body()
  request.signing?.()
  const body = parsePostBody(document)
  const { text, wallet, signature, signedAt } = body
  const now = nowUs()
  const late = signedAtFault(signedAt, now)
  if (late !== undefined) throw untimely(late, now)
  await checkLines(signatures, wallet, postMessage({ host: request.host, text, signedAt }), signature)
  requirePayer(credential.payer, wallet)
  admit(wallet)
  return body
}

/** A credential becomes public on chain; only its payer's own posts may be paid with it. */
export function requirePayer(payer: string, wallet: string): void {
  if (isSameAddress(payer, wallet)) return
  throw problem('payer-not-signer', `The payment is ${payer}'s and the post is signed by ${wallet}.`, {
    more: { payer, wallet },
  })
}

/** Whether a credential pays what is asked, by its own words: to our payee, in our asset, at least the price. */
export const meetsTerms = ({ terms }: PaymentRail, credential: Credential): boolean =>
  terms.some(
    ({ network, asset, payee, amount }) =>
      network === credential.network &&
      isSameAddress(asset, credential.asset) &&
      isSameAddress(payee, credential.payee) &&
      /^\d{1,78}$/.test(credential.amount) &&
      BigInt(credential.amount) >= BigInt(amount),
  )
