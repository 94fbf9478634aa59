import { createReadStream, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, it } from 'vitest'
import { onEachEngine, temporaryFolder } from '../../../test/support/engines.ts'
import { aClaim, evidence, NOON_US } from '../../../test/support/samples.ts'
import type { Look, ProofSpan } from '../../domain/seller/proof.ts'
import { parseEntry } from '../../wire/log/entry.ts'
import { findHostId } from '../host-id.ts'
import type { Store } from '../store.ts'
import { exportRecords } from '../transfer/export.ts'
import { importFile } from '../transfer/import.ts'
import { saveEvidence } from '../transfer/save-evidence.ts'
import { saveLooks } from './claims.ts'
import { readClaims, readSpans } from './read-claims.ts'

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const HOUR_US = 3_600_000_000
/** A proof that came and went so often. */
const flips = (n: number): ProofSpan[] =>
  Array.from({ length: n }, (_, at): ProofSpan => {
    const sinceUs = NOON_US + 2 * at * HOUR_US
    return { proof: 'file', sinceUs, seenUs: sinceUs, untilUs: sinceUs + HOUR_US }
  })

const CLAIM = aClaim()
const hostIdIn = async ({ read }: Store): Promise<number> => (await findHostId(read, CLAIM.host)) ?? -1
const looks = (holds: Look['holds']): Look[] => [{ proof: 'file', holds, found: '', toDo: '' }]

const entriesIn = async ({ read }: Store): Promise<string[]> => {
  const rows = await read.selectFrom('log_entries').select('body').orderBy('entry_id').execute()
  return rows.map(({ body }) => body)
}

const exported = async (store: Store, name: string): Promise<string> => {
  const lines: string[] = []
  await exportRecords(store, async (records) => {
    lines.push(...records.filter(({ kind }) => kind === 'claim').map((record) => JSON.stringify(record)))
  })
  const file = join(folder, name)
  writeFileSync(file, `${lines.join('\n')}\n`)
  return file
}

const linesIn = async (file: string): Promise<string[]> => {
  const lines: string[] = []
  for await (const line of createInterface({ input: createReadStream(file) })) lines.push(line)
  return lines
}

/** As versions stored them that had no bound. */
const storeUnbounded = async (store: Store, spans: readonly ProofSpan[]): Promise<void> => {
  await saveEvidence(store, evidence({ claims: [{ ...CLAIM, proofs: [] }] }))
  const hostId = await hostIdIn(store)
  await store.write(async (writer) => {
    const rows = spans.map(({ proof, sinceUs, seenUs, untilUs }) => ({
      ...{ host_id: hostId, wallet_key: CLAIM.wallet.toLowerCase(), proof },
      ...{ since_us: sinceUs, seen_us: seenUs, until_us: untilUs },
    }))
    await writer.insertInto('claim_proofs').values(rows).execute()
  })
}

onEachEngine('a claim whose proofs come and go', (engine) => {
  it('has 50 of them at most in the store, the log and an export, the first and the newest among them', async () => {
    const store = await engine.open()
    const all = flips(1000)
    await saveEvidence(store, evidence({ claims: [{ ...CLAIM, proofs: all }] }))
    const hostId = await hostIdIn(store)
    for (let nowUs = NOON_US + 3000 * HOUR_US, n = 0; n < 20; n += 1, nowUs += HOUR_US)
      await saveLooks(store, { hostId, wallet: CLAIM.wallet }, looks(n % 2 === 0 ? 'yes' : 'no'), nowUs)
    const stored = await readSpans(store.read, hostId, CLAIM.wallet)
    expect(stored.length).toBeLessThanOrEqual(50)
    expect([stored[0], stored.at(-1)?.untilUs]).toEqual([all[0], NOON_US + 3019 * HOUR_US])
    const entries = await entriesIn(store)
    expect(entries).toHaveLength(21)
    expect(Math.max(...entries.map((entry) => Buffer.byteLength(entry)))).toBeLessThan(10_000)
    const record = parseEntry(entries.at(-1) ?? '')?.records[0]
    const file = await exported(store, `${engine.name}-1.ndjson`)
    expect(JSON.parse((await linesIn(file))[0] ?? '')).toEqual(record)
    const other = await engine.open()
    await importFile(other, file, [])
    expect(await linesIn(await exported(other, `${engine.name}-2.ndjson`))).toEqual(await linesIn(file))
  })

  it('is shown, exported and logged within the bound where a store has more of them', async () => {
    const store = await engine.open()
    const all = flips(1200)
    await storeUnbounded(store, all)
    const hostId = await hostIdIn(store)
    const [shown] = await readClaims(store.read, hostId)
    expect(shown?.proofs.length).toBeLessThanOrEqual(50)
    expect([shown?.proofs[0], shown?.proofs.at(-1)]).toEqual([all[0], all.at(-1)])
    const other = await engine.open()
    expect(await importFile(other, await exported(store, `${engine.name}-3.ndjson`), [])).toBe(1)
    // The next look, whatever it finds, leaves as many and says so.
    await saveLooks(store, { hostId, wallet: CLAIM.wallet }, looks('no'), NOON_US + 3000 * HOUR_US)
    expect(await readSpans(store.read, hostId, CLAIM.wallet)).toEqual(shown?.proofs)
    const entries = await entriesIn(store)
    expect(parseEntry(entries.at(-1) ?? '')?.records[0]?.proofs).toHaveLength(shown?.proofs.length ?? 0)
    await saveLooks(store, { hostId, wallet: CLAIM.wallet }, looks('no'), NOON_US + 3001 * HOUR_US)
    expect(await entriesIn(store)).toHaveLength(entries.length)
  })

  it('does not hold again by an older copy of what ended long ago', async () => {
    const store = await engine.open()
    const all = flips(100)
    await saveEvidence(store, evidence({ claims: [{ ...CLAIM, proofs: all }] }))
    const before = await readClaims(store.read, await hostIdIn(store))
    const early = all.slice(0, 3).map((span, at) => (at === 2 ? { ...span, untilUs: null } : span))
    await saveEvidence(store, evidence({ claims: [{ ...CLAIM, proofs: early }] }))
    expect(await readClaims(store.read, await hostIdIn(store))).toEqual(before)
  })
})
