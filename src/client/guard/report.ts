import { answerWords, isServed, LONGEST_OUTCOME_MS } from '../../domain/buyers/outcome.ts'
import type { Method } from '../../domain/words/route-words.ts'
import { type ReviewToSign, type Signer, signReview } from '../sign.ts'
import type { Calls } from './address.ts'
import type { Directory } from './directory.ts'
import type { GuardQuestion } from './question.ts'

/** What a program knows of a paid call beside its answer. Whatever it leaves out is taken from the answer and the guard. */
export interface ReportDetails {
  /** Needed where there is no answer, or one that does not know its address. */
  readonly url?: string
  /** Needed where neither `guard.fetch` nor the paying client tells it. */
  readonly method?: string | undefined
  readonly rail?: 'x402' | 'mpp'
  /** Needed where the seller's answer does not name it. */
  readonly payment?: { readonly network: string; readonly transaction: string }
  /** From the payment on; since the guard allowed it unless given. */
  readonly latencyMs?: number
  /** 5 for a call that was served and 1 for one that was not, unless given. */
  readonly rating?: number
  /** Says that a guard wrote it unless given. */
  readonly text?: string
}

export type Reported =
  | { readonly sent: true; readonly href: string; readonly level: string }
  | { readonly sent: false; readonly reason: string }

/** What the guard remembers of a payment that it allowed. */
export interface Allowed {
  readonly question: GuardQuestion
  readonly atMs: number
}

const DEADLINE_MS = 60_000

/**
 * Who reports, and what the guard remembers. Also what this file would share with the guard: as imports, bundlers would make
 * a third file of it.
 */
export interface Reporting {
  readonly to: Directory
  readonly signer: Signer
  readonly calls: Calls
  readonly paying: ReadonlyMap<string, Allowed>
  addressOf(text: string): string | undefined
  methodIn(text: string): Method | undefined
}

/** Signs what came of a paid call and sends it. Rejects when it cannot be told or is not taken. */
export async function report(from: Reporting, response: Response | null, details: ReportDetails): Promise<Reported> {
  const { to, signer } = from
  const { review, reason } = await reviewOf(from, response, details)
  if (review === undefined) return { sent: false, reason }
  const answer = await to.fetch(to.reviewsUrl, {
    method: 'POST',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body: JSON.stringify(await signReview(signer, review)),
    redirect: 'manual',
    signal: AbortSignal.timeout(DEADLINE_MS),
  })
  const document: Written | null = JSON.parse(await answer.text())
  const { href, level } = document ?? {}
  return answer.ok && typeof href === 'string' && typeof level === 'string'
    ? { sent: true, href, level }
    : { sent: false, reason: String(document?.detail ?? `HTTP ${answer.status}`) }
}

/** As much of JSON as is read here. Whatever is not there, or of another kind, is `undefined` or is not what is looked for. */
interface Written {
  readonly [name: string]: unknown
  readonly extra?: { readonly channelState?: { readonly channelId?: unknown } | null } | null
}

type Told =
  | { readonly review: ReviewToSign; readonly reason?: never }
  | { readonly review?: never; readonly reason: string }

async function reviewOf(
  { to, calls, paying, addressOf, methodIn }: Reporting,
  response: Response | null,
  details: ReportDetails,
): Promise<Told> {
  const call = response === null ? undefined : calls.get(response)
  const url = addressOf(details.url ?? (response?.url || call?.url) ?? '')
  if (!url) return { reason: 'the address that was paid for is not known' }
  const allowed = paying.get(url)
  const network = allowed?.question.offer.network ?? undefined
  const paid = response && paymentIn(response.headers, network)
  const payment = details.payment ?? paid?.payment
  // Most sellers that fail do not charge: what nobody is known to have paid for is not reported.
  if (payment === undefined) return { reason: 'nothing says that the call was paid for: name the payment' }
  const rail = details.rail ?? paid?.rail ?? allowed?.question.rail
  if (rail === undefined) return { reason: 'the rail is not known' }
  const latencyMs = details.latencyMs ?? (allowed && Date.now() - allowed.atMs)
  if (latencyMs === undefined) return { reason: 'how long the call took is not known' }
  const named = details.method ?? call?.method ?? allowed?.question.method
  if (named === undefined) return { reason: 'the method of the call is not known: name it' }
  const method = methodIn(named)
  if (method === undefined) return { reason: `the method ${named} is not one of a route` }
  const status = response?.status ?? null
  const served = isServed({ httpStatus: status })
  const words = `the paid call was ${served ? 'served' : 'not served'}: ${answerWords(status)}`
  return {
    review: {
      ...{ url, method, rail, payment },
      rating: details.rating ?? (served ? 5 : 1),
      text: details.text ?? `Written by a guard of the buying program: ${words}.`,
      outcome: {
        http_status: status,
        latency_ms: Math.min(LONGEST_OUTCOME_MS, Math.max(0, Math.round(latencyMs))),
        ...(await contentOf(response)),
      },
      directory: new URL(to.reviewsUrl).host,
    },
  }
}

/** Of an answer that the program has not read yet; it still can afterwards. A stream of events may never end. */
async function contentOf(response: Response | null) {
  if (response === null || response.bodyUsed) return {}
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) return {}
  const bytes = await response.clone().arrayBuffer()
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return {
    bytes: bytes.byteLength,
    content_sha256: Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join(''),
  }
}

/** What the seller's answer says of its payment. A directory looks for itself whether it was made. */
function paymentIn(headers: Headers, asked: string | undefined) {
  const settled = documentIn(headers.get('payment-response') ?? headers.get('x-payment-response'))
  const receipt = documentIn(headers.get('payment-receipt'))
  // A call that is paid by a voucher has no transaction yet: its channel is named instead.
  const channel = settled?.extra?.channelState?.channelId
  const x402 = named(settled?.network ?? asked, settled?.transaction || channel)
  if (x402) return { rail: 'x402' as const, payment: x402 }
  const mpp = named(asked, receipt?.reference)
  return mpp && { rail: 'mpp' as const, payment: mpp }
}

const named = (network: unknown, transaction: unknown) =>
  typeof network === 'string' && typeof transaction === 'string' && transaction !== '' && network !== ''
    ? { network, transaction }
    : undefined

function documentIn(header: string | null): Written | null | undefined {
  try {
    return header === null ? undefined : JSON.parse(atob(header.replaceAll('-', '+').replaceAll('_', '/')))
  } catch {
    return undefined
  }
}
