import { createHash } from 'node:crypto'
import { bytes58, text58 } from '../../../wire/base58.ts'

const ASSOCIATED_TOKEN = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
const MARK = Buffer.from('ProgramDerivedAddress')

const P = 2n ** 255n - 19n
/** The curve's constant, -121665/121666. */
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (let rest = exponent, square = base % P; rest > 0n; rest >>= 1n, square = (square * square) % P) {
    if (rest & 1n) result = (result * square) % P
  }
  return result
}

/** Whether 32 bytes are a point of ed25519: a key that somebody may sign with. */
export function isOnCurve(bytes: Uint8Array): boolean {
  const y = BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`) & (2n ** 255n - 1n)
  const ySquared = (y * y) % P
  const u = (ySquared - 1n + P) % P
  const v = (D * ySquared + 1n) % P
  // x² = u/v has a solution exactly when u·v is a square.
  return power(u * v, (P - 1n) / 2n) <= 1n
}

/** Where a wallet holds a mint's tokens: the address that its payers transfer to. `undefined` for what is no wallet. */
export function tokenAccountOf(wallet: string, mint: string, tokenProgram: string): string | undefined {
  const parts = [wallet, tokenProgram, mint, ASSOCIATED_TOKEN].map(bytes58)
  if (parts.some((part) => part?.length !== 32)) return undefined
  const [owner, program, token, deriver] = parts.map((part) => Buffer.from(part ?? []))
  if (!owner || !program || !token || !deriver) return undefined
  for (let bump = 255; bump >= 0; bump--) {
    const seeds = Buffer.concat([owner, program, token, Buffer.from([bump]), deriver, MARK])
    const hash = createHash('sha256').update(seeds).digest()
    if (!isOnCurve(hash)) return text58(hash)
  }
  return undefined
}
