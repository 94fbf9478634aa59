import { sql } from 'kysely'
import { z } from 'zod'
import { messageKeyOf } from '../../../domain/money/payment.ts'
import { postMessage } from '../../../wire/signed-lines.ts'
import type { Writer } from '../../schema.ts'
import type { Dialect } from '../../sql/dialect.ts'

/** One signed message is charged once, and so is one name of a request by its wallet: the database holds at most one. */
const STATEMENTS = `
alter table payments add column message_key $text;
alter table payments add column idempotency_key $text;
create index payments_by_signed on payments (message_key);
create unique index payments_by_idempotency on payments (payer, idempotency_key)`

const ONCE = `
drop index payments_by_signed;
create unique index payments_by_message on payments (message_key) where state in ('pending', 'settled')`

const PAGE = 500
const intent = z.looseObject({ text: z.string(), wallet: z.string(), signedAt: z.string() })

export async function signedOnce(writer: Writer, dialect: Dialect): Promise<void> {
  const text = dialect.engine === 'sqlite' ? 'text' : 'text collate "C"'
  for (const statement of STATEMENTS.replaceAll('$text', text).split(';')) await sql.raw(statement).execute(writer)
  await nameMessages(writer)
  for (const statement of ONCE.split(';')) await sql.raw(statement).execute(writer)
}

interface Row {
  readonly payment_key: string
  readonly intent: string
  readonly host: string
}

/** A message that was charged more than once before stays with its first payment; the others stand for themselves. */
async function nameMessages(writer: Writer): Promise<void> {
  let after = ''
  for (;;) {
    const { rows } = await sql<Row>`select p.payment_key, p.intent, h.name as host from payments as p
      join hosts as h on h.host_id = p.host_id where p.payment_key > ${after}
      order by p.payment_key limit ${PAGE}`.execute(writer)
    for (const row of rows) {
      const { text, wallet, signedAt } = intent.parse(JSON.parse(row.intent))
      const key = messageKeyOf(wallet, postMessage({ host: row.host, text, signedAt }))
      await sql`update payments set message_key = ${key} where payment_key = ${row.payment_key}`.execute(writer)
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) break
    after = last.payment_key
  }
  await sql`update payments set message_key = null where state in ('pending', 'settled') and exists
    (select 1 from payments as o where o.message_key = payments.message_key and o.state in ('pending', 'settled')
      and (o.created_us, o.payment_key) < (payments.created_us, payments.payment_key))`.execute(writer)
}
