import { ExactEvmScheme } from '@x402/evm'
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch'
import { Mppx, tempo } from 'mppx/client'
import type { LocalAccount } from 'viem'
import type { SignedOutcome } from '../../src/domain/buyers/outcome.ts'
import type { Method, Rail } from '../../src/domain/route.ts'
import { formatSignedAt } from '../../src/wire/signed-at.ts'
import { postMessage, reviewMessage } from '../../src/wire/signed-lines.ts'
import type { Tempo } from '../chain/tempo.ts'
import type { Purchase } from './buyers.ts'

export interface ReviewWords {
  readonly url: string
  readonly method: Method
  readonly rail: Rail
  readonly rating: number
  readonly text: string
}

const JSON_HEADERS = { 'content-type': 'application/json' }
const now = (): string => formatSignedAt(Date.now() * 1000)

/** Sends a review as any agent would; signed when there is an account. */
export async function review(
  directory: string,
  words: ReviewWords,
  account?: LocalAccount,
  payment: Purchase | null = null,
  outcome: SignedOutcome | null = null,
): Promise<string> {
  const signedAt = now()
  const signed = account && {
    wallet: account.address,
    signature: await account.signMessage({ message: reviewMessage({ ...words, payment, outcome, signedAt }) }),
    signed_at: signedAt,
    ...(payment === null ? {} : { payment }),
    ...(outcome === null ? {} : { outcome: { http_status: outcome.httpStatus, latency_ms: outcome.latencyMs } }),
  }
  const answer = await fetch(`${directory}/v1/reviews`, {
    method: 'POST',
    headers: JSON_HEADERS,
    body: JSON.stringify({ ...words, ...signed }),
  })
  return levelIn(await told(answer, [200, 201]))
}

const levelIn = (document: Record<string, unknown>): string => String(document.level)

/** Pays for a post and signs it with the same wallet. */
export async function post(
  directory: string,
  rail: Rail,
  host: string,
  text: string,
  account: LocalAccount,
  chain: Pick<Tempo, 'client'>,
): Promise<string> {
  const signedAt = now()
  const signature = await account.signMessage({ message: postMessage({ host, text, signedAt }) })
  const body = JSON.stringify({ text, wallet: account.address, signature, signed_at: signedAt })
  const init = { method: 'POST', headers: JSON_HEADERS, body }
  const answer =
    rail === 'x402'
      ? await wrapFetchWithPaymentFromConfig(fetch, {
          schemes: [{ network: 'eip155:*', client: new ExactEvmScheme(account) }],
        })(`${directory}/v1/thread/${host}`, init)
      : await Mppx.create({
          polyfill: false,
          methods: [tempo.charge({ account, getClient: () => chain.client })],
        }).fetch(`${directory}/mpp/v1/thread/${host}`, init)
  return String((await told(answer, [200, 201])).href)
}

async function told(answer: Response, wanted: readonly number[]): Promise<Record<string, unknown>> {
  const text = await answer.text()
  if (!wanted.includes(answer.status)) throw new Error(`the directory answered HTTP ${answer.status}: ${text}`)
  return JSON.parse(text)
}
