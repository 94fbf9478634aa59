import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onEachEngine } from '../../test/support/engines.ts'
import {
  aChallenge,
  aClaim,
  aListing,
  anOffer,
  anOfferKey,
  aPost,
  aProbe,
  aReview,
  aStatement,
  evidence,
  NOON_US,
} from '../../test/support/samples.ts'
import { loggedIn } from '../../test/support/sequenced-log.ts'
import { saveProbes } from '../store/probes/save-probes.ts'
import type { Store } from '../store/store.ts'
import { exportRecords } from '../store/transfer/export.ts'
import { saveEvidence } from '../store/transfer/save-evidence.ts'
import { canonical } from '../wire/log/canonical.ts'
import { parseEntry } from '../wire/log/entry.ts'
import { loggedOf } from '../wire/log/logged-record.ts'
import { logHistory } from './log-history.ts'
import { countHistory } from './stored/history.ts'

const PROBES = 2500
const TOLD = {
  onProgress: () => undefined,
  onTrouble: (error: unknown) => {
    throw error
  },
}

/** A store from before there was a log. */
async function old(store: Store): Promise<void> {
  const listings = [aListing({ description: 'In words' }), aListing({ path: '/b', price: null, network: null })]
  const payees = [{ ...aListing(), network: 'base', payee: '0xbee', asset: null, origin: 'listing' as const }]
  const probes = Array.from({ length: PROBES }, (_, n) =>
    aProbe({ atUs: NOON_US + n, latencyMs: n % 90, challenge: n % 7 === 0 ? aChallenge(n) : null }),
  )
  const batch = evidence({
    ...{ listings, payees, probes, reviews: [aReview()], posts: [aPost()], claims: [aClaim()] },
    ...{ statements: [aStatement()], signedOffers: [anOffer()], offerKeys: [anOfferKey()] },
  })
  await saveEvidence(store, batch, { logging: 'off' })
  await saveEvidence(store, evidence({ listings: [aListing({ host: 'other.seller.example' })] }), { logging: 'off' })
  await store.write((writer) => sql`insert into log_history (host_id) select host_id from hosts`.execute(writer))
}

/** What an export says, as the log would. */
async function exported(store: Store): Promise<string[]> {
  const texts: string[] = []
  await exportRecords(store, async (records) => {
    for (const record of records) {
      const logged = loggedOf(record)
      if (logged !== null) texts.push(canonical(logged))
    }
  })
  return texts.toSorted()
}

const logged = async (store: Store) => (await loggedIn(store)).map((text) => parseEntry(text))

onEachEngine('the history of a store', (engine) => {
  it('is logged as imported, every record of its export once', async () => {
    const store = await engine.open()
    await old(store)
    await logHistory(store, new AbortController().signal, TOLD)
    expect(await countHistory(store.read)).toBe(0)
    const entries = await logged(store)
    expect(entries.every((entry) => entry?.imported === true)).toBe(true)
    const records = entries.flatMap((entry) => entry?.records ?? []).map((record) => canonical(record))
    expect(records.toSorted()).toEqual(await exported(store))
  })

  it('that was logged before sellers had a part in it is completed, and nothing of it said again', async () => {
    const store = await engine.open()
    await old(store)
    await logHistory(store, new AbortController().signal, TOLD)
    const before = await logged(store)
    await store.write(async (writer) => {
      for (const table of ['claims', 'statements', 'signed_offers', 'offer_keys'] as const)
        await writer.updateTable(table).set({ log_id: null }).execute()
      await sql`insert into log_history (host_id, is_again) select distinct host_id, 1 from claims`.execute(writer)
    })
    await logHistory(store, new AbortController().signal, TOLD)
    const entries = (await logged(store)).slice(before.length)
    const kinds = entries.flatMap((entry) => entry?.records ?? []).map(({ kind }) => kind)
    expect(kinds.toSorted()).toEqual(['claim', 'offer_key', 'signed_offer', 'statement'])
  })

  it('goes on where it was cut short, beside what happens meanwhile', async () => {
    const store = await engine.open()
    await old(store)
    for (let cut = 0; (await countHistory(store.read)) > 0 && cut < 50; cut += 1) {
      const stopping = new AbortController()
      const stopped = logHistory(store, stopping.signal, { ...TOLD, onProgress: () => stopping.abort() })
      await saveProbes(store, { probes: [aProbe({ atUs: NOON_US + PROBES + cut })] })
      await stopped
      if (cut > 3) await logHistory(store, new AbortController().signal, TOLD)
    }
    const records = (await logged(store)).flatMap((entry) => entry?.records ?? []).map((record) => canonical(record))
    expect(new Set(records).size).toBe(records.length)
    expect(records.toSorted()).toEqual(await exported(store))
  })
})
