import { describe, expect, it } from 'vitest'
import { LONGEST_DESCRIPTION } from '../../domain/words/description.ts'
import type { Found } from '../found.ts'
import { parseIndex402 } from './402index.ts'
import { parseBazaar } from './bazaar.ts'
import { parseFile } from './file.ts'
import { parseMppDirectory } from './mpp-directory.ts'
import { parseOpenapi } from './openapi.ts'
import { index402Page } from './testing/402index.ts'
import { bazaarPage, bazaarV2Item } from './testing/bazaar.ts'
import { fileRecord } from './testing/file.ts'
import { mppDirectory } from './testing/mpp-directory.ts'
import { openapiDocument } from './testing/openapi.ts'
import { parseWellKnown } from './well-known.ts'

const said = (found: Found): (string | null)[] => [...new Set(found.listings.map(({ description }) => description))]

describe('what sources say of routes', () => {
  const { description: _, ...silent } = bazaarV2Item
  const bazaar = (more: object) => said(parseBazaar(bazaarPage([{ ...silent, ...more }]), { allow: [] }))
  const [first, ...others] = silent.accepts

  it('is the description of a Bazaar item, of its metadata or of an accept, with the service and its tags', () => {
    expect(bazaar({})).toEqual([null])
    expect(bazaar({ description: 'Forecast' })).toEqual(['Forecast'])
    expect(bazaar({ metadata: { description: 'Forecast' } })).toEqual(['Forecast'])
    expect(bazaar({ accepts: [{ ...first, description: 'Forecast' }, ...others] })).toEqual(['Forecast'])
    expect(bazaar({ description: 'Forecast', serviceName: 'Sky', tags: ['weather', 7, 'hourly'] })).toEqual([
      'Forecast · Sky · weather, hourly',
    ])
  })

  it('is cleaned and cut, and anything but text is nothing', () => {
    expect(bazaar({ description: 'Fore\u202ecast\n\u0007 now' })).toEqual(['Forecast now'])
    expect(bazaar({ description: { text: 'Forecast' }, metadata: 7, serviceName: ['Sky'], tags: {} })).toEqual([null])
    const [long] = bazaar({ description: 'long '.repeat(100_000) })
    expect([...(long ?? '')].length).toBeLessThanOrEqual(LONGEST_DESCRIPTION)
    expect(long?.endsWith('…')).toBe(true)
  })

  it('is of an mpp endpoint its own words and those of its service', () => {
    expect(said(parseMppDirectory(mppDirectory, { allow: [] }))).toEqual(['A tile · Maps · data', 'Maps · data'])
  })

  it('is of an operation its summary and description, with the title and tags', () => {
    const { paths } = openapiDocument
    const operation = { ...paths['/draft/{id}'].get, summary: 'One draft', description: 'With notes.', tags: ['text'] }
    const document = { ...openapiDocument, paths: { '/draft/{id}': { get: operation } } }
    const found = parseOpenapi(document, { allow: [], base: 'https://shop.example/openapi.json' })
    expect(said(found)).toEqual(['One draft · With notes. · Seller · text'])
  })

  it('is of a well-known entry the words of its resource or of what is said about it, where it has none', () => {
    const resource = { url: 'https://shop.example/a', description: 'Second', mimeType: 'application/json' }
    const metadata = { name: 'Brief', description: 'Third', category: 'news' }
    const entryOf = (entry: object) =>
      said(parseWellKnown({ items: [entry] }, { allow: [], base: 'https://shop.example/.well-known/x402' }))
    expect(entryOf({ resource, metadata, method: 'GET', accepts: [] })).toEqual(['Brief · Second · news'])
    expect(entryOf({ resource, metadata, description: 'First' })).toEqual(['Brief · First · news'])
  })

  it('is of a well-known entry its own words and those around it', () => {
    const document = {
      name: 'Shop',
      resources: ['/a', { resource: '/b', description: 'Second', price: '$0.01' }],
      services: [{ name: 'Maps', endpoints: [{ path: '/tile', title: 'Tile', category: 'maps' }] }],
    }
    const found = parseWellKnown(document, { allow: [], base: 'https://shop.example/.well-known/x402' })
    expect(said(found)).toEqual(['Shop', 'Second · Shop', 'Tile · maps · Maps · Shop'])
  })

  it('is the description and name of a row of 402index, and the field of a line of a file', () => {
    const [row] = index402Page.services
    const services = [{ ...row, description: 'Spot prices of metals', category: 'finance' }]
    const found = parseIndex402({ ...index402Page, services }, { allow: [] })
    expect(said(found)).toEqual(['Spot prices of metals · finance'])
    const lines = [{ number: 1, text: JSON.stringify({ ...fileRecord, description: 'Ours' }) }]
    expect(said(parseFile(lines, { allow: [] }))).toEqual(['Ours'])
    const bad = [{ number: 1, text: JSON.stringify({ ...fileRecord, description: 'two\nlines' }) }]
    expect(parseFile(bad, { allow: [] }).refused.map(({ reason }) => reason)).toEqual(['bad_record'])
  })
})
