import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { bytes58, text58 } from '../../src/wire/base58.ts'

/** A Solana wallet that can sign. */
export interface SolanaWallet {
  readonly address: string
  readonly key: KeyObject
}

export function solanaWallet(): SolanaWallet {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return { address: text58(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)), key: privateKey }
}

export interface SolanaParts {
  readonly feePayer: string
  readonly payer: SolanaWallet
  readonly mint: string
  readonly destination: string
  readonly amount: bigint
  readonly isVersioned?: boolean
  readonly tokenProgram?: string
  /** Further instructions, by their programs. */
  readonly others?: readonly string[]
  readonly memo?: string
}

const bytes = (key: string): Uint8Array => bytes58(key) ?? Buffer.alloc(0)
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'

/** A transfer as x402's Solana clients write it: signed by the payer, not yet by the fee payer. */
export function solanaTransaction(parts: SolanaParts): Buffer {
  const { feePayer, payer, mint, destination, amount, tokenProgram = TOKEN, others = [], memo = 'a note' } = parts
  const source = text58(Buffer.alloc(32, 9))
  const programs = [...new Set([COMPUTE_BUDGET, tokenProgram, MEMO, ...others])]
  const keys = [feePayer, payer.address, source, destination, mint, ...programs]
  const at = (key: string): number => keys.indexOf(key)
  const instruction = (program: string, accounts: readonly string[], data: Uint8Array): Buffer =>
    Buffer.concat([Buffer.from([at(program), accounts.length, ...accounts.map(at), data.length]), data])
  const transfer = Buffer.alloc(10)
  transfer[0] = 12
  transfer.writeBigUInt64LE(amount, 1)
  transfer[9] = 6
  const instructions = [
    instruction(COMPUTE_BUDGET, [], Buffer.from([2, 32, 78, 0, 0])),
    instruction(tokenProgram, [source, mint, destination, payer.address], transfer),
    instruction(MEMO, [], Buffer.from(memo)),
    ...others.map((program) => instruction(program, [], Buffer.from([0]))),
  ]
  const message = Buffer.concat([
    Buffer.from(parts.isVersioned ? [0x80] : []),
    Buffer.from([2, 0, programs.length + 1, keys.length]),
    ...keys.map(bytes),
    Buffer.alloc(32, 5),
    Buffer.from([instructions.length]),
    ...instructions,
    Buffer.from(parts.isVersioned ? [0] : []),
  ])
  return Buffer.concat([Buffer.from([2]), Buffer.alloc(64), sign(null, message, payer.key), message])
}

/** The same transaction with a signature in the fee payer's place, as it stands on the chain. */
export const withFeePayer = (transaction: Buffer, signature: Uint8Array): Buffer =>
  Buffer.concat([transaction.subarray(0, 1), signature, transaction.subarray(65)])
