import { generateKeyPairSync, sign } from 'node:crypto'
import fc from 'fast-check'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { bytes58, signerOf } from './ownership.ts'

const ORIGIN = 'https://api.seller.example'
const account = privateKeyToAccount(`0x${'7'.repeat(64)}`)

function base58(bytes: Uint8Array): string {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`)
  let text = ''
  for (; value > 0n; value /= 58n) text = `${alphabet[Number(value % 58n)]}${text}`
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text
}

describe('a proof of ownership', () => {
  it('names the payee whose wallet signed the origin', async () => {
    const proof = await account.signMessage({ message: ORIGIN })
    expect(await signerOf({ proof, origin: ORIGIN }, ['0xother', account.address])).toBe(account.address)
  })

  it('proves nothing when the signer is no payee of the host', async () => {
    const proof = await account.signMessage({ message: ORIGIN })
    expect(await signerOf({ proof, origin: ORIGIN }, ['0x1111111111111111111111111111111111111111'])).toBeNull()
  })

  it('proves nothing for another origin', async () => {
    const proof = await account.signMessage({ message: ORIGIN })
    expect(await signerOf({ proof, origin: 'https://other.example' }, [account.address])).toBeNull()
  })

  it('is read from a Solana wallet too', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const payee = base58(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32))
    const proof = base58(sign(null, Buffer.from(ORIGIN), privateKey))
    expect(await signerOf({ proof, origin: ORIGIN }, [payee])).toBe(payee)
    expect(await signerOf({ proof, origin: 'https://other.example' }, [payee])).toBeNull()
  })

  it('never throws, whatever somebody publishes as one', async () => {
    const hex = fc.stringMatching(/^0x[0-9a-f]{130}$/)
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), hex), fc.array(fc.string()), async (proof, payees) => {
        expect(await signerOf({ proof, origin: ORIGIN }, [...payees, account.address])).toBeNull()
      }),
    )
  })

  it('is decoded from base58 without loss', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const text = base58(bytes)
        expect(text === '' ? Buffer.alloc(0) : bytes58(text)).toEqual(Buffer.from(bytes))
      }),
    )
  })
})
