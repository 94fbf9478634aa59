import { z } from 'zod'
import { LONGEST_OUTCOME_MS } from '../domain/buyers/outcome.ts'
import type { AllowHosts } from '../domain/host.ts'
import { DIRECTORY_OBSERVED } from '../domain/listing.ts'
import { PAYEE_ORIGINS } from '../domain/money/payee.ts'
import { PAYMENT_STATES } from '../domain/money/payment.ts'
import { SHIELDS } from '../domain/now/vantage.ts'
import { EXCLUSIONS, LEVELS } from '../domain/review.ts'
import { RAILS } from '../domain/route.ts'
import { PROOF_KINDS } from '../domain/seller/proof.ts'
import { LONGEST_ABOUT, STATEMENT_KINDS } from '../domain/seller/statement.ts'
import { SWEEP_STATUSES } from '../domain/sweep.ts'
import { LONGEST_DESCRIPTION } from '../domain/words/description.ts'
import { REFUSALS } from '../domain/words/refusal.ts'
import {
  addressFields,
  baseUnits,
  challenge,
  count,
  hidden,
  httpStatus,
  json,
  LONGEST_WAIT_MS,
  line,
  listedNetwork,
  network,
  observed,
  price,
  publicKey,
  signature,
  signedOffer,
  tally,
  text,
  time,
  timing,
  vantage,
  whole,
} from './records/fields.ts'

/**
 * The records of `tollbook export` and `tollbook import`, one JSON object a line. Strict: a field that nobody knows is
 * a mistake in the file, and a mistake imports nothing.
 */
export function recordSchema(allow: AllowHosts) {
  const { host, route } = addressFields(allow)

  return z
    .discriminatedUnion('kind', [
      z.strictObject({
        kind: z.literal('listing'),
        source: line(100),
        ...route,
        price,
        network: listedNetwork.nullable(),
        label: z.literal(DIRECTORY_OBSERVED),
        ...observed,
        /** Start of the complete sweep since which the source does not name it any more. */
        no_longer_named_since: time.optional(),
        /** The source named it beside another price of the same network in one reading. */
        one_of_several: z.literal(true).optional(),
        /** The source named no method, and GET was taken. */
        method_stated: z.literal(false).optional(),
        /** What the source says of the route in words, on its newest rows. */
        description: line(LONGEST_DESCRIPTION).optional(),
      }),
      /** A route that no source names any more, since the start of the sweep that missed it. */
      z.strictObject({ kind: z.literal('unlisted'), ...route, since: time }),
      /** How one reading of a source ended. */
      z.strictObject({
        kind: z.literal('sweep'),
        source: line(100),
        started: time,
        ended: time,
        status: z.enum(SWEEP_STATUSES),
        resumed: z.boolean(),
        seen: count,
        stored: count,
        pages: count,
        bytes: count,
        refused: tally,
        answers: tally,
        announced: count.nullable(),
        error: line(1000).nullable(),
        /** The last page of the source that could not be read, with its newest sweep. */
        failed_page: z
          .strictObject({ url: line(4000), at: time, error: line(1000), http_status: httpStatus.nullable() })
          .optional(),
      }),
      z.strictObject({
        kind: z.literal('payee'),
        ...route,
        network: listedNetwork,
        payee: line(200),
        asset: line(200).nullable(),
        origin: z.enum(PAYEE_ORIGINS),
        ...observed,
      }),
      z.strictObject({
        kind: z.literal('probe'),
        ...route,
        date: time,
        http_status: httpStatus.nullable(),
        latency_ms: whole(0, LONGEST_WAIT_MS),
        error: line(200).nullable(),
        challenge: challenge.nullable().default(null),
        timings: z
          .strictObject({ dns_ms: timing, connect_ms: timing, tls_ms: timing, first_byte_ms: timing })
          .nullable()
          .default(null),
        remote_address: line(100).nullable().default(null),
        /** From where it was looked at. */
        vantage: vantage.optional(),
        /** Whose challenge page came instead of the seller's answer. */
        shield: z.enum(SHIELDS).optional(),
      }),
      /** A signed offer that a live challenge carried, as the x402 offer-receipt extension writes it. */
      z.strictObject({
        kind: z.literal('signed_offer'),
        ...route,
        offer: signedOffer,
        ...observed,
      }),
      /** A key that a DID document of the host named. */
      z.strictObject({
        kind: z.literal('offer_key'),
        host,
        kid: line(600),
        jwk: publicKey,
        ...observed,
        /** The first reading of the document that did not have it any more. */
        gone: time.nullable(),
      }),
      z.strictObject({
        kind: z.literal('ownership'),
        host,
        signer: line(200),
        origin: line(300),
        proof: line(1000),
        ...observed,
      }),
      /** A seller's own document as it was last read, with what was refused of it. */
      z.strictObject({
        kind: z.literal('document'),
        source: line(100),
        host,
        url: line(4000),
        sha256: line(64),
        read: time,
        seen: count,
        stored: count,
        refused: z.array(z.strictObject({ reason: z.enum(REFUSALS), item: line(400) })).max(100),
        refused_total: count,
      }),
      z.strictObject({
        kind: z.literal('retention'),
        kept_since: time,
      }),
      z.strictObject({
        kind: z.literal('folded'),
        ...route,
        answers: count,
        '402_correct': count,
        failed: count,
        unreachable: count,
        newest: time,
        challenge: challenge.nullable(),
        challenge_at: time.nullable(),
        /** The run that its newest entry belongs to; not there where it was folded before runs were kept. */
        run: z.strictObject({ http_status: httpStatus.nullable(), since: time, last_402: time.nullable() }).optional(),
        /** What each vantage saw, where any was named; null: those without a name. */
        vantages: z
          .array(
            z.strictObject({
              vantage: vantage.nullable(),
              entries: count,
              newest: time,
              since: time,
              http_status: httpStatus.nullable(),
              shield: z.enum(SHIELDS).optional(),
            }),
          )
          .max(250)
          .optional(),
      }),
      z.strictObject({
        kind: z.literal('folded_latency'),
        host,
        latency_ms: whole(0, LONGEST_WAIT_MS),
        entries: count,
      }),
      z.strictObject({
        kind: z.literal('review'),
        id: line(100),
        ...route,
        /** The address that was reviewed, where the listed route is a template. */
        concrete_url: line(4000).optional(),
        rating: whole(1, 5),
        text,
        level: z.enum(LEVELS),
        level_reason: line(1000).nullable(),
        excluded: z.enum(EXCLUSIONS).nullable(),
        superseded: z.boolean(),
        wallet: line(200).nullable(),
        signature: signature.nullable(),
        signed_at: line(30).nullable(),
        payment: z.strictObject({ network, transaction: line(200) }).nullable(),
        payment_found: z
          .strictObject({
            asset: line(200),
            amount: baseUnits,
            payer: line(200),
            payee: line(200),
            log_index: count,
            at: time,
            is_final: z.boolean(),
            other_hosts: count,
            has_receipt: z.boolean(),
            /** Of the transfers beside it that make up the amount. */
            parts: z.array(count).max(50).optional(),
            /** Where it was paid out of a deposit. */
            channel: z
              .strictObject({
                id: line(200),
                transaction: line(200),
                refunded: baseUnits.nullable(),
                is_open: z.boolean(),
              })
              .optional(),
          })
          .nullable()
          .default(null),
        /** What the buyer says the paid call brought. */
        outcome: z
          .strictObject({
            http_status: httpStatus.nullable(),
            latency_ms: whole(0, LONGEST_OUTCOME_MS),
            bytes: count.nullable(),
            content_sha256: z
              .string()
              .regex(/^[0-9a-f]{64}$/)
              .nullable(),
          })
          .optional(),
        directory: line(300).nullable().default(null),
        receipt: json.nullable(),
        submitted_at: time,
        /** Exports of one version say null of what is not hidden. */
        hidden: hidden.nullish(),
      }),
      z.strictObject({
        kind: z.literal('post'),
        id: line(100),
        host,
        text,
        wallet: line(200),
        signature,
        signed_at: line(30),
        posted_at: time,
        rail: z.enum(RAILS),
        payment: z.strictObject({ network, transaction: line(200), payer: line(200) }),
        hidden: hidden.nullable(),
      }),
      /** A wallet that proved to speak for a host. */
      z.strictObject({
        kind: z.literal('claim'),
        host,
        wallet: line(200),
        signature,
        signed_at: line(30),
        directory: line(300).nullable(),
        claimed_at: time,
        proofs: z
          .array(z.strictObject({ proof: z.enum(PROOF_KINDS), since: time, seen: time, until: time.nullable() }))
          .max(1000),
      }),
      z.strictObject({
        kind: z.literal('statement'),
        id: line(100),
        host,
        says: z.enum(STATEMENT_KINDS),
        about: line(LONGEST_ABOUT),
        text: text.or(z.literal('')),
        wallet: line(200),
        signature,
        signed_at: line(30),
        directory: line(300).nullable(),
        submitted_at: time,
        hidden: hidden.nullable(),
      }),
      z.strictObject({
        kind: z.literal('payment'),
        key: line(500),
        host,
        rail: z.enum(RAILS),
        state: z.enum(PAYMENT_STATES),
        network,
        asset: line(200),
        payer: line(200),
        payee: line(200),
        amount: baseUnits,
        identifier: line(500).nullable(),
        idempotency_key: line(500).nullable().default(null),
        request_hash: line(64),
        /** The post that it is for. */
        intent: z.strictObject({
          resource: line(1000),
          text,
          wallet: line(200),
          signature,
          signed_at: line(30),
        }),
        transaction: line(200).nullable(),
        log_index: whole(-1, Number.MAX_SAFE_INTEGER),
        reason: line(1000).nullable(),
        from_block: count,
        expires_at: time,
        created_at: time,
        updated_at: time,
      }),
      z.strictObject({
        kind: z.literal('event'),
        host,
        event: line(50),
        date: time,
        route: z.strictObject(route).nullable(),
        data: json,
      }),
    ])
    .superRefine((record, context) => {
      if ('last_observed' in record && record.last_observed < record.first_observed) {
        context.addIssue({ code: 'custom', path: ['last_observed'], message: 'must not be before first_observed' })
      }
    })
}

export type TransferRecord = z.output<ReturnType<typeof recordSchema>>
export type RecordOf<K extends TransferRecord['kind']> = Extract<TransferRecord, { kind: K }>
/** A record as it is written on a line. */
export type WrittenRecord = z.input<ReturnType<typeof recordSchema>>
