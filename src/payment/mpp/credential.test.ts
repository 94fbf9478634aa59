import fc from 'fast-check'
import { Credential } from 'mppx'
import { describe, expect, it } from 'vitest'
import { readCredential } from './credential.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64url')

const challenge = {
  id: '1',
  realm: 'tollbook.example',
  method: 'tempo',
  intent: 'charge',
  expires: '2026-11-14T12:34:56.000000Z',
  request: {
    amount: '50000',
    currency: '0x20c0000000000000000000000000000000000000',
    recipient: '0x1111111111111111111111111111111111111111',
    methodDetails: { chainId: 1337 },
  },
}

describe('reading an Authorization header', () => {
  it('finds no credential where no Payment scheme is named', async () => {
    const other = fc.string().filter((text) => !/payment/i.test(text))
    await fc.assert(
      fc.asyncProperty(fc.option(other, { nil: undefined }), async (header) => {
        expect(await readCredential(header)).toEqual({ kind: 'none' })
      }),
    )
  })

  it('never fails, whatever stands after the scheme', async () => {
    const garbage = fc.oneof(
      fc.string(),
      fc.json().map(base64),
      fc.uint8Array().map((bytes) => base64(String(bytes))),
    )
    await fc.assert(
      fc.asyncProperty(garbage, async (text) => {
        expect(await readCredential(`Payment ${text}`)).toEqual({ kind: 'unreadable', code: 'malformed-credential' })
      }),
    )
  })

  it('never fails, whatever the payload is called a transaction', async () => {
    const hex = fc.uint8Array({ maxLength: 200 }).map((bytes) => `0x76${Buffer.from(bytes).toString('hex')}`)
    const signed = fc.record({ type: fc.constant('transaction'), signature: hex })
    await fc.assert(
      fc.asyncProperty(fc.oneof(signed, fc.jsonValue()), async (payload) => {
        const header = Credential.serialize({ challenge, payload })
        expect(await readCredential(header)).toEqual({ kind: 'unreadable', code: 'invalid-payload' })
      }),
    )
  })

  it('tells another payment method from a broken credential', async () => {
    const header = Credential.serialize({ challenge: { ...challenge, method: 'stripe' }, payload: {} })
    expect(await readCredential(header)).toEqual({ kind: 'unreadable', code: 'method-unsupported' })
  })
})
