import { describe, expect, it } from 'vitest'
import { readOwnDocuments } from './add-seller.ts'
import { openapiDocument } from './sources/testing/openapi.ts'
import { sendJson, serve } from './testing/loopback.ts'
import { MemoryStore } from './testing/memory-store.ts'
import { sweepingWith } from './testing/sweeping.ts'

describe('the documents of one seller', () => {
  it('are read without a sweep, with what was found, refused and answered', async () => {
    const server = await serve((url, response) => {
      if (url.pathname === '/openapi.json') sendJson(response, openapiDocument)
      else response.writeHead(404).end()
    })
    const store = new MemoryStore()
    const seller = { scheme: 'https', host: 'shop.example' } as const
    const [first, second] = await readOwnDocuments(seller, sweepingWith(store, server.fetch))
    await server.close()
    expect(first).toMatchObject({ source: 'openapi', url: 'https://shop.example/openapi.json' })
    expect(first?.found.listings).toHaveLength(4)
    expect(first?.found.refused).toMatchObject([{ reason: 'not_paid' }])
    expect(second?.answers).toEqual([
      { url: 'https://shop.example/.well-known/x402', answer: 'http_404' },
      { url: 'https://shop.example/.well-known/x402.json', answer: 'http_404' },
    ])
    expect(store.outcomes).toEqual([])
  })
})
