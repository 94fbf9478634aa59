import { expect, it } from 'vitest'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aListing } from '../../../test/support/samples.ts'
import { saveListings } from '../facts/save-listings.ts'
import { pacedNearWords } from './near-words-pace.ts'

onEachEngine('a word that is misspelt', (engine) => {
  it('is looked for once by a search and all its further looks', async () => {
    const store = await engine.open()
    await saveListings(store, { listings: [aListing({ host: 'weather.example' })] })
    const look = () => pacedNearWords(store, 'wether')
    const [first, atOnce] = await Promise.all([look(), look()])
    expect(first.map(({ word }) => word)).toEqual(['weather'])
    expect(atOnce).toBe(first)
    // What was written before may be noticed only now.
    const isShared = async () => {
      const found = await look()
      return (await look()) === found
    }
    await expect.poll(isShared).toBe(true)
  })

  it('is looked for again once something was written', async () => {
    const store = await engine.open()
    const look = async () => (await pacedNearWords(store, 'wether')).map(({ word }) => word)
    expect(await look()).toEqual([])
    await saveListings(store, { listings: [aListing({ host: 'weather.example' })] })
    expect(await look()).toEqual(['weather'])
  })
})
