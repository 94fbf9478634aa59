import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import { isPaymentRequiredV1, isPaymentRequiredV2 } from '@x402/core/schemas'
import {
  extractDiscoveryInfo,
  isDiscoverableV1,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
} from '@x402/extensions/bazaar'
import { isPaymentIdentifierExtension } from '@x402/extensions/payment-identifier'
import { describe, expect, test } from 'vitest'
import { paidRequest, RESOURCE } from '../../../test/support/paid-door.ts'
import { isSet, type PaymentRail } from '../rail.ts'
import { demandOf } from './demand.ts'
import { declaredExtensions } from './extensions.ts'
import type { Offer } from './offer.ts'
import { createX402Rail } from './rail.ts'

const PAYEE = '0x00000000000000000000000000000000000000AA'
const OFFER: Offer = {
  kind: 'eip155',
  network: 'eip155:8453',
  name: 'base',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payee: PAYEE,
  amount: '50000',
  extra: { name: 'USD Coin', version: '2' },
}

const headerOf = (problem: { headers: Readonly<Record<string, string>> }) =>
  decodePaymentRequiredHeader(problem.headers['PAYMENT-REQUIRED'] ?? '')

describe('the 402', () => {
  test('is one document for both versions, by the protocol’s own schemas.', () => {
    const problem = demandOf([OFFER], paidRequest())
    expect(problem).toMatchObject({ status: 402, slug: 'payment-required', more: { charged: false } })
    expect(problem.headers['Cache-Control']).toBe('no-store')
    expect(isPaymentRequiredV1(JSON.parse(JSON.stringify(problem.more)))).toBe(true)
    const required = headerOf(problem)
    expect(isPaymentRequiredV2(required)).toBe(true)
    expect(required.resource.url).toBe(RESOURCE)
    expect(required.accepts).toEqual([
      {
        scheme: 'exact',
        network: 'eip155:8453',
        asset: OFFER.asset,
        amount: '50000',
        payTo: PAYEE,
        maxTimeoutSeconds: 120,
        extra: { name: 'USD Coin', version: '2' },
      },
    ])
    expect(problem.more.accepts).toMatchObject([
      { network: 'base', maxAmountRequired: '50000', resource: RESOURCE, mimeType: 'application/json' },
    ])
    // A header of this size passes every server and proxy.
    expect(problem.headers['PAYMENT-REQUIRED']?.length).toBeLessThan(4_096)
  })

  test('offers a network that version 1 cannot name to version 2 alone.', () => {
    const problem = demandOf([{ ...OFFER, network: 'eip155:1337', name: null }], paidRequest())
    expect(problem.more.accepts).toEqual([])
    expect(headerOf(problem).accepts).toHaveLength(1)
  })

  test('says why a credential did not pay, to both versions.', () => {
    const fault = { ok: false, code: 'insufficient_funds', reason: 'The wallet is empty.' } as const
    const problem = demandOf([OFFER], paidRequest(), fault)
    expect(problem).toMatchObject({ slug: 'payment-refused', status: 402, more: { error: 'insufficient_funds' } })
    expect(problem.detail).toBe('The wallet is empty. Nothing was charged.')
    expect(headerOf(problem).error).toBe('insufficient_funds')
    // Another signature of an empty wallet would not pay either.
    expect(problem.hint).toContain('Add the asset to the wallet that pays')
  })

  test('declares how it is called, so that those who settle payments can list it.', () => {
    const problem = demandOf([OFFER], paidRequest())
    const required = headerOf(problem)
    const { bazaar, 'payment-identifier': identifier } = required.extensions ?? {}
    expect(isPaymentIdentifierExtension(identifier)).toBe(true)
    expect(validateDiscoveryExtensionSpec(Object(bazaar))).toMatchObject({ valid: true })
    expect(validateDiscoveryExtension(Object(bazaar))).toMatchObject({ valid: true })
    const [accepted] = required.accepts
    if (accepted === undefined) throw new Error('nothing offered')
    const payload = { x402Version: 2, resource: required.resource, accepted, payload: {} }
    const extensions = required.extensions ?? {}
    expect(extractDiscoveryInfo({ ...payload, extensions }, accepted)).toMatchObject({
      resourceUrl: RESOURCE,
      method: 'POST',
    })
    const [first] = Array.isArray(problem.more.accepts) ? problem.more.accepts : []
    expect(isDiscoverableV1(first)).toBe(true)
  })

  test('is made afresh each time: nobody changes it for others.', () => {
    const first = declaredExtensions()
    first.bazaar = 'changed'
    expect(declaredExtensions().bazaar).not.toBe('changed')
  })
})

describe('the receipt', () => {
  const openRail = (): PaymentRail => {
    const opened = createX402Rail({
      config: {
        payTo: [PAYEE],
        networks: [{ network: 'eip155:8453', dollar: null }],
        facilitatorUrl: 'https://facilitator.example',
        facilitatorHeaders: {},
      },
      rpcUrls: new Map(),
      nowUs: () => 0,
    })
    if (!isSet(opened)) throw new Error('the rail is unset')
    return opened
  }
  const settled = {
    key: 'k',
    network: 'eip155:8453',
    asset: OFFER.asset,
    payer: '0x00000000000000000000000000000000000000bb',
    payee: PAYEE,
    amount: '50000',
    expiresUs: 0,
    transaction: `0x${'12'.repeat(32)}`,
    settledUs: 0,
  }

  test.each([
    ['payment-signature', 'PAYMENT-RESPONSE', 'eip155:8453'],
    ['x-payment', 'X-PAYMENT-RESPONSE', 'base'],
  ])('answers %s with %s.', (asked, answered, network) => {
    const headers = openRail().receipt(settled, paidRequest({ [asked]: 'x' }))
    expect(Object.keys(headers)).toEqual([answered])
    expect(decodePaymentResponseHeader(headers[answered] ?? '')).toEqual({
      success: true,
      transaction: settled.transaction,
      network,
      payer: settled.payer,
    })
  })
})
