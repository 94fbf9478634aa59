import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { directoryOf } from '../../../../test/support/directory.ts'
import { onBothEngines } from '../../../../test/support/engines.ts'
import { aListing } from '../../../../test/support/samples.ts'
import { saveListings } from '../../facts/save-listings.ts'
import { algorand } from './027-algorand.ts'

const MAINNET = 'algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8='

onBothEngines('the step that knows Algorand', (engine) => {
  it('finds the hosts of its rows by every writing of it', async () => {
    const store = await engine.open()
    const listings = ['algorand', MAINNET].map((network, index) => aListing({ host: `${index}.example`, network }))
    await saveListings(store, { listings })
    // As a program left it that did not know the network.
    await store.write(async (writer) => {
      await sql`update listings set network_key = network where network = 'algorand'`.execute(writer)
      await sql`update search_places set word = ':network:algorand' where word like ':network:%' and host_id in
        (select host_id from listings where network = 'algorand')`.execute(writer)
    })
    const onNetwork = async (network: string): Promise<string[]> => {
      const query = {
        q: null,
        rail: null,
        maxPrice: null,
        result: null,
        sort: 'host',
        limit: 50,
        cursor: null,
      } as const
      return (await directoryOf(store).hosts({ ...query, network })).items.map(({ host }) => host)
    }
    expect(await onNetwork(MAINNET)).toEqual(['1.example'])
    await store.write((writer) => algorand(writer))
    for (const network of [MAINNET, 'algorand', 'algorand-mainnet'])
      expect(await onNetwork(network)).toEqual(['0.example', '1.example'])
  })
})
