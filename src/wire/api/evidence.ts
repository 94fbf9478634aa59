import { z } from 'zod'
import { DIRECTORY_OBSERVED } from '../../domain/listing.ts'
import { count, method, milliseconds, network, price, rail, result, time, untrusted } from './values.ts'

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
})

/** Where current rows of a route disagree, beside its price. */
export const disagreement = {
  sources_say: z
    .object({ lowest: price, highest: price, line: z.string() })
    .optional()
    .describe('Left out where the current rows state one price, or none'),
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
})

export const routeProbe = probe.extend({ method, address: z.string(), rail })
