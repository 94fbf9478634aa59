import { z } from 'zod'
import { METHODS, RAILS } from '../domain/route.ts'
import { walletKey } from '../domain/wallet.ts'
import { outcomeIn } from './bodies/outcome-body.ts'
import { checkSignature, type SignatureFinding } from './signature.ts'
import { digestMessage, reviewDigestMessage, textDigest } from './signed-lines.ts'
import { parseWallet } from './wallet.ts'

/** What can be said of a review or post from its public JSON alone, without believing the directory that gave it. */
export interface WritingCheck {
  readonly ok: boolean
  /** One finding each, in the order in which they were looked at. */
  readonly findings: readonly string[]
  /** It is something else, so that there was nothing to check. */
  readonly isOther?: true
  /** What only a smart wallet's own chain can say. */
  readonly unasked?: { readonly wallet: string; readonly message: string; readonly signature: string }
  /** What can be looked for on chain. */
  readonly payment?: DocumentedPayment
}

/** A payment with everything that finds it on its chain again. */
export interface DocumentedPayment {
  readonly network: string
  readonly transaction: string
  readonly payer: string
  readonly asset: string
  /** In the asset's base units. */
  readonly amount: string
  readonly payee: string
  /** Which of the transaction's logs it is; `null` where the directory had no node to tell. */
  readonly logIndex: number | null
}

export type Testimony = 'yes' | 'no' | 'unknown'

/** What one node says about a writing of anybody's directory. Never rejects. */
export interface Witness {
  /** Whether a smart wallet takes the signature for its own. */
  signed(writing: { readonly wallet: string; readonly message: string; readonly signature: string }): Promise<Testimony>
  /** Whether the chain holds the transfer. */
  paid(payment: DocumentedPayment): Promise<Testimony>
}

const signed = { wallet: z.string(), signature: z.string(), signed_at: z.string() }
const said = { text: z.string(), text_sha256: z.string().optional(), message: z.string().nullish() }
const payment = z.object({ network: z.string(), transaction: z.string() })

const REVIEW = z.object({
  ...said,
  url: z.string(),
  method: z.enum(METHODS),
  rail: z.enum(RAILS),
  rating: z.int(),
  payment: payment.nullable(),
  outcome: z
    .object({
      http_status: z.int().nullable(),
      latency_ms: z.int(),
      content_sha256: z.string().nullish(),
    })
    .nullish(),
  directory: z.string().nullish(),
  hidden: z.unknown().optional(),
  wallet: signed.wallet.nullable(),
  signature: signed.signature.nullable(),
  signed_at: signed.signed_at.nullable(),
})
const receipt = payment.extend({
  payer: z.string(),
  asset: z.string().nullish(),
  amount: z.string().nullish(),
  payee: z.string().nullish(),
  log_index: z.int().nullish(),
  settled_at: z.string().nullish(),
})
const POST = z.object({ ...said, ...signed, host: z.string(), hidden: z.unknown(), payment: receipt.optional() })

export const failed = (...findings: string[]): WritingCheck => ({ ok: false, findings })

/** Of a document that is a list, or of another kind. */
export const notOne = (kind: string): WritingCheck => ({
  ...failed(`This is not the JSON of a ${kind}.`),
  isOther: true,
})

/** A review as `GET /v1/reviews/<id>` gives it. */
export function checkReviewDocument(document: unknown): WritingCheck {
  const read = REVIEW.safeParse(document)
  if (!read.success) return notOne('review')
  const { wallet, signature, signed_at: signedAt, outcome, ...review } = read.data
  if (wallet === null || signature === null || signedAt === null) return failed('Nobody signed this review.')
  const digest = shownDigest(review)
  const message = reviewDigestMessage({ ...review, outcome: outcome && outcomeIn(outcome), signedAt }, digest)
  const signedWell = forDirectory(checkSigned({ ...review, wallet, signature }, digest, message), review.directory)
  const check = withHidden(signedWell, review)
  if (!check.ok || review.payment === null) return check
  const { network, transaction } = review.payment
  const open = `The payment is on chain and not looked at here: ${transaction} on ${network}.`
  return { ok: true, findings: [...check.findings, open] }
}

export const forDirectory = (check: WritingCheck, directory: string | null | undefined): WritingCheck => {
  if (!check.ok) return check
  const words = directory == null ? 'The lines name no directory.' : `They are for the directory ${directory}.`
  return { ...check, findings: [...check.findings, words] }
}

/** Words as a document shows them. */
interface ShownWords {
  readonly text: string
  readonly text_sha256?: string | undefined
  readonly hidden?: unknown
}

const isHidden = ({ hidden }: ShownWords): boolean => hidden !== null && hidden !== undefined

/** The SHA-256 of the text; of one that was taken down, as the document has it. */
export const shownDigest = (said: ShownWords): string =>
  isHidden(said) ? (said.text_sha256 ?? '') : textDigest(said.text)

export const withHidden = (check: WritingCheck, said: ShownWords): WritingCheck =>
  isHidden(said)
    ? { ...check, findings: ['The text is hidden: only its digest is checked.', ...check.findings] }
    : check

/** A post as `GET /v1/posts/<id>` gives it. */
export function checkPostDocument(document: unknown): WritingCheck {
  const read = POST.safeParse(document)
  if (!read.success) return notOne('post')
  const post = read.data
  const digest = shownDigest(post)
  const message = digestMessage(post.host, digest, post.signed_at)
  return withHidden(withPayment(checkSigned(post, digest, message), post), post)
}

/** The payment of a post has to be its wallet's own; everything else about it is on chain. */
function withPayment(check: WritingCheck, { wallet, payment }: z.infer<typeof POST>): WritingCheck {
  if (payment === undefined) return check
  const { network, transaction, payer, asset, amount, payee, log_index: logged, settled_at: settledAt } = payment
  if (walletKey(payer) !== walletKey(wallet)) {
    return { ok: false, findings: [...check.findings, `The payment is ${payer}'s and not the signing wallet's.`] }
  }
  if (!asset || !amount || !payee) {
    const named = `Only its transaction is named: ${transaction} on ${network} by ${payer}.`
    return { ...check, findings: [...check.findings, `The document does not say what was paid. ${named}`] }
  }
  const logIndex = logged ?? null
  const place = logIndex === null ? '' : `, log ${logIndex}`
  const paid = `Paid ${amount} of ${asset} on ${network} by ${payer} to ${payee}: ${transaction}${place}`
  const when = settledAt ? `, settled ${settledAt}` : ''
  return {
    ...check,
    findings: [...check.findings, `${paid}${when}.`],
    payment: { network, transaction, payer, asset, amount, payee, logIndex },
  }
}

interface SignedWriting {
  readonly wallet: string
  readonly signature: string
  readonly text_sha256?: string | undefined
  readonly message?: string | null | undefined
}

/** Of a writing that is `unasked`. */
export const NEEDS_CHAIN =
  'No ordinary wallet made the signature. A smart wallet may have: name a node of its chain with --rpc-url to ask it.'

const SIGNATURE_WORDS: Readonly<Record<Exclude<SignatureFinding, 'valid'>, string>> = {
  invalid: 'The signature is not one of the wallet over these lines.',
  'not-canonical': 'The wallet signed these lines, but the signature is not in its canonical form.',
  'needs-chain': NEEDS_CHAIN,
}

export function checkSigned(writing: SignedWriting, digest: string, message: string): WritingCheck {
  if (writing.text_sha256 !== undefined && writing.text_sha256 !== digest) {
    return failed(`The SHA-256 of the text is ${digest}, not ${writing.text_sha256}.`)
  }
  if (writing.message != null && writing.message !== message) {
    return failed('The lines that are said to be signed are not those of the fields.')
  }
  const digestWords = `The text has the SHA-256 ${digest}.`
  const check = checkLines(writing.wallet, message, writing.signature)
  return { ...check, findings: [digestWords, ...check.findings] }
}

/** Whether a wallet signed these very lines. */
export function checkLines(named: string, message: string, signature: string): WritingCheck {
  const wallet = parseWallet(named)
  if (wallet === undefined) return failed('The wallet is not one.')
  const finding = checkSignature(wallet, message, signature)
  if (finding === 'valid') return { ok: true, findings: [`The signature is ${wallet}'s over these lines:`, message] }
  const refused = failed(SIGNATURE_WORDS[finding])
  return finding === 'needs-chain' ? { ...refused, unasked: { wallet, message, signature } } : refused
}
