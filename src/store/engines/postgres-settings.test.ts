import { sql } from 'kysely'
import { describe, expect, inject, it } from 'vitest'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { aListing, aProbe, NOON_US } from '../../../test/support/samples.ts'
import { saveListings } from '../facts/save-listings.ts'
import { openStore } from '../open.ts'
import { readRefusalsNaming } from '../pages/read-why.ts'
import { saveProbes } from '../probes/save-probes.ts'
import { verifyStore } from '../transfer/verify.ts'

/** Ways of older servers, and of other places. */
const ODD = {
  standard_conforming_strings: 'off',
  array_nulls: 'off',
  backslash_quote: 'off',
  bytea_output: 'escape',
  client_encoding: 'LATIN1',
  DateStyle: 'German, DMY',
  default_transaction_isolation: 'serializable',
  extra_float_digits: '-5',
  IntervalStyle: 'sql_standard',
  TimeZone: 'Asia/Kolkata',
  transform_null_equals: 'on',
}

describe.skipIf(inject('databaseUrl') === null)('a database with settings of its own', () => {
  it('is written and read as any other', async () => {
    const databaseUrl = await freshDatabase(inject('databaseUrl') ?? '', inject('madeStores')?.postgres)
    const setting = await openStore({ dataDir: '', databaseUrl })
    const name = new URL(databaseUrl).pathname.slice(1)
    for (const [variable, value] of Object.entries(ODD)) {
      const set = sql`alter database ${sql.id(name)} set ${sql.raw(variable)} = ${sql.raw(`'${value}'`)}`
      await set.execute(setting.read)
    }
    await setting.close()
    const store = await openStore({ dataDir: '', databaseUrl })
    await saveListings(store, { listings: [aListing({ price: null, network: null }), aListing({ source: 'b' })] })
    await saveProbes(store, { probes: [aProbe(), aProbe({ atUs: NOON_US + 1, httpStatus: null })] })
    expect(await readRefusalsNaming(store.read, aListing().host, 10)).toEqual([])
    const found: unknown[] = []
    expect(await verifyStore(store, (difference) => found.push(difference))).toMatchObject({ hosts: 1 })
    expect(found).toEqual([])
    await store.close()
  })

  it('gives up whoever has fallen silent, and a writer that has stopped', async () => {
    const store = await openStore({ dataDir: '', databaseUrl: await freshDatabase(inject('databaseUrl') ?? '') })
    const shown = sql<{ said: string }>`select concat_ws(' ', current_setting('tcp_keepalives_idle'),
      current_setting('tcp_user_timeout'), current_setting('idle_in_transaction_session_timeout')) as said`
    expect((await shown.execute(store.read)).rows).toEqual([{ said: '10 20000 0' }])
    expect((await store.write((writer) => shown.execute(writer))).rows).toEqual([{ said: '10 20000 1min' }])
    await store.close()
  })
})
