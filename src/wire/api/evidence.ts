import { z } from 'zod'
import { DIRECTORY_OBSERVED } from '../../domain/listing.ts'
import { PAYEE_ORIGINS } from '../../domain/money/payee.ts'
import {
  count,
  href,
  level,
  logged,
  method,
  milliseconds,
  network,
  price,
  rail,
  result,
  shield,
  time,
  untrusted,
  vantage,
} from './values.ts'

/** A stored route fact: what one listing source says. */
export const listing = z.object({
  source: z.string(),
  price: price.nullable(),
  network: network.nullable(),
  label: z.literal(DIRECTORY_OBSERVED),
  first_observed: time,
  last_observed: time,
  line: z.string().describe('The exact printed row'),
  no_longer_named_since: time
    .optional()
    .describe('Start of the complete sweep since which the source does not name it; left out while it does'),
  method_stated: z
    .literal(false)
    .optional()
    .describe('The source names no method, and GET is assumed; left out where it names one'),
  log: logged,
})

/** Where current rows of a route disagree, beside its price. */
export const disagreement = {
  sources_say: z
    .object({ lowest: price, highest: price, line: z.string() })
    .optional()
    .describe('Left out where the current rows state one price, or none'),
  challenge_asks: z
    .object({ price: price.nullable(), network: network.nullable(), at: time, line: z.string() })
    .optional()
    .describe('What the newest live challenge asks for, where its price, network or rail is not the listed one'),
  challenge_matches: z
    .object({ source: z.string(), price: price.nullable(), network: network.nullable(), line: z.string() })
    .optional()
    .describe('The row that the newest live challenge matches, where it is not the one that gives the price'),
}

/** What one listing source says of a route in words. */
export const description = z.object({
  source: z.string(),
  untrusted,
  text: z.string().describe('At most 500 characters, in one line'),
})

export const offer = z.object({
  rail,
  network: network.nullable(),
  price: price.nullable(),
  asset: z.string().nullable(),
  payee: z.string().nullable(),
})

/** What a live 402 answer asked for. */
export const challenge = z.object({ untrusted, offers: z.array(offer), warnings: z.array(z.string()) })

/** Machine-observed: one unpaid request and how it was answered. Never a review. */
export const probe = z.object({
  result,
  date: time,
  http_status: count.nullable().describe('null: no HTTP result'),
  latency_ms: milliseconds,
  error: z.string().nullable(),
  line: z.string().describe('The exact printed entry'),
  challenge: challenge.nullable(),
  vantage: vantage.optional(),
  shield: shield.optional().describe("Whose challenge page came instead of the seller's answer; left out of others"),
  log: logged,
})

export const routeProbe = probe.extend({ method, address: z.string(), rail })

const paidCallsOfLevel = z.object({
  level,
  reported: count,
  served: count.describe('A status under 400'),
  not_served: count,
  line: z.string().describe('The exact printed line'),
})

/** What buyers say of calls that they paid for. Never joined with what probes saw. */
export const hostPaidCalls = z
  .object({ by_level: z.array(paidCallsOfLevel) })
  .describe('Left out where nobody reported a paid call')

export const paidCalls = z
  .object({
    by_level: z.array(paidCallsOfLevel),
    not_served: z
      .array(
        z.object({
          http_status: count.nullable().describe('null: no answer came after the payment'),
          latency_ms: milliseconds,
          payment: z.object({ network, transaction: z.string() }),
          reported_at: time,
          line: z.string(),
          review: href,
        }),
      )
      .describe('Of verified buyers, newest first, at most five'),
  })
  .describe('Left out where nobody reported a paid call')

/** An offer that the seller put its signature to, with everything that checks it offline. */
const signedOffer = z.object({
  address: z.string(),
  untrusted,
  price: price.nullable(),
  valid_until: time.nullable().describe('null: it does not end'),
  first_seen: time,
  last_seen: time,
  authorised_by: z.string().nullable().describe("Who says that the key is the seller's; null: nobody is known to"),
  reason: z.string().nullable().describe("Why it is not shown to be the seller's"),
  key: z
    .object({ kid: z.string(), jwk: z.record(z.string(), z.string()), named_since: time })
    .optional()
    .describe('The key of the host that signed it'),
  line: z.string(),
  offer: z.record(z.string(), z.unknown()).describe('As the x402 offer-receipt extension writes it'),
  log: logged,
})

/** Beside a route whose live challenges carried signed offers; left out of others. */
export const signedOffers = {
  signed_offers: z.array(signedOffer).optional().describe('Newest first; left out where there is none'),
  contradictions: z
    .array(
      z.object({
        kind: z.enum(['asked', 'listed', 'charged']),
        signed: price.nullable(),
        price: price.nullable(),
        at: time,
        evidence: z.string().nullable().describe('The listing source or the transaction'),
        line: z.string(),
        signed_offer: signedOffer,
      }),
    )
    .optional()
    .describe(
      'Dearer prices than the seller had signed, while the signed one held; of each source the dearest, 10 at most',
    ),
}

/** Who was named to be paid for a route. */
export const payees = z.object({
  untrusted,
  total: count,
  seen: z.array(
    z.object({
      network: network.nullable(),
      payee: z.string(),
      asset: z.string().nullable(),
      named_by: z.enum(PAYEE_ORIGINS),
      first_seen: time,
      last_seen: time,
    }),
  ),
})
