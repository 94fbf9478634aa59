import { z } from 'zod'
import { SETTLEMENTS } from '../../domain/money/settlement.ts'
import { count, href, level, price, rail } from './values.ts'

export const policy = z.object({
  thread: z.object({
    price: price.describe('Of one post, on any rail'),
    currency: z.literal('USD'),
    rails: z.array(
      z.object({
        rail,
        endpoint: z.string().describe('<seller_host> stands for any host'),
        available: z.boolean(),
        missing: z.array(z.string()).describe('Variables that the operator has to set'),
        terms: z.array(
          z.object({
            network: z.string(),
            asset: z.string(),
            payee: z.string(),
            amount: z.string().describe("In the asset's base units"),
            settlement: z
              .enum(SETTLEMENTS)
              .describe('How it is known, before a post is shown, that its payment is on chain'),
          }),
        ),
      }),
    ),
  }),
  reviews: z.object({
    counted: z.array(z.string()),
    founder_wallets: z.array(z.string()),
    excluded: count,
    levels: z.array(z.object({ level, meaning: z.string(), proves: z.string(), does_not_prove: z.string() })),
  }),
  contact: z.string().nullable().describe('Where the operator is reached; null: none is named'),
  log: z
    .object({ vkey: z.string(), href })
    .nullable()
    .describe('The verifier key of the evidence log; null: it is not signed'),
  rate_limits: z
    .array(z.object({ name: z.string(), count, window_seconds: z.number() }))
    .nullable()
    .describe('null: nothing is limited'),
})

export type PolicyDocument = z.infer<typeof policy>
