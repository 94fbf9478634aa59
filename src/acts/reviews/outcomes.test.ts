import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { onEachEngine, temporaryFolder } from '../../../test/support/engines.ts'
import { found, HOST, openReviewing, someone } from '../../../test/support/reviewing.ts'
import { aRoute, evidence, NOON_US } from '../../../test/support/samples.ts'
import type { Outcome } from '../../domain/buyers/outcome.ts'
import { OUTCOME_COLUMNS } from '../../store/hosts/outcome-columns.ts'
import type { Store } from '../../store/store.ts'
import { exportRecords } from '../../store/transfer/export.ts'
import { importFile } from '../../store/transfer/import.ts'
import { saveEvidence } from '../../store/transfer/save-evidence.ts'
import { verifyStore } from '../../store/transfer/verify.ts'
import { hostViewOf } from '../../views/host/open-host.ts'
import { outcomeOut } from '../../wire/bodies/outcome-body.ts'

interface Paying {
  readonly by?: ReturnType<typeof someone>
  readonly transaction?: string | null
}

const FAILED: Outcome = { httpStatus: 500, latencyMs: 812, bytes: 0, contentSha256: null }
const SERVED: Outcome = { httpStatus: 200, latencyMs: 80, bytes: 512, contentSha256: 'ab'.repeat(32) }
const SILENT: Outcome = { httpStatus: null, latencyMs: 30_000, bytes: null, contentSha256: null }
const NONE = { served: 0, notServed: 0 }

async function differences(store: Store): Promise<unknown[]> {
  const all: unknown[] = []
  await verifyStore(store, (one) => all.push(one))
  return all
}

/** Of the host, and of its route: they have to be the same here. */
async function paidCalls(store: Store) {
  const view = await hostViewOf(store, HOST, { limit: 50, cursor: null }, 0)
  const route = view?.routes.find(({ path }) => path === '/v1/weather')
  expect(route?.paidCalls).toEqual(view?.paidCalls)
  return { ...view?.paidCalls, notServed: route?.notServed }
}

onEachEngine('what buyers report of paid calls', (engine) => {
  async function reporting() {
    const store = await engine.open()
    const world = await openReviewing(store)
    let paid = 0
    /** A review with an outcome and a payment that the chain holds, or none. */
    const report = async (outcome: Outcome, { by = someone(), transaction = `0x${++paid}` }: Paying = {}) => {
      if (transaction !== null) world.proofs.tell(transaction, found(transaction, by.address))
      const payment = transaction === null ? null : { network: 'base', transaction }
      const body = await world.signedBy(by, { outcome, payment })
      return { ...body, outcome: wire(outcome) }
    }
    return { ...world, store, report }
  }
  const wire = (outcome: Outcome) => {
    const { bytes, content_sha256, ...rest } = outcomeOut(outcome)
    return { ...rest, ...(bytes !== null && { bytes }), ...(content_sha256 !== null && { content_sha256 }) }
  }

  it('is counted per level, with the payment of what was not served, and moves with export and import', async () => {
    const { store, submit, report, unsigned } = await reporting()
    const first = await submit(await report(FAILED, { transaction: '0xfa' }))
    expect(first.review).toMatchObject({ level: 'Verified buyer', outcome: FAILED })
    expect(first.message?.split('\n').at(-2)).toBe('outcome 500 812 none')
    await submit(await report(SERVED))
    await submit(await report(SILENT, { transaction: null }))
    await submit({ ...unsigned(), outcome: wire(SERVED) })
    const counted = {
      'Verified buyer': { served: 1, notServed: 1 },
      Signed: { served: 0, notServed: 1 },
      Unsigned: { served: 1, notServed: 0 },
    }
    expect(await paidCalls(store)).toMatchObject({
      ...counted,
      notServed: [{ review: first.review.id, httpStatus: 500, latencyMs: 812, network: 'base', transaction: '0xfa' }],
    })
    expect(await differences(store)).toEqual([])
    const copy = await engine.open()
    await move(store, copy)
    expect(await paidCalls(copy)).toEqual(await paidCalls(store))
    expect(await differences(copy)).toEqual([])
  })

  it('is one report a payment, and one a payment for every payment of the same wallet', async () => {
    const { store, submit, report, clock } = await reporting()
    const by = someone()
    await submit(await report(SERVED, { by, transaction: '0xaa' }))
    clock.us += 1_000_000
    await submit(await report(FAILED, { by, transaction: '0xbb' }))
    expect((await paidCalls(store))['Verified buyer']).toEqual({ served: 1, notServed: 1 })
    clock.us += 1_000_000
    // It corrects what it said of the second payment.
    await submit(await report(SERVED, { by, transaction: '0xbb' }))
    expect((await paidCalls(store))['Verified buyer']).toEqual({ served: 2, notServed: 0 })
    expect(await differences(store)).toEqual([])
  })

  it('is not counted of a seller, also when that is learnt later', async () => {
    const { store, submit, report } = await reporting()
    await submit(await report(FAILED))
    const row = await store.read.selectFrom('reviews').select('wallet').executeTakeFirstOrThrow()
    await savePayee(store, row.wallet ?? '')
    expect((await paidCalls(store))['Verified buyer']).toEqual(NONE)
    expect(await differences(store)).toEqual([])
  })

  it('falls with the level when the chain loses the payment', async () => {
    const { store, submit, report, proofs, recheck } = await reporting()
    const by = someone()
    const body = await report(FAILED, { by, transaction: '0xcc' })
    proofs.tell('0xcc', found('0xcc', by.address, [0], false))
    await submit(body)
    expect((await paidCalls(store))['Verified buyer']).toEqual({ served: 0, notServed: 1 })
    proofs.tell('0xcc', { kind: 'none', reason: 'there is no such transaction' })
    await recheck()
    expect(await paidCalls(store)).toMatchObject({ 'Verified buyer': NONE, Signed: { served: 0, notServed: 1 } })
    expect(await differences(store)).toEqual([])
  })

  it('changes no verified count when it is forged, repeated or not signed: 1,000 tries', async () => {
    const { store, submit, report, signedBy, unsigned, proofs } = await reporting()
    const by = someone()
    const honest = await report(SERVED, { by, transaction: '0xdd' })
    await submit(honest)
    const before = (await paidCalls(store))['Verified buyer']
    const thief = someone()
    const other = 'cd'.repeat(32)
    const theft = { outcome: FAILED, payment: { network: 'base', transaction: '0xdd' } }
    proofs.tell('0xdd', { kind: 'none', reason: 'the payment was made by another wallet than the one that signed' })
    const tries = [
      // Repeated.
      async () => honest,
      // Forged: another outcome under the signature of the first.
      async (n: number) => ({ ...honest, outcome: { ...honest.outcome, http_status: 400 + (n % 200) } }),
      async (n: number) => ({ ...honest, outcome: { ...honest.outcome, latency_ms: 81 + n } }),
      async () => ({ ...honest, outcome: { ...honest.outcome, content_sha256: other } }),
      async () => ({ ...honest, outcome: undefined }),
      // Somebody else's payment.
      async () => ({ ...(await signedBy(thief, theft)), outcome: wire(FAILED) }),
      // Not signed.
      async () => ({ ...unsigned(), outcome: wire(FAILED) }),
      async () => ({ ...unsigned(), outcome: wire(FAILED), payment: { network: 'base', transaction: '0xdd' } }),
      async () => ({ ...honest, signature: undefined }),
    ]
    let refused = 0
    for (let n = 0; n < 1000; n++) {
      const body = await tries[n % tries.length]?.(n)
      await submit(JSON.parse(JSON.stringify(body))).catch(() => refused++)
    }
    expect(refused).toBeGreaterThan(500)
    expect((await paidCalls(store))['Verified buyer']).toEqual(before)
    expect(await differences(store)).toEqual([])
  }, 120_000)

  it('is refused with a hint when it is not in range, and nothing is stored', async () => {
    const { store, submit, unsigned } = await reporting()
    const good = { http_status: 200, latency_ms: 1 }
    for (const [field, outcome] of [
      ['outcome.http_status', { ...good, http_status: 99 }],
      ['outcome.http_status', { ...good, http_status: '200' }],
      ['outcome.http_status', { latency_ms: 1 }],
      ['outcome.latency_ms', { ...good, latency_ms: 1.5 }],
      ['outcome.latency_ms', { ...good, latency_ms: 86_400_001 }],
      ['outcome.bytes', { ...good, bytes: -1 }],
      ['outcome.content_sha256', { ...good, content_sha256: 'AB'.repeat(32) }],
      ['outcome.more', { ...good, more: 1 }],
      ['outcome', 'served'],
    ] as const) {
      await expect(submit({ ...unsigned(), outcome })).rejects.toMatchObject({
        status: 400,
        hint: expect.stringMatching(/./),
        more: { field },
      })
    }
    expect(await paidCalls(store)).toMatchObject({ Unsigned: NONE })
  })

  it('is found by verify where a counter does not say what the reviews do', async () => {
    const { store, submit, report } = await reporting()
    await submit(await report(FAILED))
    for (const table of ['host_counters', 'route_state'] as const)
      for (const column of OUTCOME_COLUMNS) {
        const set = (n: number) =>
          store.write((writer) =>
            writer
              .updateTable(table)
              .set((eb) => ({ [column]: eb(column, '+', n) }))
              .execute(),
          )
        await set(1)
        expect(JSON.stringify(await differences(store))).toContain(column)
        await set(-1)
      }
    expect(await differences(store)).toEqual([])
  })
})

async function savePayee(store: Store, payee: string): Promise<void> {
  const seen = { network: 'base', asset: null, origin: 'challenge', firstUs: NOON_US, lastUs: NOON_US } as const
  await saveEvidence(store, evidence({ payees: [{ ...aRoute(), ...seen, payee }] }))
}

async function move(from: Store, to: Store): Promise<void> {
  const folder = temporaryFolder()
  const lines: string[] = []
  await exportRecords(from, async (records) => void lines.push(...records.map((record) => JSON.stringify(record))))
  writeFileSync(join(folder, 'moved.ndjson'), lines.join('\n'))
  await importFile(to, join(folder, 'moved.ndjson'), [])
  rmSync(folder, { recursive: true })
}
