import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aChallenge, aListing, aProbe, evidence, NOON_US } from '../../../test/support/samples.ts'
import { saveListings } from '../facts/save-listings.ts'
import { openStore } from '../open.ts'
import type { Evidence } from '../transfer/evidence.ts'
import { saveEvidence } from '../transfer/save-evidence.ts'
import { type Difference, verifyStore } from '../transfer/verify.ts'

const TIMES = 60
const path = (n: number): string => `/${n}`

onEachEngine('two programs at once', (engine) => {
  /** Saves `batch(n, 0)` and `batch(n, 1)` at the same moment, again and again, on routes that are known already. */
  async function together(batch: (n: number, program: number) => Partial<Evidence>) {
    const options = await engine.empty()
    const stores = [await openStore(options), await openStore(options)]
    const refused: string[] = []
    const differences: Difference[] = []
    try {
      const [store] = stores
      if (!store) throw new Error('no store')
      const known = Array.from({ length: TIMES }, (_, n) =>
        aListing({ path: path(n), source: 'old', price: 9, firstUs: 1, lastUs: 2 }),
      )
      await saveListings(store, { listings: known })
      for (let n = 0; n < TIMES; n++) {
        const saving = stores.map((each, program) => saveEvidence(each, evidence(batch(n, program))))
        for (const result of await Promise.allSettled(saving)) {
          if (result.status === 'rejected') refused.push(String(result.reason))
        }
      }
      await verifyStore(store, (difference) => differences.push(difference))
    } finally {
      for (const store of stores) await store.close()
    }
    return { refused, differences }
  }
  const CLEAN = { refused: [], differences: [] }

  it('give a route the price of its newest listing when both list it', async () => {
    const found = await together((n, program) => ({
      listings: [
        aListing({ path: path(n), source: `source ${program}`, price: program, lastUs: NOON_US + 1 + program }),
      ],
    }))
    expect(found).toEqual(CLEAN)
  })

  it('find a route verified when one lists it while the other probes it', async () => {
    const found = await together((n, program) =>
      program === 0
        ? { listings: [aListing({ path: path(n) })] }
        : { probes: [aProbe({ path: path(n), challenge: aChallenge(10_000) })] },
    )
    expect(found).toEqual(CLEAN)
  })

  it('never wait for each other in a circle when one lists what the other probes', async () => {
    const hosts = ['a.example', 'b.example']
    const found = await together((n, program) => ({
      probes: [aProbe({ host: hosts[program] ?? '', atUs: NOON_US + n })],
      listings: [aListing({ host: hosts[1 - program] ?? '', price: n, lastUs: NOON_US + 1 + n })],
    }))
    expect(found).toEqual(CLEAN)
  })
})
