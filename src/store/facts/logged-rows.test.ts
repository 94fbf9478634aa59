import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing, aRoute, evidence, NOON_US } from '../../../test/support/samples.ts'
import { parseTimestamp } from '../../domain/time/timestamp.ts'
import { parseEntry } from '../../wire/log/entry.ts'
import type { Store } from '../store.ts'
import { saveEvidence } from '../transfer/save-evidence.ts'
import type { ListingInput } from './listings.ts'
import { endRows } from './row-ends.ts'
import { saveListings } from './save-listings.ts'

const DAY_US = 86_400_000_000

const timeOf = (text: unknown): number | undefined => parseTimestamp(String(text))

/** What the log was told of one kind, in its order: beginning, last sight and end. */
async function told(store: Store, kind = 'listing'): Promise<(number | undefined)[][]> {
  const entries = await store.read.selectFrom('log_entries').select('body').orderBy('entry_id').execute()
  const records = entries.flatMap(({ body }) => parseEntry(body)?.records ?? [])
  return records
    .filter((record) => record.kind === kind)
    .map((one) => [one.first_observed, one.last_observed, one.no_longer_named_since].map(timeOf))
}

const listed = (store: Store, more: Partial<ListingInput>) =>
  saveEvidence(store, evidence({ listings: [aListing({ firstUs: NOON_US, lastUs: NOON_US + 1, ...more })] }))

onEachEngine('the log', (engine) => {
  it('is told of an earlier beginning that is imported, of rows that go on and of rows that ended', async () => {
    const store = await engine.open()
    await listed(store, {})
    expect(await listed(store, { firstUs: NOON_US - DAY_US })).toEqual({ leftOut: 0, changed: 1 })
    expect(await told(store)).toEqual([
      [NOON_US, NOON_US + 1, undefined],
      [NOON_US - DAY_US, NOON_US + 1, undefined],
    ])
    await endRows(store, { source: 'bazaar', startedUs: NOON_US + 5, endedUs: NOON_US + 9, isWhole: true })
    await listed(store, { firstUs: NOON_US - 2 * DAY_US })
    expect((await told(store)).slice(2)).toEqual([
      [NOON_US - DAY_US, NOON_US + 1, NOON_US + 5],
      [NOON_US - 2 * DAY_US, NOON_US + 1, NOON_US + 5],
    ])
    // Nothing of the same again, nor of a row beside it.
    expect(await listed(store, { firstUs: NOON_US - 2 * DAY_US })).toEqual({ leftOut: 0, changed: 0 })
    await saveListings(store, { listings: [aListing({ price: 5, firstUs: NOON_US + 9, lastUs: NOON_US + 9 })] })
    expect((await told(store)).slice(4)).toEqual([[NOON_US + 9, NOON_US + 9, undefined]])
    const rows = await store.read.selectFrom('listings').select('log_id').where('price', '=', 10_000).execute()
    const [first] = await store.read.selectFrom('log_entries').select('entry_id').orderBy('entry_id').execute()
    expect(rows).toEqual([{ log_id: first?.entry_id }])
  })

  it('is told of an end that is imported, and of a row that comes back on the day of its end', async () => {
    const store = await engine.open()
    await listed(store, {})
    await listed(store, { goneUs: NOON_US + 5 })
    await listed(store, { lastUs: NOON_US + 7, goneUs: NOON_US + 8 })
    await listed(store, { lastUs: NOON_US + 7, goneUs: NOON_US + 8 })
    await saveListings(store, { listings: [aListing({ firstUs: NOON_US + 10, lastUs: NOON_US + 10 })] })
    expect(await told(store)).toEqual([
      [NOON_US, NOON_US + 1, undefined],
      [NOON_US, NOON_US + 1, NOON_US + 5],
      [NOON_US, NOON_US + 7, NOON_US + 8],
      [NOON_US, NOON_US + 10, undefined],
    ])
    const other = { host: 'other.seller.example' }
    await listed(store, { ...other, goneUs: NOON_US + 5 })
    await saveListings(store, { listings: [aListing({ ...other, firstUs: NOON_US + 10, lastUs: NOON_US + 10 })] })
    expect((await told(store)).slice(4)).toEqual([
      [NOON_US, NOON_US + 1, NOON_US + 5],
      [NOON_US, NOON_US + 10, undefined],
    ])
  })

  it('is told of payees and owners that were seen earlier than it knew', async () => {
    const store = await engine.open()
    const seen = (firstUs: number) => {
      const times = { firstUs, lastUs: NOON_US + 1 }
      const payee = { ...aRoute(), network: 'base', payee: '0xbee', asset: null, origin: 'listing' as const, ...times }
      const owner = {
        host: aRoute().host,
        signer: '0xbee',
        origin: 'https://api.seller.example',
        proof: '0x1',
        ...times,
      }
      return saveEvidence(store, evidence({ payees: [payee], ownership: [owner] }))
    }
    for (const firstUs of [NOON_US, NOON_US - 5, NOON_US - 5, NOON_US]) await seen(firstUs)
    for (const kind of ['payee', 'ownership']) {
      expect(await told(store, kind)).toEqual([
        [NOON_US, NOON_US + 1, undefined],
        [NOON_US - 5, NOON_US + 1, undefined],
      ])
    }
  })
})
