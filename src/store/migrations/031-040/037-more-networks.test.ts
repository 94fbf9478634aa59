import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { directoryOf } from '../../../../test/support/directory.ts'
import { onBothEngines } from '../../../../test/support/engines.ts'
import { aListing } from '../../../../test/support/samples.ts'
import { saveListings } from '../../facts/save-listings.ts'
import { moreNetworks } from './037-more-networks.ts'

/** As they were written, and as a program kept them that did not know these networks, or knew another id. */
const KEPT: Readonly<Record<string, string>> = {
  'aptos-mainnet': 'aptos-mainnet',
  'aptos:1': 'aptos:1',
  algorand: 'algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=',
  base: 'eip155:8453',
}

onBothEngines('the step that knows more networks', (engine) => {
  it('finds the hosts of their rows by every writing', async () => {
    const store = await engine.open()
    const written = Object.keys(KEPT)
    const listings = written.map((network, index) => aListing({ host: `${index}.example`, network }))
    await saveListings(store, { listings })
    await store.write(async (writer) => {
      for (const [network, key] of Object.entries(KEPT)) {
        await sql`update listings set network_key = ${key} where network = ${network}`.execute(writer)
        await sql`update search_places set word = ${`:network:${key}`} where word like ':network:%' and host_id in
          (select host_id from listings where network = ${network})`.execute(writer)
      }
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
    expect(await onNetwork('aptos')).toEqual(['1.example'])
    expect(await onNetwork('algorand')).toEqual([])
    await store.write((writer) => moreNetworks(writer))
    for (const network of ['aptos', 'aptos:1', 'Aptos Mainnet'])
      expect(await onNetwork(network)).toEqual(['0.example', '1.example'])
    for (const network of ['algorand', 'algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k'])
      expect(await onNetwork(network)).toEqual(['2.example'])
    expect(await onNetwork('base')).toEqual(['3.example'])
  })
})
