import fc from 'fast-check'
import { expect, it } from 'vitest'
import { recordSchema } from '../../wire/records.ts'
import { oneChallenge } from './one-challenge.ts'

const schema = recordSchema([])
const route = { method: 'GET', url: 'https://api.seller.example/v1/x', rail: 'x402' }

const word = fc.constantFrom(null, 'base', 'other')
const offer = fc.record({
  rail: fc.constantFrom('x402' as const, 'mpp' as const),
  network: word,
  price: fc.constantFrom(null, '0.010000', '0.020000'),
  asset: word,
  payee: word,
})
const challenge = fc.record({
  offers: fc.array(offer, { maxLength: 2 }),
  warnings: fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }),
})

it('What entries were challenged with stays what it was, and is held once where it follows itself.', () => {
  fc.assert(
    fc.property(fc.array(fc.option(challenge, { nil: null }), { maxLength: 20 }), (given) => {
      const records = given.flatMap((one) => {
        const entry = { kind: 'probe', ...route, date: '2026-11-14T12:00:00Z', http_status: 402, latency_ms: 1 }
        const line = { ...entry, error: null, challenge: one }
        return [schema.parse(line), schema.parse(line)]
      })
      const before = structuredClone(records)
      const share = oneChallenge()
      for (const record of records) share(record)
      expect(records).toEqual(before)
      const held = records.map((record) => (record.kind === 'probe' ? record.challenge : undefined))
      for (let n = 0; n < held.length; n += 2) expect(held[n + 1]).toBe(held[n])
    }),
  )
})
