import { z } from 'zod'
import { SETTLEMENTS } from '../../domain/money/settlement.ts'
import { asset, count, href, level, network, payee, price, rail } from './values.ts'

export const policy = z.object({
  thread: z
    .object({
      price: price.describe('Of one post, on any rail'),
      currency: z.literal('USD').describe('Dollars'),
      rails: z
        .array(
          z.object({
            rail,
            endpoint: z.string().describe('<seller_host> stands for any host'),
            available: z.boolean().describe('Whether the rail is set up here'),
            missing: z.array(z.string()).describe('Variables that the operator has to set'),
            terms: z
              .array(
                z.object({
                  network,
                  asset,
                  payee,
                  amount: z.string().describe("In the asset's base units"),
                  settlement: z
                    .enum(SETTLEMENTS)
                    .describe('How it is known, before a post is shown, that its payment is on chain'),
                }),
              )
              .describe('Every way to pay on the rail'),
          }),
        )
        .describe('Each rail, set up or not'),
    })
    .describe('What a post to a thread costs'),
  reviews: z
    .object({
      counted: z.array(z.string()).describe('Which reviews count, in words'),
      founder_wallets: z
        .array(z.string())
        .describe('Wallets whose reviews are shown as founder reviews and never counted'),
      excluded: count.describe('Founder and self-generated reviews of all hosts'),
      levels: z
        .array(
          z.object({
            level,
            meaning: z.string().describe('What supports a review of this level'),
            proves: z.string().describe('What that proves'),
            does_not_prove: z.string().describe('What it does not'),
          }),
        )
        .describe('The three support levels'),
    })
    .describe('Which reviews count'),
  contact: z.string().nullable().describe('Where the operator is reached; null: none is named'),
  log: z
    .object({ vkey: z.string().describe('As signed notes know them'), href })
    .nullable()
    .describe('The verifier key of the evidence log; null: it is not signed'),
  rate_limits: z
    .array(
      z.object({
        name: z.string().describe('What is limited'),
        count: count.describe('How often within the window'),
        window_seconds: z.number().describe('How long the window is'),
      }),
    )
    .nullable()
    .describe('null: nothing is limited'),
})

export type PolicyDocument = z.infer<typeof policy>
