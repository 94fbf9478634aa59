import { z } from 'zod'
import { SETTLEMENTS } from '../../domain/money/settlement.ts'
import { statement } from './seller.ts'
import {
  hidden,
  host,
  href,
  logged,
  network,
  payeeIfSaid,
  rail,
  sha256,
  signature,
  signedAt,
  signedText,
  time,
  transaction,
  untrusted,
  wallet,
} from './values.ts'

const postId = z.string().describe('Id of the post')

export const post = z.object({
  id: postId,
  host,
  untrusted,
  text: z.string().describe('Empty when the post is hidden'),
  wallet: wallet.describe('The wallet that signed and paid'),
  signature,
  signed_at: signedText,
  posted_at: time,
  rail,
  payment: z
    .object({
      network,
      transaction,
      payer: z.string().describe('The wallet that paid'),
      settlement: z
        .enum(SETTLEMENTS)
        .nullable()
        .describe(
          'Whether a node of this directory has seen the payment on chain, or a facilitator was believed; null: its record is not here',
        ),
      asset: z.string().nullish().describe('What was paid with: a token address or mint'),
      amount: z.string().nullish().describe("In the asset's base units"),
      payee: payeeIfSaid.optional(),
      log_index: z.int().nullish().describe('Of the transfer in its transaction; null: no node has seen it'),
      settled_at: time.nullish().describe('When the payment was made'),
    })
    .describe('What was paid for it'),
  hidden,
  href,
  log: logged,
  reply: statement.optional().describe('What the seller answered'),
})

/** The answer 200 to a signed message that has led to a post before. */
export const postedBefore = post.extend({
  charged: z.literal(false).optional().describe('Another credential has paid; one that came along stays unused'),
  earlier_charged: z.literal(true).optional().describe('The earlier request with the same signed message was charged'),
})

/** With everything that is needed to verify it offline. */
export const postPage = post.extend({
  text_sha256: sha256,
  message: z.string().describe('The four lines that the signature is over'),
  host_href: href,
  thread_href: href,
})

/** The body of a post to a thread. */
export const postRequest = z.strictObject({
  text: z.string().min(1).describe('1 to 4,000 characters'),
  wallet: z.string().describe('The wallet that signs and pays'),
  signature: z.string().min(1).max(15_000).describe('EIP-191 over the four lines of /v1/thread/<seller_host>/message'),
  signed_at: signedAt,
})

/** The answer 202: asked to be paid, and nobody can say yet whether it was. */
export const pendingPost = z.object({
  id: postId,
  status: z.literal('payment_pending').describe('The outcome of the payment is not known yet'),
  charged: z
    .union([z.literal('pending'), z.literal(false)])
    .describe('False: an earlier request with the same signed message is under way, and this one costs nothing'),
  earlier_charged: z
    .literal('pending')
    .optional()
    .describe('An earlier request with the same signed message may have been charged'),
  hint: z.string().describe('What to do next'),
})

export type PostDocument = z.infer<typeof post>
export type PostPageDocument = z.infer<typeof postPage>
export type PostRequest = z.infer<typeof postRequest>
