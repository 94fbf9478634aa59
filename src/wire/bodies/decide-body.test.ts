import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Problem } from '../../domain/problem.ts'
import { parseDecideBody } from './decide-body.ts'

const BODY = {
  method: 'GET',
  url: 'https://api.example.com/v1/x',
  rail: 'x402',
  offer: { price: '0.02', network: 'base' },
}
const faultOf = (body: unknown): string => {
  try {
    parseDecideBody(body, [])
    return 'none'
  } catch (error) {
    return error instanceof Problem ? `${error.status} ${error.detail}` : 'another error'
  }
}

describe('the question before a payment', () => {
  it('is read into an offer and a policy', () => {
    const policy = { max_price: '0.05', tolerance: 0.1, stop: ['unknown_host'] }
    expect(parseDecideBody({ ...BODY, policy }, [])).toEqual({
      address: { scheme: 'https', host: 'api.example.com', path: '/v1/x' },
      url: BODY.url,
      method: 'GET',
      rail: 'x402',
      offer: { price: 20_000, network: 'base', asset: null, payee: null },
      policy: { maxPrice: 50_000, tolerance: 0.1, stop: ['unknown_host'] },
    })
  })

  it.each<[unknown, RegExp]>([
    [null, /not a JSON object/],
    [{ ...BODY, url: 'nowhere' }, /url is not the address of a route/],
    [{ ...BODY, url: 'http://127.0.0.1/' }, /url is not the address of a route: an IP address/],
    [{ ...BODY, rail: 'card' }, /rail must be x402 or mpp/],
    [{ ...BODY, offer: undefined }, /offer is missing/],
    [{ ...BODY, offer: { network: 'base' } }, /offer.price is missing/],
    [{ ...BODY, offer: { ...BODY.offer, price: 0.02 } }, /offer.price must be dollars as a text/],
    [{ ...BODY, offer: { ...BODY.offer, payee: 'x'.repeat(201) } }, /offer.payee must be a text of at most 200/],
    [{ ...BODY, offer: { ...BODY.offer, tip: 1 } }, /"offer.tip" is not known/],
    [{ ...BODY, policy: { stop: ['mood'] } }, /policy.stop must be a list of these codes: price_above_listed/],
    [{ ...BODY, policy: { max_price: 'much' } }, /policy.max_price must be dollars/],
  ])('is refused by the field at fault: %j', (body, fault) => {
    expect(faultOf(body)).toMatch(fault)
  })

  it('is read or refused with 400, whatever comes', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything(),
          fc.anything().map((offer) => ({ ...BODY, offer })),
        ),
        (body) => {
          expect(faultOf(body)).toMatch(/^none$|^400 /)
        },
      ),
    )
  })
})
