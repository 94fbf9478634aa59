import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onBothEngines } from '../../../../test/support/engines.ts'
import { aListing, NOON_US } from '../../../../test/support/samples.ts'
import type { PayeeInput } from '../../facts/payees.ts'
import { saveListings } from '../../facts/save-listings.ts'
import { verifyStore } from '../../transfer/verify.ts'
import { payeeSources } from './038-payee-sources.ts'

onBothEngines('the step that says in whose room payees are', (engine) => {
  it('keeps those from before, whose room is found when a source names them again', async () => {
    const store = await engine.open()
    const payee = (wallet: string, more: Partial<PayeeInput> = {}): PayeeInput => ({
      ...aListing(),
      ...{ network: 'base', payee: wallet, asset: null, origin: 'listing', firstUs: NOON_US, lastUs: NOON_US },
      ...more,
    })
    const before = [payee('0xkept'), payee('0xgone'), payee('0xkept', { origin: 'challenge', source: undefined })]
    await saveListings(store, { listings: [aListing()], payees: before })
    await store.write(async (writer) => {
      await sql`alter table payees drop column source`.execute(writer)
      await payeeSources(writer, store.dialect)
    })
    for (const source of ['payai', 'bazaar'])
      await saveListings(store, { listings: [aListing()], payees: [payee('0xkept', { source, lastUs: NOON_US + 1 })] })
    const rows = await store.read.selectFrom('payees').select(['payee', 'origin', 'source', 'last_us']).execute()
    expect(rows.map((row) => Object.values(row).join(' ')).toSorted()).toEqual([
      `0xgone listing  ${NOON_US}`,
      `0xkept challenge  ${NOON_US}`,
      `0xkept listing payai ${NOON_US + 1}`,
    ])
    const differences: unknown[] = []
    await verifyStore(store, (difference) => differences.push(difference))
    expect(differences).toEqual([])
  })
})
