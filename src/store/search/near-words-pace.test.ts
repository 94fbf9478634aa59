import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing } from '../../../test/support/samples.ts'
import { saveListings } from '../facts/save-listings.ts'
import { pacedNearWords } from './near-words-pace.ts'

onEachEngine('a word that is misspelt', (engine) => {
  it('is looked for once by a search and all its further looks', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: [aListing({ host: 'weather.example' })] })
    const look = () => pacedNearWords(store.read, store.dialect, 'wether')
    const [first, atOnce] = await Promise.all([look(), look()])
    expect(first.map(({ word }) => word)).toEqual(['weather'])
    expect(atOnce).toBe(first)
    expect(await look()).toBe(first)
  })
})
