import { statSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aProbe, NOON_US } from '../../../test/support/samples.ts'
import { retain } from '../probes/retention.ts'
import { saveProbes } from '../probes/save-probes.ts'

const DAY_US = 86_400_000_000

onEachEngine('a store whose old entries were folded', (engine) => {
  it('gives their room back to the disk, while others read and write', async () => {
    const store = await engine.open()
    const probes = Array.from({ length: 20_000 }, (_, n) => aProbe({ atUs: NOON_US + n, latencyMs: n % 500 }))
    await saveProbes(store, { probes })
    const { file } = store
    const logged = await store.read
      .selectFrom('log_entries')
      .select((eb) => eb.fn.sum<number>(sql`length(body)`).as('bytes'))
      .executeTakeFirstOrThrow()
    // The log keeps what it holds: that is what it is for.
    const size = (): number => (file === null ? 0 : statSync(file).size - Number(logged.bytes))
    await store.shrink()
    const before = size()
    const { entries } = await retain(store, NOON_US + 200 * DAY_US, 100)
    expect(entries).toBe(20_000)
    await Promise.all([store.shrink(), saveProbes(store, { probes: [aProbe({ atUs: NOON_US + 150 * DAY_US })] })])
    expect(await store.read.selectFrom('probes').select('at_us').execute()).toHaveLength(1)
    if (file !== null) expect(size()).toBeLessThan(before / 2)
  })
})
