import { expect, it } from 'vitest'
import { onBothEngines } from '../../../../test/support/engines.ts'
import { aListing, aReview, evidence, NOON_US } from '../../../../test/support/samples.ts'
import { PASSED_ON } from '../../reviews/claim-payment.ts'
import { saveEvidence } from '../../transfer/save-evidence.ts'
import { verifyStore } from '../../transfer/verify.ts'
import { clocksAhead } from './041-clocks-ahead.ts'

onBothEngines('the step that orders reviews anew whose clocks were ahead', (engine) => {
  it('lets the one count that came later, leaves all others, and has its payment looked at again', async () => {
    const store = await engine.open()
    const of = (path: string, id: string, signed: number, came: number) =>
      aReview({ path, id, signedAt: `2026-11-14T12:0${signed}:00Z`, submittedUs: NOON_US + came * 60_000_000 })
    const reviews = [
      ...[of('/a', 'ahead', 2, 0), { ...of('/a', 'later', 1, 1), levelReason: PASSED_ON }],
      ...[of('/b', 'older', 0, 0), of('/b', 'newer', 1, 2)],
    ]
    const listings = ['/a', '/b'].map((path) => aListing({ path }))
    await saveEvidence(store, evidence({ listings, reviews }))
    const standing = async () => {
      const rows = await store.read.selectFrom('reviews').select(['review_id', 'superseded']).execute()
      return Object.fromEntries(rows.map((row) => [row.review_id, row.superseded]))
    }
    const now = { ahead: 1, later: 0, older: 1, newer: 0 }
    expect(await standing()).toEqual(now)
    const logged = () => store.read.selectFrom('log_entries').select('entry_id').execute()
    const before = (await logged()).length
    await store.write(async (writer) => {
      await writer.updateTable('reviews').set({ superseded: 0 }).where('review_id', '=', 'ahead').execute()
      await writer.updateTable('reviews').set({ superseded: 1 }).where('review_id', '=', 'later').execute()
      await clocksAhead(writer, store.dialect)
      await clocksAhead(writer, store.dialect)
    })
    expect(await standing()).toEqual(now)
    // Both moves of the host are in one.
    expect((await logged()).length).toBe(before + 1)
    const checks = await store.read.selectFrom('review_checks').select('review_id').execute()
    expect(checks).toEqual([{ review_id: 'later' }])
    const differences: unknown[] = []
    await verifyStore(store, (one) => differences.push(one))
    expect(differences).toEqual([])
  })
})
