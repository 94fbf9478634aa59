import { z } from 'zod'
import { LONGEST_OUTCOME_MS } from '../../domain/buyers/outcome.ts'
import { statement } from './seller.ts'
import {
  asset,
  count,
  exclusion,
  hidden,
  host,
  href,
  level,
  logged,
  method,
  network,
  payee,
  rail,
  rating,
  sha256,
  signature,
  signedAt,
  signedText,
  time,
  transaction,
  untrusted,
  wallet,
} from './values.ts'

const payment = z.object({ network, transaction }).describe('The public payment that it names; null: it names none')

const httpStatus = z.int().min(100).max(999).nullable().describe('null: no answer came after the payment')

/** What the buyer says the paid call brought. */
const outcome = z.object({
  http_status: httpStatus,
  latency_ms: count.describe('From the payment on'),
  bytes: count.nullable().describe('Length of what came; null: not said'),
  content_sha256: sha256.nullable().describe('SHA-256 of what came, in lower-case hex; null: not said'),
  served: z.boolean().describe('A status under 400'),
})

const channel = z.object({
  id: z.string().describe('Id of the channel'),
  transaction: z.string().describe('What moved the money: a claim, a settlement or the closing'),
  refunded: z
    .string()
    .nullable()
    .describe("What of the deposit went back to the buyer, in the asset's base units; null: nothing so far"),
  is_open: z.boolean().describe('More may be paid or given back, and is looked for'),
})

export const paymentFound = z.object({
  asset,
  amount: z.string().describe("In the asset's base units"),
  payer: z.string().describe('The wallet that paid'),
  payee,
  log_index: z.int().describe('Of the transfer in its transaction'),
  at: time,
  is_final: z.boolean().describe('False while a reorganisation of the chain could still take it away'),
  other_hosts_of_payee: count.describe(
    'Other hosts that the same payee was seen for: the transfer alone does not say which was paid',
  ),
  has_receipt: z.boolean().describe('A receipt signed by the payee names the very address that was paid for'),
  parts: z
    .array(z.int())
    .optional()
    .describe('Log indexes of the transfers beside it that make up the amount, where the seller has it shared'),
  channel: channel.optional().describe('Where it was paid out of a deposit in an escrow contract'),
})

export const review = z.object({
  id: z.string().describe('Id of the review'),
  url: z.string().describe('Full address of the reviewed route, as it was sent'),
  method,
  rail,
  rating,
  untrusted,
  text: z.string().describe('Empty when the review is hidden'),
  level,
  level_reason: z.string().nullable().describe('Why the level is lower than asked for; null: it is not'),
  counts_as_agent_review: z.boolean().describe('False of founder and self-generated reviews, and of superseded ones'),
  excluded: exclusion.nullable().describe('Why it is never counted; null: it is none of these'),
  superseded: z.boolean().describe("The wallet's newer review of the same route counts instead"),
  wallet: wallet.nullable().describe('The wallet that signed; null: nobody did'),
  signature: signature.nullable().describe('Of the wallet, over the lines of message; null: nobody signed'),
  signed_at: signedText.nullable().describe('When, as the signed lines have it; null: nobody signed'),
  payment: payment.nullable().describe('The public payment that it names; null: it names none'),
  directory: z
    .string()
    .nullish()
    .describe('The directory that it was signed for; null: the lines name none, so they are good for any'),
  outcome: outcome.optional().describe('What the paid call brought, where the review says so'),
  payment_found: paymentFound.nullable().describe('What was found on chain of the payment that the review names'),
  submitted_at: time,
  hidden: hidden.optional(),
  href,
  log: logged,
  reply: statement.optional().describe('What the seller answered'),
})

/** With everything that is needed to verify it offline. */
export const reviewPage = review.extend({
  host,
  receipt: z.record(z.string(), z.unknown()).nullable().describe('The seller-signed x402 receipt that came with it'),
  text_sha256: sha256,
  message: z.string().nullable().describe('The lines that the signature is over; null when nobody signed'),
  verify: z.string().nullable().describe('A command that checks the signature'),
  events: z
    .array(z.looseObject({ event: z.string().describe('The kind of the change'), date: time }))
    .describe('What became of it since, oldest first'),
  host_href: href,
})

/** The body of `POST /v1/reviews`. */
export const reviewRequest = z.strictObject({
  url: z.string().describe('Full address of the reviewed route'),
  method,
  rail,
  rating,
  text: z.string().min(1).describe('1 to 4,000 characters'),
  wallet: z.string().optional().describe('An EVM address or a Solana one; with signature and signed_at'),
  signature: z
    .string()
    .min(1)
    .max(15_000)
    .optional()
    .describe('EIP-191 over the lines of /v1/reviews/message; ed25519 for a Solana wallet'),
  signed_at: signedAt.optional(),
  payment: z
    .strictObject({
      network,
      transaction: z
        .string()
        .regex(/^[A-Za-z0-9]{1,128}$/)
        .describe('Id of the transaction, as its network writes it'),
    })
    .optional()
    .describe('The public payment that supports the review; of a session the id of its channel'),
  outcome: z
    .strictObject({
      http_status: httpStatus,
      latency_ms: z.int().min(0).max(LONGEST_OUTCOME_MS).describe('From the payment on'),
      bytes: count.optional().describe('Length of what came'),
      content_sha256: sha256.optional(),
    })
    .optional()
    .describe(
      'What the paid call brought; before signed_at stands `outcome <http_status|none> <latency_ms> <content_sha256|none>`',
    ),
  receipt: z.record(z.string(), z.unknown()).optional().describe('A seller-signed x402 receipt'),
  directory: z
    .string()
    .optional()
    .describe('Host of this directory, when the line before signed_at says `directory <host>`'),
})

/** Lines to sign, ready. */
export const signingMessage = z.object({
  message: z.string().describe('Exactly the text to sign, without a line feed at its end'),
  text_sha256: sha256,
  signed_at: signedAt,
})

export type ReviewDocument = z.infer<typeof review>
export type ReviewPageDocument = z.infer<typeof reviewPage>
export type ReviewRequest = z.infer<typeof reviewRequest>
