import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { registrableDomain } from './registrable.ts'

describe('the domain that somebody registered', () => {
  it.each([
    ['api.example.com', 'example.com'],
    ['example.com', 'example.com'],
    ['api.example.com:8443', 'example.com'],
    ['a.b.shop.co.uk', 'shop.co.uk'],
    ['shop.com.au', 'shop.com.au'],
    ['api.example.io', 'example.io'],
    ['one.vercel.app', 'one.vercel.app'],
    ['x.one.vercel.app', 'one.vercel.app'],
    ['one.up.railway.app', 'one.up.railway.app'],
    ['me.workers.dev', 'me.workers.dev'],
    ['a-1.us-east-1.run.app', 'a-1.us-east-1.run.app'],
    ['abc.lambda-url.us-east-1.on.aws', 'abc.lambda-url.us-east-1.on.aws'],
    ['one.convex.site', 'one.convex.site'],
    ['a.b.kawasaki.jp', 'a.b.kawasaki.jp'],
    ['b.x.unlisted-service.amazonaws.com', 'b.x.unlisted-service.amazonaws.com'],
    ['x.one.modal.run', 'one.modal.run'],
    ['one.railway.app', 'one.railway.app'],
    ['up.railway.app', 'up.railway.app'],
    ['vercel.app', 'vercel.app'],
    ['a.b.seller.test', 'seller.test'],
    ['a.xn--p1ai', 'a.xn--p1ai'],
    ['shop_1.example.com', 'example.com'],
  ])('of %s is %s', (host, domain) => {
    expect(registrableDomain(host)).toBe(domain)
  })

  it('ends the name, and is that of itself', () => {
    const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/)
    const top = fc.constantFrom(
      'com',
      'co.uk',
      'vercel.app',
      'run.app',
      'example',
      'modal.run',
      'railway.app',
      'on.aws',
    )
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 4 }), top, (labels, top) => {
        const host = [...labels, top].join('.')
        const domain = registrableDomain(host)
        expect(`.${host}`.endsWith(`.${domain}`)).toBe(true)
        expect(registrableDomain(domain)).toBe(domain)
      }),
    )
  })
})
