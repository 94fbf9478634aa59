import { walletKind } from '../domain/wallet.ts'
import { bytes58 } from './base58.ts'
import { keccak } from './keccak.ts'

/** Of 40 lower-case digits: a letter is a capital where the same place of their hash has eight or more. */
function eip55(digits: string): string {
  const hash = Buffer.from(keccak(Buffer.from(digits))).toString('hex')
  return `0x${digits.replaceAll(/[a-f]/g, (letter, at: number) => ((hash[at] ?? '') < '8' ? letter : letter.toUpperCase()))}`
}

/**
 * A wallet in its one printed form: EIP-55 for EVM, base58 of 32 bytes for Solana. `undefined` for anything else, and
 * for an EVM address in mixed case whose checksum is wrong: somebody mistyped it.
 */
export function parseWallet(text: string): string | undefined {
  const kind = walletKind(text)
  if (kind === 'evm') {
    const isOneCase = /^0x(?:[0-9a-f]{40}|[0-9A-F]{40})$/.test(text)
    const printed = eip55(text.slice(2).toLowerCase())
    return isOneCase || text === printed ? printed : undefined
  }
  return kind === 'solana' && bytes58(text)?.length === 32 ? text : undefined
}
