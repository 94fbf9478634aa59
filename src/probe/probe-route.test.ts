import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { type Answer, doorTo, payment, type Sellers, startSellers, USER_AGENT } from '../../test/probe/sellers.ts'
import { aRoute, NOON_US } from '../../test/support/samples.ts'
import { classify } from '../domain/probe.ts'
import { METHODS } from '../domain/route.ts'
import { PROBE_LIMITS, probeRoute } from './probe-route.ts'

const open: Sellers[] = []
afterEach(async () => {
  for (const sellers of open.splice(0)) await sellers.close()
})

const sellersThat = async (answer: Answer): Promise<Sellers> => {
  const sellers = await startSellers(answer)
  open.push(sellers)
  return sellers
}

const route = aRoute({ host: 'api.example', scheme: 'http', path: '/v1/x?q=1' })
const clock = (): (() => number) => {
  let now = NOON_US
  return () => now++
}

describe('one probe', () => {
  it('keeps what a 402 offers beside the entry, and who is paid', async () => {
    const { egress } = await sellersThat((_, response) => payment(response))
    const seen = await probeRoute({ egress, nowUs: clock() }, route)
    expect(seen.entry).toMatchObject({
      ...route,
      atUs: NOON_US,
      httpStatus: 402,
      error: null,
      remoteAddress: '127.0.0.1',
      challenge: { offers: [{ rail: 'x402', network: 'base', price: 10_000 }] },
      timings: { connectMs: expect.any(Number), tlsMs: null, firstByteMs: expect.any(Number) },
    })
    expect(Number.isInteger(seen.entry.latencyMs)).toBe(true)
    expect(seen.payees).toEqual([
      {
        ...route,
        network: 'base',
        payee: '0x1111111111111111111111111111111111111111',
        asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
        origin: 'challenge',
        firstUs: NOON_US,
        lastUs: NOON_US,
      },
    ])
  })

  it('sends GET as it is and POST with an empty object, and nothing that pays or identifies', async () => {
    const { egress, seen } = await sellersThat((_, response) => response.end('{}'))
    await probeRoute({ egress, nowUs: clock() }, route)
    await probeRoute({ egress, nowUs: clock() }, { ...route, method: 'POST' })
    expect(seen.map(({ method, path, body }) => `${method} ${path} ${body}`)).toEqual([
      'GET /v1/x?q=1 ',
      'POST /v1/x?q=1 {}',
    ])
    expect(seen[0]?.headers).toEqual({
      host: 'api.example',
      accept: '*/*',
      'user-agent': USER_AGENT,
      'accept-encoding': 'identity',
      connection: 'close',
    })
    expect(seen[1]?.headers).toEqual({
      ...seen[0]?.headers,
      'content-type': 'application/json',
      'content-length': '2',
    })
  })

  it('refuses to call templates and methods that were not allowed, before anything is sent', async () => {
    const { egress, seen } = await sellersThat((_, response) => response.end())
    for (const method of ['PUT', 'PATCH', 'DELETE'] as const)
      await expect(probeRoute({ egress, nowUs: clock() }, { ...route, method })).rejects.toThrow('not probeable')
    for (const path of ['/users/:id', '/users/{id}', '/users/%7Bid%7D', '/quote?symbol=:symbol'])
      await expect(probeRoute({ egress, nowUs: clock(), methods: METHODS }, { ...route, path })).rejects.toThrow(
        'not probeable',
      )
    expect(seen).toEqual([])
    await probeRoute({ egress, nowUs: clock(), methods: METHODS }, { ...route, method: 'PUT' })
    expect(seen.map(({ method, body }) => `${method} ${body}`)).toEqual(['PUT {}'])
  })

  it('classifies by the status alone, whatever else happens', async () => {
    const statuses = [200, 204, 301, 302, 400, 401, 403, 404, 415, 429, 500, 503]
    const { egress } = await sellersThat(({ path }, response) => {
      response.writeHead(Number(path.slice(1)), { 'payment-required': 'e30=', location: 'http://169.254.169.254/' })
      response.end()
    })
    for (const status of statuses) {
      const { entry } = await probeRoute({ egress, nowUs: clock() }, { ...route, path: `/${status}` })
      expect(entry).toMatchObject({ httpStatus: status, error: null, challenge: null })
      expect(classify(entry.httpStatus)).toBe(status < 400 ? 'answers' : 'failed')
    }
  })

  it('says of a whole 402 without a challenge that it asks for nothing, and nothing of one that was cut off', async () => {
    const { egress } = await sellersThat(({ path }, response) => {
      response.writeHead(402)
      if (path === '/whole') response.end('Payment required')
      else response.write('Payment req')
    })
    const limits = { ...PROBE_LIMITS, deadlineMs: 300 }
    const challengeOf = async (path: string) =>
      (await probeRoute({ egress, nowUs: clock(), limits }, { ...route, path })).entry.challenge
    expect(await challengeOf('/whole')).toEqual({ offers: [], warnings: ['no_offers'] })
    expect(await challengeOf('/cut')).toBeNull()
  })

  it('reads what a compressed body asks for, and says of a coding that it does not know that it was not read', async () => {
    const { egress } = await sellersThat(({ path }, response) => {
      response.writeHead(402, { 'content-encoding': path.slice(1) })
      response.end(gzipSync('{"x402Version":1,"accepts":[{"network":"base","maxAmountRequired":"1"}]}'))
    })
    const challengeOf = async (path: string) =>
      (await probeRoute({ egress, nowUs: clock() }, { ...route, path })).entry.challenge
    expect(await challengeOf('/gzip')).toMatchObject({ offers: [{ rail: 'x402', network: 'base' }] })
    expect(await challengeOf('/zstd')).toEqual({ offers: [], warnings: ['other_encoding'] })
    expect(await challengeOf('/identity')).toEqual({ offers: [], warnings: ['no_offers'] })
  })

  it('takes a status that was seen for an HTTP result although the body never ended', async () => {
    const { egress } = await sellersThat((_, response) => {
      response.writeHead(402, { 'www-authenticate': 'Payment id="x"' })
      response.write('{')
    })
    const limits = { ...PROBE_LIMITS, deadlineMs: 300 }
    const { entry, isConnected } = await probeRoute({ egress, nowUs: clock(), limits }, route)
    expect(entry).toMatchObject({ httpStatus: 402, error: 'deadline', challenge: { warnings: expect.any(Array) } })
    expect(isConnected).toBe(true)
  })

  it('measures and names what could not be reached', async () => {
    const sellers = await sellersThat(() => undefined)
    await sellers.close()
    const seen = await probeRoute({ egress: doorTo(sellers.port), nowUs: clock() }, route)
    expect(seen.entry).toMatchObject({
      httpStatus: null,
      error: 'connection_refused',
      challenge: null,
      remoteAddress: null,
      latencyMs: expect.any(Number),
    })
    expect(seen).toMatchObject({ isConnected: true, payees: [], headers: [] })
  })
})
