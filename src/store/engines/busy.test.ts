import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onBothEngines } from '../../../test/support/engines.ts'
import { isUnready } from '../../domain/store-trouble.ts'
import type { Store } from '../store.ts'
import { connect } from './sqlite-connection.mjs'

/** Why a transaction of these statements fails. */
const failureOf = (store: Store, ...statements: readonly string[]): Promise<unknown> =>
  store
    .write(async (writer) => {
      for (const statement of statements) await sql.raw(statement).execute(writer)
    })
    .catch((error: unknown) => error)

onBothEngines('a store that is too busy to write', ({ name, open }) => {
  it('says so in words that are known', async () => {
    const store = await open()
    const failures: unknown[] = []
    if (name === 'sqlite') {
      // Nobody waits a minute for the other program here.
      await failureOf(store, 'pragma busy_timeout = 0')
      const other = connect(store.file ?? '', { readOnly: false })
      other.database.exec('begin immediate')
      failures.push(await failureOf(store, 'delete from vantages'))
      other.close()
    } else {
      failures.push(await failureOf(store, 'set local statement_timeout = 20', 'select pg_sleep(10)'))
      failures.push(await failureOf(store, 'set local transaction_read_only = on', 'delete from vantages'))
    }
    expect(failures.map((failure) => [failure instanceof Error, isUnready(failure)])).toEqual(
      failures.map(() => [true, true]),
    )
  })
})
