import { describe, expect, it } from 'vitest'
import { readDemand } from './challenge.ts'
import {
  asked,
  base64,
  CAIP_OFFER,
  MPP_OFFER,
  NO_STORE,
  PATH_USD,
  payment,
  REQUEST,
  read,
  SELLER,
  USDC,
} from './testing/samples.ts'

describe('an mpp challenge', () => {
  it('is read from the header', () => {
    expect(asked(payment(REQUEST, { expires: '2026-11-14T00:05:00.123Z' }))).toEqual({
      offers: [MPP_OFFER],
      warnings: [],
    })
  })

  it('is found among other schemes, several in one line and in several lines', () => {
    const [one, two, three] = ['1', '2', '3'].map((amount) => payment({ ...REQUEST, amount }))
    const answer = asked(
      `L402 macaroon="AGE=", invoice="lnbc1, Payment", ${one}, ${two}`,
      'Basic realm="x"',
      `${three}`,
    )
    expect(answer).toEqual({ offers: [1, 2, 3].map((price) => ({ ...MPP_OFFER, price })), warnings: [] })
  })

  it('of anything but a charge or a session has no price, as for the guard', () => {
    for (const intent of ['charge', 'session'])
      expect(asked(payment(REQUEST, { intent }))).toEqual({ offers: [MPP_OFFER], warnings: [] })
    for (const intent of ['subscription', 'authorize', 'Charge', 'constructor'])
      expect(asked(payment({ ...REQUEST, periodCount: '1', periodUnit: 'week' }, { intent }))).toEqual({
        offers: [{ ...MPP_OFFER, price: null }],
        warnings: ['unknown_intent'],
      })
  })

  it('says with whom its payee shares, apart from who is to be paid', () => {
    const OTHER = `0x${'e'.repeat(40)}`
    const sharing = (splits: unknown) => {
      const line = payment({ ...REQUEST, methodDetails: { chainId: 4217, splits } })
      const { challenge, sharers } = readDemand({
        ...{ url: 'https://api.example/v1', status: 402, body: new Uint8Array(), nowUs: 0 },
        headers: [NO_STORE, ['WWW-Authenticate', line]],
      })
      expect(challenge?.offers).toEqual([MPP_OFFER])
      return [sharers.map(({ network, payee }) => `${network} ${payee}`), challenge?.warnings]
    }
    const two = [
      { amount: '1', recipient: OTHER },
      { amount: '2', recipient: PATH_USD, memo: '0x' },
    ]
    expect(sharing(two)).toEqual([[`tempo:4217 ${OTHER}`, `tempo:4217 ${PATH_USD}`], []])
    expect(sharing([{ recipient: 'nobody' }, { recipient: OTHER }])).toEqual([[`tempo:4217 ${OTHER}`], ['bad_payee']])
    expect(sharing(undefined)).toEqual([[], []])
    for (const odd of [7, {}, Array.from({ length: 11 }, () => two[0])])
      expect(sharing(odd)).toEqual([[], ['malformed']])
  })

  it('names its network by chain, or by a currency that lives on one network only', () => {
    const networkOf = (request: unknown) => asked(payment(request))?.offers.map((offer) => [offer.network, offer.price])
    expect(networkOf({ ...REQUEST, currency: PATH_USD, methodDetails: { chainId: 42_431 } })).toEqual([
      ['tempo:42431', 10_000],
    ])
    expect(networkOf({ ...REQUEST, methodDetails: { chainId: '4217' } })).toEqual([['tempo:4217', 10_000]])
    expect(networkOf({ ...REQUEST, methodDetails: undefined })).toEqual([['tempo:4217', 10_000]])
    expect(networkOf({ ...REQUEST, methodDetails: { chainId: -1 }, currency: PATH_USD })).toEqual([[null, 10_000]])
    expect(networkOf({ ...REQUEST, methodDetails: { chainId: 42_431 } })).toEqual([['tempo:42431', null]])
    expect(networkOf({ ...REQUEST, methodDetails: null, currency: SELLER })).toEqual([[null, null]])
  })

  it.each([
    ['0xa5bf', 'tempo:42431'],
    ['0x0000A5BF', 'tempo:42431'],
    ['eip155:42431', 'tempo:42431'],
    ['42431', 'tempo:42431'],
    ['0x1079', 'tempo:4217'],
    [null, 'tempo:4217'],
  ])('whose chain is written as %j is on %s', (chainId, network) => {
    const { offers, warnings } = asked(payment({ ...REQUEST, methodDetails: { chainId } })) ?? {}
    expect(offers?.map((offer) => [offer.network, offer.price])).toEqual([
      [network, network === 'tempo:4217' ? 10_000 : null],
    ])
    expect(warnings).not.toContain('malformed')
  })

  it.each([
    ...['moderato', '', ' 4217', '04217', '4217.0', '0x', '0x0', '0xg', 'eip155:', 'eip155:0xa5bf', 'eip155:x', '1e3'],
    ...[0, -1, 4217.5, 1e21, true, [4217], {}, 'solana:4217', '0x100000000000000'],
  ])('whose chain is written as %j is on no network that is known', (chainId) => {
    const challenge = asked(payment({ ...REQUEST, methodDetails: { chainId } }))
    expect(challenge?.offers).toEqual([{ ...MPP_OFFER, network: null, price: null }])
    expect(challenge?.warnings).toContain('malformed')
    const evm = asked(payment({ ...REQUEST, currency: USDC, methodDetails: { chainId } }, { method: 'evm' }))
    expect(evm?.offers).toEqual([{ ...MPP_OFFER, network: null, price: null, asset: USDC }])
    expect(evm?.warnings).toContain('malformed')
  })

  it('whose details cannot be read is on no network that is known', () => {
    for (const methodDetails of ['tempo', 4217, [], true]) {
      const challenge = asked(payment({ ...REQUEST, methodDetails }))
      expect(challenge?.offers).toEqual([{ ...MPP_OFFER, network: null, price: null }])
      expect(challenge?.warnings).toContain('malformed')
    }
  })

  it('by card is priced in cents and has no network', () => {
    const offer = (currency: string) => asked(payment({ amount: '50', currency }, { method: 'stripe' }))
    expect(offer('usd')).toEqual({
      offers: [{ rail: 'mpp', network: null, price: 500_000, asset: 'usd', payee: null }],
      warnings: [],
    })
    expect(offer('jpy')).toMatchObject({ offers: [{ price: null }], warnings: ['unknown_asset'] })
  })

  it('on another EVM chain is priced by that chain’s asset', () => {
    const request = { ...REQUEST, currency: USDC, methodDetails: { chainId: 8453 } }
    expect(asked(payment(request, { method: 'evm' }))?.offers).toEqual([{ ...CAIP_OFFER, rail: 'mpp' }])
  })

  it('by a method unknown here is an offer without a price', () => {
    expect(asked(payment({ invoice: 'lnbc1' }, { method: 'lightning' }))).toEqual({
      offers: [{ rail: 'mpp', network: null, price: null, asset: null, payee: null }],
      warnings: ['unknown_method'],
    })
  })

  it.each([
    ['expired', payment(REQUEST, { expires: '2026-11-13T23:59:59Z' }), 1],
    ['malformed', payment(REQUEST, { expires: 'soon' }), 1],
    ['malformed', payment(REQUEST, { request: '%%%' }), 0],
    ['malformed', payment([REQUEST]), 0],
    ['malformed', `${payment(REQUEST)}, id="again"`, 1],
    ['missing_field', 'Payment id="x", realm="y", method="tempo", intent="charge"', 0],
    ['missing_field', payment({ ...REQUEST, recipient: undefined }), 1],
    ['missing_field', payment({ ...REQUEST, currency: undefined }), 1],
    ['missing_field', payment({ ...REQUEST, amount: undefined }), 1],
    ['decimal_amount', payment({ ...REQUEST, amount: '0.01' }), 1],
    ['bad_payee', payment({ ...REQUEST, recipient: 'acct_1' }), 1],
    ['other_encoding', payment(REQUEST, { request: base64({ ...REQUEST, note: '???' }) }), 1],
  ])('warns of %s and hides no other', (warning, line, offers) => {
    const answer = asked(line, payment({ ...REQUEST, amount: '1' }))
    expect(answer?.warnings).toEqual([warning])
    expect(answer?.offers).toHaveLength(offers + 1)
    expect(answer?.offers.at(-1)).toEqual({ ...MPP_OFFER, price: 1 })
  })

  it('must not be stored by caches', () => {
    const line = ['www-authenticate', payment(REQUEST)] as const
    expect(read({ headers: [line] })?.warnings).toEqual(['no_no_store'])
    expect(read({ headers: [line, ['cache-control', 'no-cache']] })?.warnings).toEqual(['no_no_store'])
    expect(read({ headers: [line, ['cache-control', 'max-age=0'], ['Cache-Control', 'No-Store']] })?.warnings).toEqual(
      [],
    )
  })
})
