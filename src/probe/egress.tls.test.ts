import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { Server } from 'node:net'
import { createServer, type TlsOptions } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { createEgress, type EgressAnswer, parseConnectTo } from './egress.ts'

// As much of X.509 as certificates of this test need, so that they are made on the spot with the dates and names wanted.
const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: Uint8Array[]): Buffer => der(0x30, ...parts)
const oid = (...bytes: number[]): Buffer => der(0x06, Buffer.from(bytes))
const time = (date: Date): Buffer =>
  der(0x18, Buffer.from(`${date.toISOString().slice(0, 19).replace(/[-T:]/g, '')}Z`, 'latin1'))
const commonName = (name: string): Buffer =>
  sequence(der(0x31, sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from(name)))))
const ECDSA_WITH_SHA256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))
const TRUE = der(0x01, Buffer.from([0xff]))

interface Authority {
  readonly name: string
  readonly key: KeyObject
}

interface Wanted {
  readonly name: string
  readonly days?: readonly [from: number, to: number]
  readonly isAuthority?: boolean
}

const newKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const day = (days: number): Date => new Date(Date.now() + days * 86_400_000)

function certificate(wanted: Wanted, key: KeyObject, issuer: Authority): string {
  const { name, days = [-10, 10], isAuthority = false } = wanted
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' })
  const serial = createHash('sha256').update(publicKey).digest().subarray(0, 8)
  const extension = isAuthority
    ? sequence(oid(0x55, 0x1d, 0x13), TRUE, der(0x04, sequence(TRUE)))
    : sequence(oid(0x55, 0x1d, 0x11), der(0x04, sequence(der(0x82, Buffer.from(name)))))
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), serial),
    ECDSA_WITH_SHA256,
    commonName(issuer.name),
    sequence(time(day(days[0])), time(day(days[1]))),
    commonName(name),
    publicKey,
    der(0xa3, sequence(extension)),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, issuer.key))
  const text = sequence(body, ECDSA_WITH_SHA256, signature).toString('base64')
  return `-----BEGIN CERTIFICATE-----\n${text.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
}

const authority: Authority = { name: 'Test Authority', key: newKey() }
const authorityCertificate = certificate({ name: authority.name, isAuthority: true }, authority.key, authority)

const servers: Server[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
})

function identity(wanted: Wanted, issuer?: Authority): TlsOptions {
  const key = newKey()
  const pem = String(key.export({ type: 'pkcs8', format: 'pem' }))
  return { key: pem, cert: certificate(wanted, key, issuer ?? { name: wanted.name, key }) }
}

/** Calls https://api.example/ at a server with this identity, trusting the test's authority. */
async function callWith(options: TlsOptions, ca: readonly string[] = [authorityCertificate]): Promise<EgressAnswer> {
  const server = createServer(options, (socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', () => socket.end(`HTTP/1.1 402 X\r\nSeen: ${String(socket.servername)}\r\n\r\n`))
  })
  server.on('tlsClientError', (_, socket) => socket.destroy())
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = address === null || typeof address === 'string' ? 0 : address.port
  const egress = createEgress({ connectTo: parseConnectTo(`:443:127.0.0.1:${port}`), userAgent: 'test', ca })
  return await egress.fetch({ method: 'GET', url: 'https://api.example/', deadlineMs: 5000, maxBodyBytes: 1000 })
}

describe('a secure call', () => {
  it('greets the seller by name, whatever address it goes to', async () => {
    const answer = await callWith(identity({ name: 'api.example' }, authority))
    expect(answer).toMatchObject({ ok: true, status: 402, headers: [['Seen', 'api.example']] })
    expect(answer.timings.tlsMs).toEqual(expect.any(Number))
  })

  it('speaks HTTP/1.1 to a server that prefers HTTP/2', async () => {
    const answer = await callWith({
      ...identity({ name: 'api.example' }, authority),
      ALPNProtocols: ['h2', 'http/1.1'],
    })
    expect(answer).toMatchObject({ ok: true, status: 402 })
  })

  it.each([
    ['expired', 'tls_expired', identity({ name: 'api.example', days: [-20, -1] }, authority)],
    ['not valid yet', 'tls_untrusted', identity({ name: 'api.example', days: [5, 10] }, authority)],
    ['for another name', 'tls_name_mismatch', identity({ name: 'other.example' }, authority)],
    ['self-signed', 'tls_untrusted', identity({ name: 'api.example' })],
    ['of an unknown authority', 'tls_untrusted', identity({ name: 'api.example' }, { name: 'Who', key: newKey() })],
  ])('fails on a certificate that is %s', async (_, error, options) => {
    expect(await callWith(options)).toMatchObject({ ok: false, error, remoteAddress: '127.0.0.1', partial: null })
  })

  it('does not trust the test’s authority by itself, even when the environment switches checks off', async () => {
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      const answer = await callWith(identity({ name: 'api.example' }, authority), [])
      expect(answer).toMatchObject({ ok: false, error: 'tls_untrusted' })
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
    }
  })

  it('fails as tls_protocol where versions do not meet', async () => {
    const old: TlsOptions = { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }
    expect(await callWith({ ...identity({ name: 'api.example' }, authority), ...old })).toMatchObject({
      ok: false,
      error: 'tls_protocol',
    })
  })

  it('fails as tls_protocol where plain HTTP answers', async () => {
    const { createServer: createPlainServer } = await import('node:http')
    const server = createPlainServer((_, response) => response.end())
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = address === null || typeof address === 'string' ? 0 : address.port
    const egress = createEgress({ connectTo: parseConnectTo(`::127.0.0.1:${port}`), userAgent: 'test' })
    const answer = await egress.fetch({
      method: 'GET',
      url: 'https://api.example/',
      deadlineMs: 5000,
      maxBodyBytes: 1000,
    })
    expect(answer).toMatchObject({ ok: false, error: 'tls_protocol' })
  })
})
