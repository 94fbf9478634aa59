import { ecrecover as recoverInJavaScript } from '@ethereumjs/util'
import fc from 'fast-check'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { createRules } from './rules.ts'

const { ecrecover } = createRules(1337).customCrypto
const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.slice(2), 'hex'))
const digests = fc.uint8Array({ minLength: 32, maxLength: 32 })

type Recover = typeof recoverInJavaScript

/** The key, or that there is none. */
function outcome(recover: Recover | undefined, ...signature: Parameters<Recover>): string {
  try {
    return Buffer.from(recover?.(...signature) ?? []).toString('hex')
  } catch {
    return 'none'
  }
}

it('finds the key of every signature, as the package itself does in JavaScript', async () => {
  await fc.assert(
    fc.asyncProperty(digests, fc.constantFrom(0n, 27n, 2709n), async (digest, even) => {
      const signed = bytesOf(await account.sign({ hash: `0x${Buffer.from(digest).toString('hex')}` }))
      const [r, s, parity] = [signed.subarray(0, 32), signed.subarray(32, 64), BigInt((signed[64] ?? 0) - 27)]
      const signature = [digest, even + parity, r, s, even === 2709n ? 1337n : undefined] as const
      expect(outcome(ecrecover, ...signature)).toBe(account.publicKey.slice(4))
      expect(outcome(recoverInJavaScript, ...signature)).toBe(account.publicKey.slice(4))
    }),
    { numRuns: 20 },
  )
})

it('finds a key in what nobody signed, or none, exactly where the package does', () => {
  const numbers = fc.oneof(
    fc.uint8Array({ minLength: 32, maxLength: 32 }),
    fc.uint8Array({ maxLength: 31 }),
    fc.constantFrom(new Uint8Array(32), new Uint8Array(32).fill(255)),
  )
  const parities = fc.constantFrom(0n, 1n, 2n, 26n, 27n, 28n, 29n, 2709n)
  fc.assert(
    fc.property(digests, parities, numbers, numbers, (...signature) => {
      expect(outcome(ecrecover, ...signature)).toBe(outcome(recoverInJavaScript, ...signature))
    }),
    { numRuns: 60 },
  )
})
