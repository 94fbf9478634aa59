import { describe, expect, it } from 'vitest'
import type { PolicyView } from '../views/policy-view.ts'
import { policyPage } from './html/pages/policy.tsx'
import { policyJson } from './json/policy.ts'
import { SITE } from './testing/sample-views.ts'

const POLICY: PolicyView = {
  postPrice: 50_000,
  rails: [
    {
      rail: 'x402',
      missing: [],
      terms: [
        { network: 'eip155:8453', asset: '0xa55e7', payee: '0xbee', amount: '50000', settlement: 'verified on chain' },
      ],
    },
    { rail: 'mpp', missing: ['MPP_RECIPIENT', 'MPP_SECRET_KEY'], terms: [] },
  ],
  founderWallets: ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  limits: [{ name: 'signed', count: 60, windowSeconds: 3600 }],
  excludedReviews: 3,
  contact: 'mailto:operator@tollbook.example',
  logVkey: 'tollbook.example/log+5d0e1b6a+AQ',
}

describe('the policy', () => {
  it('names price, rails, payees and what is missing, as JSON', () => {
    const json = policyJson(SITE, POLICY)
    expect(json.thread).toEqual({
      price: '0.050000',
      currency: 'USD',
      rails: [
        {
          rail: 'x402',
          endpoint: 'https://tollbook.example/v1/thread/<seller_host>',
          available: true,
          missing: [],
          terms: [
            {
              network: 'eip155:8453',
              asset: '0xa55e7',
              payee: '0xbee',
              amount: '50000',
              settlement: 'verified on chain',
            },
          ],
        },
        {
          rail: 'mpp',
          endpoint: 'https://tollbook.example/mpp/v1/thread/<seller_host>',
          available: false,
          missing: ['MPP_RECIPIENT', 'MPP_SECRET_KEY'],
          terms: [],
        },
      ],
    })
    expect(json.reviews).toMatchObject({ founder_wallets: POLICY.founderWallets, excluded: 3 })
    expect(json.reviews.levels.map(({ level }) => level)).toEqual(['Verified buyer', 'Signed', 'Unsigned'])
    expect(json.rate_limits).toEqual([{ name: 'signed', count: 60, window_seconds: 3600 }])
    expect(policyJson(SITE, { ...POLICY, limits: null }).rate_limits).toBeNull()
  })

  it('says the same as a page', () => {
    const html = policyPage(SITE, POLICY)
    for (const text of [
      'costs 0.05 dollars',
      'network eip155:8453 (Base); asset 0xa55e7; payee 0xbee; amount 50000 base units; settlement verified on chain',
      'the operator has not set MPP_RECIPIENT, MPP_SECRET_KEY',
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      'shown and not counted: 3.',
      'It does not prove: ',
      '60 signed reviews, posts, claims and statements in 3,600 s',
    ])
      expect(html).toContain(text)
  })
})
