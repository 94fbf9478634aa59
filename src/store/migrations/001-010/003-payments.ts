import { sql } from 'kysely'
import type { Writer } from '../../schema.ts'
import type { Dialect } from '../../sql/dialect.ts'

/** What paid posts and checked reviews need beyond their tables. `$clustered` and `$text` stand for what differs between the engines. */
const STATEMENTS = `
alter table payments add column identifier $text;
alter table payments add column post_id $text not null default '';
alter table payments add column expires_us bigint not null default 0;
alter table payments add column from_block bigint not null default 0;
alter table payments add column raw $text;
alter table payments add column reason $text;
alter table payments add column log_index bigint not null default -1;
alter table payments add column due_us bigint;
alter table payments add column attempts integer not null default 0;
drop index payments_by_transaction;
create unique index payments_by_transfer on payments (network, transaction_id, log_index);
create unique index payments_by_identifier on payments (payer, identifier);
create index payments_due on payments (due_us);

create table payment_claims (
  network $text not null, transaction_id $text not null, log_index bigint not null,
  host_id bigint not null, review_id $text not null,
  primary key (network, transaction_id, log_index)) $clustered;
create index payment_claims_by_review on payment_claims (host_id, review_id);

create table review_checks (
  host_id bigint not null, review_id $text not null, due_us bigint not null, attempts integer not null,
  primary key (host_id, review_id)) $clustered;
create index review_checks_due on review_checks (due_us);

alter table reviews add column wallet_key $text;
alter table reviews add column payment_found $text;
update reviews set wallet_key = case when wallet like '0x%' then lower(wallet) else wallet end;
create index reviews_by_id on reviews (review_id);
create index reviews_by_wallet on reviews (host_id, wallet_key);
create index posts_by_id on posts (post_id);

alter table payees add column payee_key $text not null default '';
update payees set payee_key = case when payee like '0x%' then lower(payee) else payee end;
create index payees_by_key on payees (payee_key, host_id);

alter table events add column subject $text;
create index events_by_subject on events (host_id, subject)`

export async function payments(writer: Writer, dialect: Dialect): Promise<void> {
  const sqlite = dialect.engine === 'sqlite'
  const statements = STATEMENTS.replaceAll('$text', sqlite ? 'text' : 'text collate "C"')
    .replaceAll('$clustered', sqlite ? 'without rowid' : '')
    .split(';')
  for (const statement of statements) await sql.raw(statement).execute(writer)
}
