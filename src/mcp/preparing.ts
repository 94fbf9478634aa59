import { z } from 'zod'
import { walletKind } from '../domain/wallet.ts'
import { price, rail, sha256, signedAt } from '../wire/api/values.ts'
import { textDigest } from '../wire/signed-lines.ts'
import { outlineOf } from './outline.ts'
import { type Prepared, preparedMarkdown } from './prepared.ts'

// What the tools share that say what to sign.

/** Stands where the caller puts the signature. */
export const SIGNATURE = '<signature>'
export const HEADERS = { 'Content-Type': 'application/json' }

const signing = z.object({
  scheme: z.enum(['eip191', 'ed25519']).describe('eip191 is personal_sign of EVM wallets; ed25519 is for Solana'),
  message: z.string().describe('Exactly the text to sign, without a line feed at its end'),
  text_sha256: sha256.optional().describe('Of the text, which a claim has not'),
  signed_at: signedAt,
})

const request = z.object({
  rail: rail.nullable().describe('What it is paid through; null: it is free'),
  method: z.literal('POST'),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.record(z.string(), z.unknown()).describe(`Put the signature where it says ${SIGNATURE}`),
})

export const output = outlineOf(
  z.object({
    cost: price.describe('What sending it costs, in dollars; preparing it costs nothing'),
    sign: signing.nullable().describe('By eip191 (personal_sign) or ed25519 (Solana); null: nothing to sign'),
    send: z.array(request).describe(`Send one of these, with the signature where the body says ${SIGNATURE}`),
    steps: z.array(z.string()),
  }),
)

export const signingOf = (wallet: string, message: string, at: string, text?: string): z.infer<typeof signing> => ({
  scheme: walletKind(wallet) === 'solana' ? 'ed25519' : 'eip191',
  message,
  ...(text !== undefined && { text_sha256: textDigest(text) }),
  signed_at: at,
})

export const text = z.string().min(1).max(8000).describe('Your own words, 1 to 4,000 characters')

export const SIGN_STEP = `Sign the message with the wallet within 10 minutes, and put the signature where the body says ${SIGNATURE}.`

export const findingOf = (prepared: Prepared) => ({ document: { ...prepared }, markdown: preparedMarkdown(prepared) })
