import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { openStore, type StoreOptions } from '../../src/store/open.ts'
import { verifyStore } from '../../src/store/transfer/verify.ts'
import { onEachEngine } from '../support/engines.ts'
import { killAll, Program } from './program.ts'
import { startSeeded } from './seeded.ts'
import { unitOf } from './units.ts'

const KILLS = 6

afterEach(killAll)

interface Found {
  readonly units: readonly number[]
  readonly claims: number
  readonly announced: number
  readonly differences: readonly unknown[]
}

async function foundIn(options: StoreOptions): Promise<Found> {
  const store = await openStore(options)
  try {
    const said = await store.read.selectFrom('statements').select('text').execute()
    const claims = await store.read.selectFrom('claims').select('wallet').execute()
    const events = await store.read.selectFrom('events').select('kind').where('kind', '=', 'statement').execute()
    const differences: unknown[] = []
    await verifyStore(store, (one) => differences.push(one))
    return {
      units: said.map(({ text }) => unitOf(text)),
      ...{ claims: claims.length, announced: events.length, differences },
    }
  } finally {
    await store.close()
  }
}

onEachEngine('kill -9 while a seller claims and speaks', (engine) => {
  it(`loses nothing acknowledged and keeps nothing twice, ${KILLS} times`, async () => {
    const random = startSeeded(`sellers on ${engine.name}`)
    const options = await engine.empty()
    const said = new Set<number>()
    for (let kill = 0; kill < KILLS; kill++) {
      const appendFrom = 1 + Math.max(0, ...said, ...(kill === 0 ? [] : (await foundIn(options)).units))
      const orders = { ...options, folder: options.dataDir, appendFrom, importFrom: 0, acknowledge: 'after' as const }
      const before = said.size
      const program = new Program(orders, said, 'crash-seller-child')
      while (said.size < before + 2 && program.complaints === '') await wait(10)
      expect(program.complaints).toBe('')
      await wait(random.between(0, 80))
      await program.kill()
      const { units, claims, announced, differences } = await foundIn(options)
      expect([...said].filter((unit) => !units.includes(unit))).toEqual([])
      expect([new Set(units).size, claims, announced]).toEqual([units.length, 1, units.length])
      expect(differences).toEqual([])
    }
    expect(said.size).toBeGreaterThanOrEqual(2 * KILLS)
  }, 180_000)
})
