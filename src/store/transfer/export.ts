import { type RawBuilder, sql } from 'kysely'
import type { Challenge } from '../../domain/challenge.ts'
import { DIRECTORY_OBSERVED } from '../../domain/listing.ts'
import { formatPrice } from '../../domain/money/price.ts'
import type { Run } from '../../domain/now/run.ts'
import type { Shield } from '../../domain/now/vantage.ts'
import { formatTimestamp, type TimestampUs } from '../../domain/time/timestamp.ts'
import { outcomeOut } from '../../wire/bodies/outcome-body.ts'
import { paymentFoundOut } from '../../wire/bodies/payment-found.ts'
import { sightOut } from '../../wire/bodies/sights.ts'
import type { WrittenRecord } from '../../wire/records.ts'
import { type ListingColumns, listingOf } from '../facts/listings.ts'
import { statusIn } from '../probes/no-status.ts'
import { keptSinceUs } from '../probes/retention.ts'
import { runIn } from '../probes/runs.ts'
import { shieldIn, sightsIn } from '../probes/sight-rows.ts'
import { vantageOf } from '../probes/vantages.ts'
import { paymentNamedBy } from '../reviews/review-rows.ts'
import type {
  EventTable,
  FoldedRouteTable,
  JsonText,
  OwnershipTable,
  PayeeTable,
  PaymentTable,
  PostTable,
  ProbeTable,
  Reader,
  ReviewTable,
} from '../schema.ts'
import { readJson } from '../sql/json.ts'
import type { Store } from '../store.ts'
import { documentRecords } from './document-records.ts'
import { offerKeyRecords, signedOfferRecords } from './offer-records.ts'
import { paymentRecordOf } from './payment-records.ts'
import { routeFields, scan } from './scan.ts'
import { claimRecords, statementRecords } from './seller-records.ts'
import { sweepRecords } from './sweep-records.ts'

/**
 * Everything in the store, of one moment, as records: each table in the order of its key, which is the same on every
 * machine and engine, so equal stores give equal bytes.
 */
export const exportRecords = (
  store: Store,
  write: (records: readonly WrittenRecord[]) => Promise<void>,
): Promise<number> =>
  store.snapshot(async (reader) => {
    let total = 0
    for (const table of TABLES) {
      for await (const records of table(reader)) {
        await write(records)
        total += records.length
      }
    }
    return total
  })

const price = (value: number | null): string | null => (value === null ? null : formatPrice(value))

type Table = (reader: Reader) => AsyncGenerator<WrittenRecord[]>

async function* listings(reader: Reader): AsyncGenerator<WrittenRecord[]> {
  const key = ['host_id', 'route_id', 'source', 'price', 'network']
  // The words of a source go with the newest of its rows: they were last said with them.
  const words = sql`, (select d.text from descriptions as d where d.host_id = t.host_id and d.route_id = t.route_id
      and d.source = t.source and not exists (select 1 from listings as n where n.host_id = t.host_id
        and n.route_id = t.route_id and n.source = t.source and n.last_us > t.last_us)) as description`
  type Row = ListingColumns & { description: string | null }
  for await (const rows of scan<Row>(reader, 'listings', key, words, 'join')) {
    yield rows.map((row) => {
      const listing = listingOf(row)
      return {
        kind: 'listing',
        source: listing.source,
        ...routeFields(row),
        price: price(listing.price),
        network: listing.network,
        label: DIRECTORY_OBSERVED,
        first_observed: formatTimestamp(listing.firstUs),
        last_observed: formatTimestamp(listing.lastUs),
        ...(row.gone_us === null ? {} : { no_longer_named_since: formatTimestamp(row.gone_us) }),
        ...(row.one_of_several === 1 ? { one_of_several: true } : {}),
        ...(row.method_stated === 0 ? { method_stated: false } : {}),
        ...(row.description === null ? {} : { description: row.description }),
      }
    })
  }
}

async function* unlisted(reader: Reader): AsyncGenerator<WrittenRecord[]> {
  for await (const rows of scan<{ since_us: number }>(reader, 'unlisted', ['host_id', 'route_id'], sql``, 'join')) {
    yield rows.map((row) => ({ kind: 'unlisted', ...routeFields(row), since: formatTimestamp(row.since_us) }))
  }
}

async function* payees(reader: Reader): AsyncGenerator<WrittenRecord[]> {
  const key = ['host_id', 'route_id', 'network', 'payee', 'asset', 'origin']
  for await (const rows of scan<PayeeTable>(reader, 'payees', key, sql``, 'join')) {
    yield rows.map((row) => ({
      kind: 'payee',
      ...routeFields(row),
      network: row.network,
      payee: row.payee,
      asset: row.asset === '' ? null : row.asset,
      origin: row.origin,
      first_observed: formatTimestamp(row.first_us),
      last_observed: formatTimestamp(row.last_us),
    }))
  }
}

/** The entries of before a time, of one moment, as the same records. */
export const exportProbesBefore = (
  store: Store,
  beforeUs: TimestampUs,
  write: (records: readonly WrittenProbe[]) => Promise<void>,
): Promise<void> =>
  store.snapshot(async (reader) => {
    for await (const records of probesOf(reader, sql`t.at_us < ${beforeUs}`)) await write(records)
  })

const probes: Table = (reader) => probesOf(reader, sql`true`)

type WrittenProbe = Extract<WrittenRecord, { readonly kind: 'probe' }>

async function* probesOf(reader: Reader, which: RawBuilder<unknown>): AsyncGenerator<WrittenProbe[]> {
  const key = ['host_id', 'route_id', 'at_us', 'status', 'latency_ms']
  const more = sql`, (select body from challenges as c
    where c.host_id = t.host_id and c.challenge_id = t.challenge_id) as challenge, ${vantageOf('t')} as vantage`
  for await (const rows of scan<ProbeTable & StoredChallenge & VantageColumn>(
    reader,
    'probes',
    key,
    more,
    'join',
    which,
  )) {
    yield rows.map((row) => ({
      kind: 'probe' as const,
      ...routeFields(row),
      date: formatTimestamp(row.at_us),
      http_status: statusIn(row.status),
      latency_ms: row.latency_ms,
      error: row.error,
      // What an entry does not have is not written: most have none of it.
      ...(row.challenge === null ? {} : { challenge: writtenChallenge(readJson(row.challenge)) }),
      ...timings(row),
      ...(row.remote_address === null ? {} : { remote_address: row.remote_address }),
      ...(row.vantage === null ? {} : { vantage: row.vantage }),
      ...writtenShield(shieldIn(row.shield)),
    }))
  }
}

interface VantageColumn {
  vantage: string | null
}

const writtenShield = (shield: Shield | null) => (shield === null ? {} : { shield })

interface StoredChallenge {
  challenge: JsonText<Challenge> | null
}

const writtenChallenge = ({ offers, warnings }: Challenge) => ({
  offers: offers.map((offer) => ({ ...offer, price: price(offer.price) })),
  warnings: [...warnings],
})

function timings({ dns_ms, connect_ms, tls_ms, first_byte_ms }: ProbeTable) {
  const none = dns_ms === null && connect_ms === null && tls_ms === null && first_byte_ms === null
  return none ? {} : { timings: { dns_ms, connect_ms, tls_ms, first_byte_ms } }
}

async function* ownership(reader: Reader): AsyncGenerator<WrittenRecord[]> {
  const key = ['host_id', 'signer', 'origin']
  for await (const rows of scan<OwnershipTable>(reader, 'ownership', key, sql``, null)) {
    yield rows.map((row) => ({
      kind: 'ownership',
      host: row.host_name,
      signer: row.signer,
      origin: row.origin,
      proof: row.proof,
      first_observed: formatTimestamp(row.first_us),
      last_observed: formatTimestamp(row.last_us),
    }))
  }
}

async function* retention(reader: Reader): AsyncGenerator<WrittenRecord[]> {
  const since = await keptSinceUs(reader)
  if (since !== null) yield [{ kind: 'retention', kept_since: formatTimestamp(since) }]
}

async function* folded(reader: Reader): AsyncGenerator<WrittenRecord[]> {
  const challenge = sql`, (select body from challenges as c
    where c.host_id = t.host_id and c.challenge_id = t.challenge_id) as challenge`
  const key = ['host_id', 'route_id']
  type Row = FoldedRouteTable & StoredChallenge
  for await (const rows of scan<Row>(reader, 'folded_routes', key, challenge, 'join')) {
    yield rows.map((row) => ({
      kind: 'folded',
      ...routeFields(row),
      answers: row.answers,
      '402_correct': row.correct_402,
      failed: row.failed,
      unreachable: row.unreachable,
      newest: formatTimestamp(row.newest_us),
      challenge: row.challenge === null ? null : writtenChallenge(readJson(row.challenge)),
      challenge_at: row.challenge_us === null ? null : formatTimestamp(row.challenge_us),
      ...writtenRun(runIn(row)),
      ...(row.sights === null ? {} : { vantages: sightsIn(row.sights).map(sightOut) }),
    }))
  }
}

const writtenRun = (run: Run | null) =>
  run === null
    ? {}
    : {
        run: {
          http_status: run.httpStatus,
          since: formatTimestamp(run.sinceUs),
          last_402: run.last402Us === null ? null : formatTimestamp(run.last402Us),
        },
      }

async function* foldedLatency(reader: Reader): AsyncGenerator<WrittenRecord[]> {
  const key = ['host_id', 'latency_ms']
  for await (const rows of scan<{ latency_ms: number; n: number }>(reader, 'folded_latency', key, sql``, null)) {
    yield rows.map((row) => ({
      kind: 'folded_latency',
      host: row.host_name,
      latency_ms: row.latency_ms,
      entries: row.n,
    }))
  }
}

async function* reviews(reader: Reader): AsyncGenerator<WrittenRecord[]> {
  for await (const rows of scan<ReviewTable>(reader, 'reviews', ['host_id', 'review_id'], sql``, 'join')) {
    yield rows.map((row) => {
      const route = routeFields(row)
      return {
        kind: 'review',
        id: row.review_id,
        ...route,
        ...(row.url === route.url ? {} : { concrete_url: row.url }),
        rating: row.rating,
        text: row.text,
        level: row.level,
        level_reason: row.level_reason,
        excluded: row.excluded,
        superseded: row.superseded === 1,
        wallet: row.wallet,
        signature: row.signature,
        signed_at: row.signed_at,
        payment: paymentNamedBy(row),
        payment_found: row.payment_found === null ? null : paymentFoundOut(readJson(row.payment_found)),
        ...(row.outcome === null ? {} : { outcome: outcomeOut(readJson(row.outcome)) }),
        directory: row.directory,
        receipt: readJson(row.receipt),
        submitted_at: formatTimestamp(row.submitted_us),
        ...(row.hidden_us === null
          ? {}
          : { hidden: { at: formatTimestamp(row.hidden_us), reason: row.hidden_reason ?? '' } }),
      }
    })
  }
}

async function* posts(reader: Reader): AsyncGenerator<WrittenRecord[]> {
  for await (const rows of scan<PostTable>(reader, 'posts', ['host_id', 'post_id'], sql``, null)) {
    yield rows.map((row) => ({
      kind: 'post',
      id: row.post_id,
      host: row.host_name,
      text: row.text,
      wallet: row.wallet,
      signature: row.signature,
      signed_at: row.signed_at,
      posted_at: formatTimestamp(row.posted_us),
      rail: row.rail,
      payment: { network: row.payment_network, transaction: row.payment_transaction, payer: row.payer },
      hidden: row.hidden_us === null ? null : { at: formatTimestamp(row.hidden_us), reason: row.hidden_reason ?? '' },
    }))
  }
}

async function* payments(reader: Reader): AsyncGenerator<WrittenRecord[]> {
  for await (const rows of scan<PaymentTable>(reader, 'payments', ['payment_key'], sql``, null)) {
    yield rows.map(paymentRecordOf)
  }
}

/** In the order of their times: who follows the store that they are moved to hears of them so. */
async function* events(reader: Reader): AsyncGenerator<WrittenRecord[]> {
  for await (const rows of scan<EventTable>(reader, 'events', ['at_us', 'host_id', 'event_id'], sql``, 'left join')) {
    yield rows.map((row) => ({
      kind: 'event',
      host: row.host_name,
      event: row.kind,
      date: formatTimestamp(row.at_us),
      route: row.route_id === null ? null : routeFields(row),
      data: readJson(row.data),
    }))
  }
}

const TABLES: readonly Table[] = [
  retention,
  sweepRecords,
  listings,
  unlisted,
  payees,
  ownership,
  documentRecords,
  folded,
  foldedLatency,
  probes,
  offerKeyRecords,
  signedOfferRecords,
  reviews,
  posts,
  payments,
  claimRecords,
  statementRecords,
  events,
]
