import { z } from 'zod'
import { DIRECTORY_OBSERVED } from '../../domain/listing.ts'
import { PAYEE_ORIGINS } from '../../domain/money/payee.ts'
import {
  address,
  assetIfSaid,
  count,
  href,
  level,
  line,
  logged,
  method,
  milliseconds,
  network,
  networkBeside,
  payee,
  payeeIfSaid,
  price,
  rail,
  result,
  shield,
  source,
  time,
  transaction,
  untrusted,
  vantage,
} from './values.ts'

/** A stored route fact: what one listing source says. */
export const listing = z.object({
  source,
  price: price.nullable().describe('What the source says that it costs; null: it does not say, or not in dollars'),
  network: network.nullable().describe('Where, as the source writes it; null: it does not say'),
  label: z.literal(DIRECTORY_OBSERVED).describe('Stored route facts are observed in directories'),
  first_observed: time.describe('When the source was first seen to say so'),
  last_observed: time.describe('When it last was'),
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
    .object({ lowest: price, highest: price, line })
    .optional()
    .describe('Left out where the current rows state one price, or none'),
  challenge_asks: z
    .object({
      price: price.nullable().describe('What it asks for; null: no price was read'),
      network: network.nullable().describe('Where it asks for that'),
      at: time,
      line,
    })
    .optional()
    .describe('What the newest live challenge asks for, where its price, network or rail is not the listed one'),
  challenge_matches: z
    .object({
      source,
      price: price.nullable().describe('Of that row'),
      network: network.nullable().describe('Of that row'),
      line,
    })
    .optional()
    .describe('The row that the newest live challenge matches, where it is not the one that gives the price'),
}

/** What one listing source says of a route in words. */
export const description = z.object({
  source,
  untrusted,
  text: z.string().describe('At most 500 characters, in one line'),
})

export const offer = z.object({
  rail,
  network: network.nullable().describe('Where it is to be paid; null: the challenge does not say'),
  price: price.nullable().describe('In dollars; null: the asset has no known dollar value'),
  asset: assetIfSaid,
  payee: payeeIfSaid,
})

/** What a live 402 answer asked for. */
export const challenge = z.object({
  untrusted,
  offers: z.array(offer).describe('Every way to pay that it names'),
  warnings: z.array(z.string()).describe('What does not conform in it'),
})

/** Machine-observed: one unpaid request and how it was answered. Never a review. */
export const probe = z.object({
  result,
  date: time.describe('When it was asked'),
  http_status: count.nullable().describe('null: no HTTP result'),
  latency_ms: milliseconds.describe('Until the answer, or until the failure'),
  error: z.string().nullable().describe('What went wrong, in words; null: nothing was recorded'),
  line: z.string().describe('The exact printed entry'),
  challenge: challenge.nullable().describe('What a live 402 answer asked for; null of every other entry'),
  vantage: vantage.optional(),
  shield: shield.optional().describe("Whose challenge page came instead of the seller's answer; left out of others"),
  log: logged,
})

export const routeProbe = probe.extend({ method, address, rail })

const paidCallsOfLevel = z.object({
  level,
  reported: count.describe('Paid calls that reviews of this level tell of'),
  served: count.describe('A status under 400'),
  not_served: count.describe('Another status, or no answer'),
  line: z.string().describe('The exact printed line'),
})

/** What buyers say of calls that they paid for. Never joined with what probes saw. */
export const hostPaidCalls = z
  .object({ by_level: z.array(paidCallsOfLevel).describe('By support level of the reviews') })
  .describe('Left out where nobody reported a paid call')

export const paidCalls = z
  .object({
    by_level: z.array(paidCallsOfLevel).describe('By support level of the reviews'),
    not_served: z
      .array(
        z.object({
          http_status: count.nullable().describe('null: no answer came after the payment'),
          latency_ms: milliseconds.describe('From the payment on'),
          payment: z.object({ network, transaction }).describe('The public payment of the call'),
          reported_at: time,
          line,
          review: href.describe('The review that tells of it'),
        }),
      )
      .describe('Of verified buyers, newest first, at most five'),
  })
  .describe('Left out where nobody reported a paid call')

/** An offer that the seller put its signature to, with everything that checks it offline. */
export const signedOffer = z.object({
  address: z.string().describe('The address that was signed for'),
  untrusted,
  price: price.nullable().describe('What was signed, in dollars; null: the asset has no known dollar value'),
  valid_until: time.nullable().describe('null: it does not end'),
  first_seen: time,
  last_seen: time,
  authorised_by: z.string().nullable().describe("Who says that the key is the seller's; null: nobody is known to"),
  reason: z.string().nullable().describe("Why it is not shown to be the seller's"),
  key: z
    .object({
      kid: z.string().describe('The DID URL of the key'),
      jwk: z.record(z.string(), z.string()).describe('The public key as a JSON Web Key'),
      named_since: time.describe('When the host was first seen to name it'),
    })
    .optional()
    .describe('The key of the host that signed it'),
  line,
  offer: z.record(z.string(), z.unknown()).describe('As the x402 offer-receipt extension writes it'),
  log: logged,
})

/** Beside a route whose live challenges carried signed offers; left out of others. */
export const signedOffers = {
  signed_offers: z.array(signedOffer).optional().describe('Newest first; left out where there is none'),
  contradictions: z
    .array(
      z.object({
        kind: z
          .enum(['asked', 'listed', 'charged'])
          .describe('Where the dearer price was seen: a live challenge, a listing, a payment'),
        signed: price.nullable().describe('What was signed'),
        price: price.nullable().describe('What was asked, listed or charged instead'),
        at: time,
        evidence: z.string().nullable().describe('The listing source or the transaction'),
        line,
        signed_offer: signedOffer.describe('The offer that it contradicts'),
      }),
    )
    .optional()
    .describe(
      'Dearer prices than the seller had signed, while the signed one held; of each source the dearest, 10 at most',
    ),
}

/** What a route's own 402 answers asked for. */
export const askedPrices = z
  .object({
    untrusted,
    days: count.describe('So many days up to now are looked at'),
    challenges: count.describe('Answers in these days whose challenge could be read, the newest 500 at most'),
    is_cut: z.boolean().describe('Whether there may have been more of them'),
    total: count.describe('Prices and networks that they asked for'),
    seen: z
      .array(
        z.object({
          price: price.nullable().describe('null: its value in dollars is not known'),
          network: network.nullable().describe('Where, as the seller last wrote it; null: not said'),
          ...networkBeside,
          challenges: count.describe('Answers that asked for it'),
          first_observed: time.describe('When one first did in these days; others may have been asked for between'),
          last_observed: time.describe('When one last did'),
        }),
      )
      .describe('Last seen first, the first 50'),
  })
  .describe('Machine-observed: prices that its own live challenges asked for')

/** Who was named to be paid for a route. */
export const payees = z
  .object({
    untrusted,
    total: count.describe(
      'All that are kept of the route: at most 5,000 that each source names and as many by live challenges; others are left out',
    ),
    seen: z
      .array(
        z.object({
          network: network.nullable().describe('Where, as it was written; null: not said'),
          payee,
          asset: assetIfSaid,
          asset_name: z
            .string()
            .optional()
            .describe('What a known dollar is called, USDC mostly; left out of all others'),
          named_by: z.enum(PAYEE_ORIGINS).describe('Where it was seen'),
          first_seen: time,
          last_seen: time,
        }),
      )
      .describe('Newest first'),
  })
  .describe('Who was to be paid for it')
