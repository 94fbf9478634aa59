import { sql } from 'kysely'
import type { Writer } from '../../schema.ts'
import type { Dialect } from '../../sql/dialect.ts'

/**
 * Postgres keeps probes in one partition per calendar month (UTC); this holds what no month's partition takes.
 * Months are created when their first entry arrives (`engines/postgres-months.ts`).
 */
const DEFAULT_PARTITION = 'probes_other'

/** All tables. `$clustered` and `$text` stand for what differs between the engines. */
const STATEMENTS = `
create table hosts (host_id bigint not null, name $text not null, primary key (host_id)) $clustered;
create index hosts_by_name on hosts (name);

create table host_counters (
  host_id bigint not null, version bigint not null, routes bigint not null,
  answers bigint not null, correct_402 bigint not null, failed bigint not null, unreachable bigint not null,
  newest_probe_us bigint, latency_min_ms bigint, latency_max_ms bigint,
  reviews_verified bigint not null, reviews_signed bigint not null, reviews_unsigned bigint not null,
  reviews_excluded bigint not null, reviews bigint not null, posts bigint not null,
  primary key (host_id)) $clustered;
create index host_counters_by_newest on host_counters ((coalesce(newest_probe_us, -1)), host_id);
create index host_counters_by_routes on host_counters (routes, host_id);
create index host_counters_by_reviews on host_counters ((reviews_verified + reviews_signed + reviews_unsigned), host_id);

create table host_latency (
  host_id bigint not null, step integer not null, latency_ms bigint not null, n bigint not null,
  primary key (host_id, step, latency_ms)) $clustered;

create table routes (
  host_id bigint not null, route_id bigint not null, scheme $text not null, method $text not null,
  path $text not null, rail $text not null,
  primary key (host_id, route_id)) $clustered;
create index routes_in_order on routes (host_id, path, method, rail, scheme);

create table route_state (
  host_id bigint not null, route_id bigint not null, price bigint, network $text, probe_status $text not null,
  probes bigint not null, newest_probe_us bigint, challenge_id bigint, challenge_us bigint, reviews bigint not null,
  listed integer not null default 0,
  primary key (host_id, route_id)) $clustered;
create index route_state_by_price on route_state (host_id, price);

create table listings (
  host_id bigint not null, route_id bigint not null, source $text not null, price bigint not null,
  network $text not null, network_key $text not null, first_us bigint not null, last_us bigint not null,
  primary key (host_id, route_id, source, price, network)) $clustered;

create table payees (
  host_id bigint not null, route_id bigint not null, network $text not null, payee $text not null,
  asset $text not null, origin $text not null, first_us bigint not null, last_us bigint not null,
  primary key (host_id, route_id, network, payee, asset, origin)) $clustered;

create table challenges (
  host_id bigint not null, challenge_id bigint not null, body $text not null,
  primary key (host_id, challenge_id)) $clustered;

create table probes (
  host_id bigint not null, route_id bigint not null, at_us bigint not null, status integer not null,
  latency_ms integer not null, error $text, challenge_id bigint,
  dns_ms integer, connect_ms integer, tls_ms integer, first_byte_ms integer, remote_address $text,
  primary key (host_id, route_id, at_us, status, latency_ms)) $probes;
create index probes_by_time on probes (host_id, at_us);

create table reviews (
  host_id bigint not null, review_id $text not null, route_id bigint not null, url $text not null,
  rating integer not null, text $text not null, wallet $text, signature $text, signed_at $text,
  payment_network $text, payment_transaction $text, receipt $text, level $text not null, level_reason $text,
  excluded $text, superseded integer not null, submitted_us bigint not null,
  primary key (host_id, review_id)) $clustered;
create index reviews_by_route on reviews (host_id, route_id, submitted_us);
create index reviews_by_time on reviews (host_id, submitted_us);

create table posts (
  host_id bigint not null, post_id $text not null, text $text not null, wallet $text not null,
  signature $text not null, signed_at $text not null, posted_us bigint not null, rail $text not null,
  payment_network $text not null, payment_transaction $text not null, payer $text not null,
  hidden_us bigint, hidden_reason $text,
  primary key (host_id, post_id)) $clustered;
create index posts_by_time on posts (host_id, posted_us, post_id);

create table payments (
  payment_key $text not null, host_id bigint not null, rail $text not null, state $text not null,
  network $text not null, asset $text not null, payer $text not null, payee $text not null, amount $text not null,
  request_hash $text not null, intent $text not null, transaction_id $text,
  created_us bigint not null, updated_us bigint not null,
  primary key (payment_key)) $clustered;
create unique index payments_by_transaction on payments (network, transaction_id);
create index payments_by_state on payments (state, updated_us);

create table sources (
  name $text not null, progress $text, failed_page $text, due_us bigint not null,
  lease_until_us bigint not null, lease_by $text,
  primary key (name)) $clustered;

create table source_documents (
  source $text not null, url $text not null, known $text not null,
  primary key (source, url)) $clustered;

create table sweeps (
  source $text not null, started_us bigint not null, ended_us bigint not null, status $text not null,
  resumed integer not null, seen bigint not null, stored bigint not null, pages bigint not null, bytes bigint not null,
  refused $text not null, answers $text not null, announced bigint, error $text,
  primary key (source, started_us)) $clustered;

create table ownership (
  host_id bigint not null, signer $text not null, origin $text not null, proof $text not null,
  first_us bigint not null, last_us bigint not null,
  primary key (host_id, signer, origin)) $clustered;

create table events (
  host_id bigint not null, at_us bigint not null, event_id bigint not null, kind $text not null,
  route_id bigint, data $text not null,
  primary key (host_id, at_us, event_id)) $clustered;
create index events_by_time on events (at_us, host_id, event_id)`

export async function foundation(writer: Writer, dialect: Dialect): Promise<void> {
  const sqlite = dialect.engine === 'sqlite'
  const statements = STATEMENTS.replaceAll('$text', sqlite ? 'text' : 'text collate "C"')
    .replaceAll('$clustered', sqlite ? 'without rowid' : '')
    .replaceAll('$probes', sqlite ? 'without rowid' : 'partition by range (at_us)')
    .split(';')
  for (const statement of statements) await sql.raw(statement).execute(writer)
  if (sqlite) return
  await sql.raw(`create table ${DEFAULT_PARTITION} partition of probes default`).execute(writer)
  // Counters change with every batch: room on each page keeps the new version of a row beside the old one.
  for (const table of ['host_counters', 'host_latency', 'route_state']) {
    await sql.raw(`alter table ${table} set (fillfactor = 70)`).execute(writer)
  }
}
