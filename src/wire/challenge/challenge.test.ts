import { describe, expect, it } from 'vitest'
import {
  asked,
  BASE_OFFER,
  base64,
  CAIP_OFFER,
  inBody,
  inHeader,
  MPP_OFFER,
  NO_STORE,
  payment,
  REQUEST,
  read,
  V1,
  V2,
  version1,
  version2,
} from './testing/samples.ts'
import { WARNING_MEANINGS } from './warnings.ts'

describe('a 402 answer', () => {
  it('may offer both rails', () => {
    const headers = [
      NO_STORE,
      ['PAYMENT-REQUIRED', base64(version2(V2))],
      ['WWW-Authenticate', payment(REQUEST)],
    ] as const
    expect(read({ headers, body: version1(V1) })).toEqual({ offers: [CAIP_OFFER, MPP_OFFER], warnings: [] })
  })

  it('that asks the clients of one version for another price than those of the other says so', () => {
    const headers = [['PAYMENT-REQUIRED', base64(version2({ ...V2, amount: '500000' }))]] as const
    const dear = { ...CAIP_OFFER, price: 500_000 }
    expect(read({ headers, body: version1(V1) })).toEqual({
      offers: [dear, BASE_OFFER],
      warnings: ['versions_differ'],
    })
    const many = Array.from({ length: 60 }, (_, at) => ({ ...V2, payTo: `0x${String(at).padStart(40, '0')}` }))
    const hidden = read({
      headers: [['PAYMENT-REQUIRED', base64(version2(...many))]],
      body: version1({ ...V1, maxAmountRequired: '500000' }),
    })
    expect(hidden?.offers.slice(0, 2).map(({ price }) => price)).toEqual([10_000, 500_000])
    for (const body of [version1({ ...V1, network: 'polygon' }), version1(V1, { ...V1, maxAmountRequired: '1' })])
      expect(read({ headers: [['PAYMENT-REQUIRED', base64(version2(V2))]], body })?.warnings).not.toContain(
        'versions_differ',
      )
  })

  it('without any challenge has none, and only a 402 has one', () => {
    for (const body of ['', 'Payment required', '{"error":"payment_required"}', '{"accepts":["x"]}', '[]', 'null'])
      expect(read({ body, headers: [['WWW-Authenticate', 'L402 macaroon="x"']] })).toBeNull()
    expect(read({ status: 401, headers: [['WWW-Authenticate', payment(REQUEST)]], body: version1(V1) })).toBeNull()
    expect(read({ status: 200, headers: [['PAYMENT-REQUIRED', base64(version2(V2))]] })).toBeNull()
  })

  it('is read up to 50 offers and 64 KiB a place', () => {
    const many = Array.from({ length: 60 }, (_, at) => ({ ...V2, amount: String(at + 1) }))
    const answer = inHeader(version2(...many))
    expect(answer?.offers).toHaveLength(50)
    expect(answer?.warnings).toEqual(['too_large'])
    const line = Array.from({ length: 60 }, (_, at) => payment({ ...REQUEST, amount: String(at + 1) })).join(', ')
    expect(asked(line)).toMatchObject({ warnings: ['too_large'], offers: { length: 50 } })
    const padded = { ...version2(V2), error: 'x'.repeat(70_000) }
    expect(inHeader(padded)).toEqual({ offers: [], warnings: ['too_large'] })
    expect(inBody(padded)).toEqual({ offers: [], warnings: ['too_large'] })
    expect(read({ body: JSON.stringify(padded).slice(0, 65_536) })).toEqual({ offers: [], warnings: ['too_large'] })
  })

  it('of 27 kB is read', () => {
    const long = { ...version2(V2), extensions: { note: 'x'.repeat(20_000) } }
    expect(base64(long).length).toBeGreaterThan(27_000)
    expect(inHeader(long)).toEqual({ offers: [CAIP_OFFER], warnings: [] })
  })
})

describe('every warning', () => {
  it('is explained in a sentence', () => {
    for (const [code, meaning] of Object.entries(WARNING_MEANINGS)) {
      expect(code).toMatch(/^[a-z0-9_]+$/)
      expect(meaning).toMatch(/^[A-Z].*\.$|no-store\.$/)
    }
  })
})
