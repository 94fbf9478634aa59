import { createHash } from 'node:crypto'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { SellerHost } from '../../domain/host.ts'
import { problem } from '../../domain/problem-kinds.ts'
import type { Rail } from '../../domain/route.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Signatures } from '../../payment/signatures.ts'
import { fillPath, PAID_THREAD_PATHS } from '../../wire/paths.ts'
import { checkSignature } from '../../wire/signature.ts'
import { formatSignedAt } from '../../wire/signed-at.ts'
import { postMessage } from '../../wire/signed-lines.ts'
import type { PostRequest } from '../posts/threads.ts'
import { FAKE_TERMS } from './fake-facilitator.ts'
import { FAKE_HEADER, type FakeCredential, fakeHeader } from './fake-rail.ts'

/** A plain check of plain wallets, in place of the one that also knows smart wallets. */
export const plainSignatures: Signatures = {
  check: async (wallet, message, signature) => {
    if (checkSignature(wallet, message, signature) !== 'valid')
      throw problem('invalid-signature', 'The signature is not one of the wallet.')
  },
}

export const newWallet = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey())

const VALID_US = 120_000_000
let nonces = 0

/** A good credential, changed at will. */
export const aCredential = (payer: string, nowUs: TimestampUs, more: Partial<FakeCredential> = {}): FakeCredential => ({
  payer,
  payee: FAKE_TERMS.payee,
  amount: FAKE_TERMS.amount,
  nonce: `n${++nonces}`,
  expiresUs: nowUs + VALID_US,
  identifier: null,
  ...more,
})

export interface Body {
  readonly text: string
  readonly wallet: string
  readonly signature: string
  readonly signed_at: string
}

export async function signedBody(
  wallet: PrivateKeyAccount,
  host: SellerHost,
  text: string,
  nowUs: TimestampUs,
): Promise<Body> {
  const signedAt = formatSignedAt(nowUs)
  const signature = await wallet.signMessage({ message: postMessage({ host, text, signedAt }) })
  return { text, wallet: wallet.address, signature, signed_at: signedAt }
}

/** A request as it comes from the network. */
export function aRequest(
  host: SellerHost,
  body: unknown,
  credential: FakeCredential | string | null,
  rail: Rail = 'x402',
  headers: Readonly<Record<string, string>> = {},
): PostRequest {
  const text = JSON.stringify(body)
  const sent = credential === null || typeof credential === 'string' ? credential : fakeHeader(credential)
  return {
    rail,
    host,
    resource: `https://tollbook.example${fillPath(PAID_THREAD_PATHS[rail], { host })}`,
    bodyDigest: createHash('sha256').update(text).digest('hex'),
    header: (name) => (name.toLowerCase() === FAKE_HEADER ? (sent ?? undefined) : headers[name.toLowerCase()]),
    body: async () => JSON.parse(text),
  }
}
