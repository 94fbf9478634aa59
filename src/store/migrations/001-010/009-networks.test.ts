import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { directoryOf } from '../../../../test/support/directory.ts'
import { onBothEngines } from '../../../../test/support/engines.ts'
import { aListing } from '../../../../test/support/samples.ts'
import { saveListings } from '../../facts/save-listings.ts'
import type { Store } from '../../store.ts'
import { networks } from './009-networks.ts'

const HOSTS = ['a.example', 'b.example', 'c.example', 'd.example']
const WRITTEN = ['base', 'base-mainnet', 'Base Sepolia', 'some-other']

const facets = async (store: Store): Promise<string[]> => {
  const rows = await sql<{ word: string; name: string }>`select p.word, h.name from search_places as p
    join hosts as h on h.host_id = p.host_id where p.word like ':network:%'`.execute(store.read)
  return rows.rows.map(({ word, name }) => `${name} ${word}`).sort()
}

const onNetwork = async (store: Store, network: string): Promise<string[]> => {
  const query = { q: null, rail: null, maxPrice: null, result: null, sort: 'host', limit: 50, cursor: null } as const
  return (await directoryOf(store).hosts({ ...query, network })).items.map(({ host }) => host)
}

onBothEngines('the step that knows more writings of networks', (engine) => {
  it('finds hosts by the network that their rows name in another writing, and by no other', async () => {
    const store = await engine.open()
    const listings = HOSTS.map((host, index) => aListing({ host, network: WRITTEN[index] ?? null }))
    // One host stands by both writings.
    await saveListings(store, { listings: [...listings, aListing({ host: 'b.example', path: '/2', network: 'base' })] })
    const fresh = await facets(store)
    // As a program left it that compared these by the writing itself.
    await store.write(async (writer) => {
      await sql`update listings set network_key = network where network in ('base-mainnet', 'Base Sepolia')`.execute(
        writer,
      )
      await sql`delete from search_places where word like ':network:%'`.execute(writer)
      await sql`insert into search_places (word, host_id, place)
        select distinct ':network:' || network_key, host_id, 0 from listings`.execute(writer)
    })
    expect(await onNetwork(store, 'eip155:84532')).toEqual([])
    await store.write((writer) => networks(writer))
    expect(await facets(store)).toEqual(fresh)
    expect(await onNetwork(store, 'base')).toEqual(['a.example', 'b.example'])
    expect(await onNetwork(store, 'Base Sepolia')).toEqual(['c.example'])
    expect(await onNetwork(store, 'some-other')).toEqual(['d.example'])
    const rows = await store.read.selectFrom('listings').select(['network', 'network_key']).distinct().execute()
    expect(rows.map(({ network, network_key }) => `${network} ${network_key}`).sort()).toEqual([
      'Base Sepolia eip155:84532',
      'base eip155:8453',
      'base-mainnet eip155:8453',
      'some-other some-other',
    ])
  })
})
