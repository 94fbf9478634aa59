import { expect, it } from 'vitest'
import { onEachEngine } from '../../test/support/engines.ts'
import { aListing, aProbe, NOON_US } from '../../test/support/samples.ts'
import { saveListings } from '../store/facts/save-listings.ts'
import { saveProbes } from '../store/probes/save-probes.ts'
import { archiveCommand } from './archive.ts'
import { commandContext } from './testing/command-context.ts'

onEachEngine('tollbook archive', (engine) => {
  it('counts one as one', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: [aListing()] })
    await saveProbes(store, { probes: [aProbe()] })
    const file = { month: '2026-11', file: '2026-11.ndjson.gz', records: 1, bytes: 1_400, sha256: 'ab'.repeat(32) }
    const command = archiveCommand({
      ...{ to: '/archive', keptSinceUs: NOON_US + 1 },
      fold: async () => ({ entries: 1, files: [file] }),
    })
    const ran = async (...argv: string[]): Promise<string> => {
      const { context, said } = commandContext({ openStore: async () => ({ ...store, close: async () => undefined }) })
      expect(await command.run(argv, context)).toBe(0)
      return said.out
    }
    expect(await ran('--dry-run')).toBe('2026-11  1 entry\n1 month would be written to /archive.\n')
    expect(await ran()).toBe(
      '2026-11.ndjson.gz  1 entry, 1,400 bytes\nWrote 1 file to /archive; 1 entry was folded and removed.\n',
    )
  })

  it('says that there is nothing to do', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: [aListing()] })
    const command = archiveCommand({
      ...{ to: '/archive', keptSinceUs: NOON_US },
      fold: async () => ({ entries: 0, files: [] }),
    })
    for (const argv of [['--dry-run'], []]) {
      const { context, said } = commandContext({ openStore: async () => ({ ...store, close: async () => undefined }) })
      expect(await command.run(argv, context)).toBe(0)
      expect(said.out).toMatch(/^Nothing to archive: .*KEEP_ENTRIES/)
    }
  })
})
