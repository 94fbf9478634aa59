import { problem } from '../domain/problem-kinds.ts'
import type { TimestampUs } from '../domain/timestamp.ts'
import { walletKey } from '../domain/wallet.ts'
import type { Credential, PaymentRail } from '../payment/rail.ts'
import { type PostBody, parsePostBody } from '../wire/post-body.ts'
import { signedAtFault } from '../wire/signed-at.ts'
import { postMessage } from '../wire/signed-lines.ts'
import type { Signatures } from './signatures.ts'
import type { PostRequest } from './threads.ts'

/** Lets a wallet write, or throws a `Problem` when it has written too often. */
export type Admit = (wallet: string) => void

interface Judging {
  readonly signatures: Signatures
  readonly admit: Admit
  readonly nowUs: () => TimestampUs
}

/** Everything about a post that costs nobody anything to check. Rejects with a `Problem`; nothing was charged then. */
export async function judgePost(
  { signatures, admit, nowUs }: Judging,
  request: PostRequest,
  credential: Credential,
): Promise<PostBody> {
  const body = parsePostBody(await request.body())
  const { text, wallet, signature, signedAt } = body
  const late = signedAtFault(signedAt, nowUs())
  if (late !== undefined) throw problem('invalid-signed-at', `${late}.`, { more: { field: 'signed_at' } })
  await signatures.check(wallet, postMessage({ host: request.host, text, signedAt }), signature)
  requirePayer(credential.payer, wallet)
  admit(wallet)
  return body
}

/** A credential becomes public on chain; only its payer's own posts may be paid with it. */
export function requirePayer(payer: string, wallet: string): void {
  if (walletKey(payer) === walletKey(wallet)) return
  throw problem('payer-not-signer', `The payment is ${payer}'s and the post is signed by ${wallet}.`, {
    more: { payer, wallet },
  })
}

const same = (a: string, b: string): boolean => walletKey(a) === walletKey(b)

/** Whether a credential pays what is asked, by its own words: to our payee, in our asset, at least the price. */
export const meetsTerms = ({ terms }: PaymentRail, credential: Credential): boolean =>
  terms.some(
    ({ network, asset, payee, amount }) =>
      network === credential.network &&
      same(asset, credential.asset) &&
      same(payee, credential.payee) &&
      /^\d{1,78}$/.test(credential.amount) &&
      BigInt(credential.amount) >= BigInt(amount),
  )
