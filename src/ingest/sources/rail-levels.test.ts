import { describe, expect, it } from 'vitest'
import { parseOpenapi } from './openapi.ts'
import { SOLANA_WALLET, USDC_ON_BASE, USDC_ON_SOLANA, USDC_ON_TEMPO, WALLET } from './testing/accounts.ts'
import { parseWellKnown } from './well-known.ts'

const shown = ({ listings }: ReturnType<typeof parseWellKnown>) =>
  listings.map(({ address, rail, price, network }) => [address.path, rail, price, network].join(' '))
const rows = (document: object) =>
  shown(parseWellKnown(document, { allow: [], base: 'https://shop.example/.well-known/x402' }))
const paid = (info: object) =>
  shown(
    parseOpenapi(
      { openapi: '3.1.0', paths: { '/a': { get: { 'x-payment-info': info } } } },
      { allow: [], base: 'https://shop.example/openapi.json' },
    ),
  )

const onBase = { network: 'base', asset: USDC_ON_BASE, payTo: WALLET }
const onTempo = { method: 'tempo', currency: USDC_ON_TEMPO, recipient: WALLET }
const x402 = { ...onBase, amount: '10000' }
const mpp = { ...onTempo, amount: '20000' }
const accept = { scheme: 'exact', ...x402 }
const around = { protocols: { x402, mpp } }
const X402 = '/a x402 10000 base'
const MPP = '/a mpp 20000 tempo:4217'

describe('what a route says of one rail', () => {
  const route = (said: object, above: object = around) => rows({ ...above, endpoints: [{ path: '/a', ...said }] })

  it('under the name of the rail leaves to the other what is said around it', () => {
    expect(route({})).toEqual([X402, MPP])
    expect(route({ mpp: { ...onTempo, amount: '70000' } })).toEqual([X402, '/a mpp 70000 tempo:4217'])
    expect(route({ x402: { ...onBase, amount: '70000' } })).toEqual(['/a x402 70000 base', MPP])
    expect(route({ protocols: [{ x402: { amount: '30000' } }, 'mpp'] })).toEqual(['/a x402 30000 base', MPP])
    expect(route({ protocols: ['x402', { mpp: { amount: '30000' } }] })).toEqual([X402, '/a mpp 30000 tempo:4217'])
  })

  it('under both names is two prices, in dollars or in units', () => {
    expect(
      route(
        { protocols: { x402: { price: '$0.03' }, mpp: { price: '$0.04' } } },
        { protocols: { x402: onBase, mpp: onTempo } },
      ),
    ).toEqual(['/a x402 30000 base', '/a mpp 40000 tempo:4217'])
    expect(route({ protocols: { x402: { amount: '30000' }, mpp: { amount: '40000' } } })).toEqual([
      '/a x402 30000 base',
      '/a mpp 40000 tempo:4217',
    ])
  })

  it('takes no amount from another method, another currency or another chain', () => {
    const [bare] = route({ protocols: { mpp: { method: 'stripe', currency: 'usd' } } })
    expect(bare).toBe('/a mpp  ')
    expect(route({ protocols: { mpp: { method: 'stripe', currency: 'usd', amount: '50' } } })).toEqual([
      '/a mpp 500000 ',
    ])
    expect(route({ protocols: { mpp: { currency: USDC_ON_BASE } } })).toEqual(['/a mpp  '])
    expect(route({ protocols: { x402: { network: 'solana', asset: USDC_ON_SOLANA, payTo: SOLANA_WALLET } } })).toEqual([
      '/a x402  solana',
    ])
  })

  it('in a list of ways to pay of x402 is all of its own', () => {
    expect(route({ accepts: [{ ...accept, amount: '30000' }] })).toEqual(['/a x402 30000 base'])
    expect(route({ accepts: [accept], protocols: { mpp } }, {})).toEqual([X402, MPP])
  })
})

describe('what a document says of one rail', () => {
  it('beside ways to pay of the other is said of both', () => {
    for (const document of [
      { accepts: [accept], protocols: { mpp } },
      { accepts: [accept], mpp },
      { x402, mpp },
      { x402: { accepts: [accept] }, mpp },
    ]) {
      expect(rows({ ...document, endpoints: ['/a'] })).toEqual([X402, MPP])
      expect(rows({ ...document, endpoints: [{ path: '/a', protocol: 'mpp' }] })).toEqual([MPP])
      expect(rows({ ...document, endpoints: [{ path: '/a', protocol: 'x402' }] })).toEqual([X402])
      expect(rows({ ...document, endpoints: [{ path: '/a', accepts: [accept] }] })).toEqual([X402])
    }
  })

  it('is not said of a route that nothing says is paid by it', () => {
    expect(rows({ mpp: { version: 1 }, accepts: [accept], endpoints: ['/a'] })).toEqual([X402])
    expect(rows({ mpp: false, x402, endpoints: ['/a'] })).toEqual([X402])
    expect(rows({ mpp: { ...mpp, enabled: false }, x402, endpoints: ['/a'] })).toEqual([X402])
  })
})

describe('x-payment-info', () => {
  it('says of a protocol what it costs by that one', () => {
    const own = [{ x402: { network: 'base', price: '$0.01' } }, { mpp: { ...onTempo, price: '$0.02' } }]
    expect(paid({ protocols: own })).toEqual([X402, MPP])
    expect(paid({ protocols: own, price: { mode: 'fixed', amount: '0.05', currency: 'USD' } })).toEqual([X402, MPP])
    expect(
      paid({ protocols: [own[0], { mpp: onTempo }], price: { mode: 'fixed', amount: '0.05', currency: 'USD' } }),
    ).toEqual([X402, '/a mpp 50000 tempo:4217'])
  })

  it('has an amount beside a method of mpp in the units of that method, and no price of x402', () => {
    const flat = { intent: 'charge', method: 'stripe', amount: '50', currency: 'usd' }
    expect(paid({ ...flat, protocols: ['mpp'] })).toEqual(['/a mpp 500000 '])
    expect(paid({ ...flat, protocols: ['mpp', { x402: { network: 'base', asset: USDC_ON_BASE } }] })).toEqual([
      '/a mpp 500000 ',
      '/a x402  base',
    ])
    expect(paid({ amount: '0.05', currency: 'USD', protocols: ['x402', 'mpp'] })).toEqual([
      '/a x402 50000 ',
      '/a mpp 50000 ',
    ])
  })
})
