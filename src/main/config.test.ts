import { describe, expect, it } from 'vitest'
import { Problem } from '../domain/problem.ts'
import { loadConfig } from './config.ts'
import { ENVIRONMENT } from './settings/environment.ts'

const refusal = (env: Record<string, string>): string => {
  try {
    loadConfig(env)
    return 'taken'
  } catch (error) {
    return error instanceof Problem ? `${error.detail} (${error.hint})` : String(error)
  }
}

describe('the configuration', () => {
  it('needs nothing', () => {
    expect(loadConfig({ HOME: '/root', PORT: '', BIND: ' ' })).toMatchObject({
      port: 8402,
      bind: undefined,
      baseUrl: undefined,
      dataDir: './data',
      databaseUrl: undefined,
      allowHosts: [],
      rateLimits: {
        unsigned: { count: 5, windowMs: 3_600_000 },
        signed: { count: 60, windowMs: 3_600_000 },
        reads: { count: 600, windowMs: 60_000 },
      },
      trustedProxies: null,
      logLevel: 'info',
    })
  })

  it('is read from the environment', () => {
    const config = loadConfig({
      PORT: '0',
      BIND: '127.0.0.1',
      BASE_URL: 'https://tollbook.example/',
      DATA_DIR: '/var/lib/tollbook',
      DATABASE_URL: 'postgres://user:secret@db.example/tollbook',
      ALLOW_HOSTS: '*.Seller.test, localhost',
      RATE_LIMITS: 'off',
      TRUSTED_PROXIES: '10.0.0.0/8,::1',
      LOG_LEVEL: 'debug',
    })
    expect(config).toMatchObject({
      port: 0,
      bind: '127.0.0.1',
      baseUrl: 'https://tollbook.example',
      dataDir: '/var/lib/tollbook',
      databaseUrl: 'postgres://user:secret@db.example/tollbook',
      allowHosts: ['*.seller.test', 'localhost'],
      rateLimits: null,
      logLevel: 'debug',
    })
    expect(config.trustedProxies?.check('10.1.2.3', 'ipv4')).toBe(true)
  })

  it.each([
    ['PORT', '65536'],
    ['PORT', '8402x'],
    ['PORT', '-1'],
    ['BIND', 'a b'],
    ['BASE_URL', 'tollbook.example'],
    ['BASE_URL', 'https://tollbook.example/?x'],
    ['BASE_URL', 'https://example.com/tollbook'],
    ['BASE_URL', 'https://example.com/tollbook/'],
    ['BASE_URL', 'https://user@tollbook.example'],
    ['DATABASE_URL', 'mysql://user:hunter2@db.example'],
    ['ALLOW_HOSTS', '*'],
    ['ALLOW_HOSTS', 'a.*.test'],
    ['SOURCES', 'mine=file:x,other=bazaar:hunter2'],
    ['RATE_LIMITS', 'reads=many'],
    ['RATE_LIMITS', 'reads=5/m,reads=6/m'],
    ['RPC_URLS', 'base=https://one.example,eip155:8453=https://two.example'],
    ['SWEEP_INTERVAL', '1h,openapi=2h,openapi=3h'],
    ['TRUSTED_PROXIES', 'proxy.example'],
    ['X402_NETWORKS', 'foo'],
    ['X402_NETWORKS', 'base,eip155:8453'],
    ['X402_NETWORKS', 'base,tempo:4217'],
    ['X402_NETWORKS', 'eip155:base'],
    ['X402_NETWORKS', ','],
    ['X402_FACILITATOR_HEADERS', '{"Authorization":"Bearer hunter2\\nX-More: 1"}'],
    ['X402_FACILITATOR_HEADERS', '{"a b":"hunter2"}'],
    ['LOG_LEVEL', 'loud'],
  ])('names %s when it is %s, in one line that does not repeat it', (name, value) => {
    const line = refusal({ [name]: value })
    expect(line).toMatch(new RegExp(`^${name}: expected .* \\(correct or unset ${name}\\)$`))
    expect(line).not.toContain('hunter2')
  })

  it('names the entry of a long list of sources', () => {
    expect(refusal({ SOURCES: 'a=openapi,b=well-known,c=bazar:https://c.example' })).toMatch(
      /^SOURCES: expected .*\(kinds: bazaar, .*\); entry 3 \(c\): none of these kinds \(correct/,
    )
  })

  it('names every variable at fault at once', () => {
    expect(refusal({ PORT: 'x', LOG_LEVEL: 'x' })).toMatch(
      /^PORT: .*; LOG_LEVEL: .* \(correct or unset PORT, LOG_LEVEL\)$/,
    )
  })

  it('says of every variable what it is for, what it may be and what it is when unset', () => {
    for (const [name, variable] of Object.entries(ENVIRONMENT.shape)) {
      const { description, expected, default: unset } = variable.meta() ?? {}
      expect([name, typeof description, typeof expected]).toEqual([name, 'string', 'string'])
      if (unset !== null) expect(variable.safeParse(unset).success).toBe(true)
    }
  })

  it('knows every source whose interval is set', () => {
    const sources = { SOURCES: 'mine=file:listings.ndjson' }
    expect(refusal({ SWEEP_INTERVAL: '1h,nosuch=2h' })).toMatch(
      /^SWEEP_INTERVAL: it names a source that SOURCES does not \(known here: .*openapi.*\)$/,
    )
    expect(refusal({ ...sources, SWEEP_INTERVAL: '1h,nosuch=2h' })).toMatch(/\(known here: mine, /)
    expect(refusal({ ...sources, SWEEP_INTERVAL: '1h,mine=2h,openapi=24h' })).toBe('taken')
    expect(refusal({ SOURCES: 'none' })).toBe('taken')
  })

  it('serves metrics to this machine alone unless asked otherwise', () => {
    expect(loadConfig({ METRICS_PORT: '9402', BIND: '0.0.0.0' }).metricsBind).toBe('127.0.0.1')
    expect(loadConfig({ METRICS_PORT: '9402', METRICS_BIND: '0.0.0.0' }).metricsBind).toBe('0.0.0.0')
  })
})
