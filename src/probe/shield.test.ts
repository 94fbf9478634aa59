import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SHIELDS } from '../domain/now/vantage.ts'
import { shieldOf } from './shield.ts'

const HTML = ['Content-Type', 'text/html; charset=UTF-8'] as const
const page = (status: number, words: string, ...headers: (readonly [string, string])[]) =>
  shieldOf({ status, headers: [HTML, ...headers], body: Buffer.from(`<!DOCTYPE html><html>${words}</html>`) })
const head = (status: number, name: string, value: string) =>
  shieldOf({ status, headers: [[name, value]], body: new Uint8Array() })

describe('a challenge page', () => {
  it('is known by what the shields themselves say in the head', () => {
    expect(head(403, 'Cf-Mitigated', 'challenge')).toBe('cloudflare')
    expect(head(202, 'x-amzn-waf-action', 'challenge')).toBe('aws-waf')
    expect(head(405, 'X-Amzn-Waf-Action', 'captcha')).toBe('aws-waf')
    expect(head(429, 'X-Vercel-Mitigated', 'challenge')).toBe('vercel')
    expect(head(403, 'X-DD-B', '1')).toBe('datadome')
    expect(head(403, 'X-PX-Blocked', '1')).toBe('human')
  })

  it('is known by words of a page that refuses', () => {
    expect(page(403, '<title>Just a moment...</title>')).toBe('cloudflare')
    expect(page(503, '<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script>')).toBe(
      'cloudflare',
    )
    expect(page(403, '<script>var dd={"host":"geo.captcha-delivery.com"}</script>')).toBe('datadome')
    expect(page(403, '<div id="px-captcha"></div>')).toBe('human')
    expect(page(429, '<title>Vercel Security Checkpoint</title>')).toBe('vercel')
    expect(page(403, '<iframe src="/_Incapsula_Resource?SWUDNSAI=31"></iframe>')).toBe('imperva')
    expect(page(403, '<H1>Access Denied</H1> https://errors.edgesuite.net/18.2')).toBe('akamai')
  })

  it('is nothing that a seller answers itself, lets through or asks to be paid with', () => {
    expect(page(403, 'no')).toBeNull()
    expect(page(200, '<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>')).toBeNull()
    expect(page(402, '<title>Just a moment...</title>', ['cf-mitigated', 'challenge'])).toBeNull()
    expect(head(403, 'Server', 'cloudflare')).toBeNull()
    expect(head(200, 'X-DataDome', 'protected')).toBeNull()
    const told = { status: 403, headers: [['Content-Type', 'application/json'] as const] }
    expect(shieldOf({ ...told, body: Buffer.from('{"error":"px-captcha"}') })).toBeNull()
  })

  it('is one of those that are known or none, whatever comes', () => {
    const header = fc.tuple(
      fc.constantFrom('content-type', 'cf-mitigated', 'x-amzn-waf-action', 'x-dd-b', 'server'),
      fc.string(),
    )
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 999 }),
        fc.array(header, { maxLength: 4 }),
        fc.uint8Array(),
        (status, headers, body) => {
          const shield = shieldOf({ status, headers, body })
          if (status === 402) expect(shield).toBeNull()
          else expect([null, ...SHIELDS]).toContain(shield)
        },
      ),
    )
  })
})
