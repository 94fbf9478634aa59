import { createHash } from 'node:crypto'
import { isEd25519Valid } from '../../../wire/ed25519.ts'
import type { Offer } from '../offer.ts'
import { tokenAccountOf } from './account.ts'
import { parseSolanaTransaction, type SolanaTransaction } from './transaction.ts'

/** The one transfer of a payer's transaction. */
export interface SolanaTransfer {
  /** SHA-256 of the message, lower-case hex: the same whoever has signed it already. */
  readonly digest: string
  readonly payer: string
  readonly mint: string
  /** A token account, not a wallet. */
  readonly destination: string
  readonly tokenProgram: string
  readonly amount: string
  readonly feePayer: string
  /** Its place among the instructions. */
  readonly index: number
  /** Whether the payer's own signature is there and right. */
  readonly isSigned: boolean
  /** Whether there is nothing beside it but what moves no money and cannot outlive its blockhash. */
  readonly isPlain: boolean
}

const TOKEN_PROGRAMS: ReadonlySet<string> = new Set([
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
])
/** Compute budget, memo and Lighthouse: what payers and their wallets add. */
const HARMLESS: ReadonlySet<string> = new Set([
  'ComputeBudget111111111111111111111111111111',
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
  'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95',
])
const TRANSFER_CHECKED = 12

const digestOf = ({ message }: SolanaTransaction): string => createHash('sha256').update(message).digest('hex')

/** `undefined` for bytes that are no transaction with exactly one `TransferChecked` of a single authority. */
export function readSolanaTransfer(bytes: Uint8Array): SolanaTransfer | undefined {
  const transaction = parseSolanaTransaction(bytes)
  if (transaction === undefined) return undefined
  const { instructions, keys, keyBytes, signatures, message } = transaction
  const index = instructions.findIndex(({ program }) => TOKEN_PROGRAMS.has(program))
  const found = instructions[index]
  if (found === undefined || found.data[0] !== TRANSFER_CHECKED || found.data.length !== 10) return undefined
  const [, mint, destination, payer, ...more] = found.accounts
  const feePayer = keys[0]
  if (!mint || !destination || !payer || feePayer === undefined || more.length > 0) return undefined
  const signer = keys.indexOf(payer)
  return {
    digest: digestOf(transaction),
    payer,
    mint,
    destination,
    tokenProgram: found.program,
    amount: String(Buffer.from(found.data).readBigUInt64LE(1)),
    feePayer,
    index,
    isSigned: isEd25519Valid(keyBytes[signer] ?? Buffer.alloc(0), message, signatures[signer] ?? Buffer.alloc(0)),
    isPlain: instructions.every(({ program }, at) => at === index || HARMLESS.has(program)),
  }
}

/** Who is paid: the offer's payee when the money goes to its account; any other account is nobody's wallet. */
export function payeeOf(transfer: SolanaTransfer, offer: Offer): string {
  const account = tokenAccountOf(offer.payee, offer.asset, transfer.tokenProgram)
  return account === transfer.destination ? offer.payee : `account ${transfer.destination}`
}
