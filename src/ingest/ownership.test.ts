import { generateKeyPairSync, sign } from 'node:crypto'
import fc from 'fast-check'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { text58 } from '../wire/base58.ts'
import { signerOf } from './ownership.ts'

const ORIGIN = 'https://api.seller.example'
const account = privateKeyToAccount(`0x${'7'.repeat(64)}`)

describe('a proof of ownership', () => {
  it('names the payee whose wallet signed the origin', async () => {
    const proof = await account.signMessage({ message: ORIGIN })
    expect(signerOf({ proof, origin: ORIGIN }, ['0xother', account.address])).toBe(account.address)
  })

  it('proves nothing when the signer is no payee of the host', async () => {
    const proof = await account.signMessage({ message: ORIGIN })
    expect(signerOf({ proof, origin: ORIGIN }, ['0x1111111111111111111111111111111111111111'])).toBeNull()
  })

  it('proves nothing for another origin', async () => {
    const proof = await account.signMessage({ message: ORIGIN })
    expect(signerOf({ proof, origin: 'https://other.example' }, [account.address])).toBeNull()
  })

  it('is read from a Solana wallet too', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const payee = text58(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32))
    const proof = text58(sign(null, Buffer.from(ORIGIN), privateKey))
    expect(signerOf({ proof, origin: ORIGIN }, [payee])).toBe(payee)
    expect(signerOf({ proof, origin: 'https://other.example' }, [payee])).toBeNull()
  })

  it('never throws, whatever somebody publishes as one', async () => {
    const hex = fc.stringMatching(/^0x[0-9a-f]{130}$/)
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), hex), fc.array(fc.string()), async (proof, payees) => {
        expect(signerOf({ proof, origin: ORIGIN }, [...payees, account.address])).toBeNull()
      }),
    )
  })
})
