import { text58 } from '../../../wire/base58.ts'

/** A Solana transaction as a payer sends it, read as far as a payment needs it. Keys are base58. */
export interface SolanaTransaction {
  /** The bytes that are signed. */
  readonly message: Uint8Array
  /** By index of the signer; all zero where the signer has not signed yet. */
  readonly signatures: readonly Uint8Array[]
  /** Keys named by the message itself; others come from lookup tables that only the chain knows. */
  readonly keys: readonly string[]
  readonly keyBytes: readonly Uint8Array[]
  readonly instructions: readonly SolanaInstruction[]
}

export interface SolanaInstruction {
  readonly program: string
  /** Undefined: from a lookup table. */
  readonly accounts: readonly (string | undefined)[]
  readonly data: Uint8Array
}

/** No transaction on Solana is longer. */
const LONGEST_BYTES = 1_232

class Reader {
  private at = 0
  constructor(private readonly bytes: Uint8Array) {}

  get rest(): number {
    return this.bytes.length - this.at
  }

  take(length: number): Uint8Array {
    if (length > this.rest) throw new RangeError('the transaction ends early')
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }

  byte(): number {
    return this.take(1)[0] ?? 0
  }

  peek(): number {
    return this.bytes[this.at] ?? 0
  }

  /** Solana's compact-u16: seven bits a byte, least significant first, in the shortest form only. */
  length(): number {
    let value = 0
    for (let shift = 0; shift <= 14; shift += 7) {
      const byte = this.byte()
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) {
        if (byte === 0 && shift > 0) break
        if (value <= 0xffff) return value
        break
      }
    }
    throw new RangeError('a length is not in its shortest form')
  }

  list<T>(read: () => T): T[] {
    const length = this.length()
    // Everything listed has at least one byte: no list is longer than what is left.
    if (length > this.rest) throw new RangeError('the transaction ends early')
    return Array.from({ length }, read)
  }
}

/** Legacy and version 0 messages; `undefined` for bytes that are not exactly one transaction. */
export function parseSolanaTransaction(bytes: Uint8Array): SolanaTransaction | undefined {
  if (bytes.length > LONGEST_BYTES) return undefined
  try {
    return read(bytes)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function read(bytes: Uint8Array): SolanaTransaction | undefined {
  const outer = new Reader(bytes)
  const signatures = outer.list(() => outer.take(64))
  const message = bytes.subarray(bytes.length - outer.rest)
  const inner = new Reader(message)
  const isVersioned = inner.peek() >= 0x80
  if (isVersioned && inner.byte() !== 0x80) return undefined
  const required = inner.byte()
  inner.take(2)
  const keyBytes = inner.list(() => inner.take(32))
  const keys = keyBytes.map(text58)
  inner.take(32)
  const instructions = inner.list((): SolanaInstruction => {
    const program = keys[inner.byte()]
    const accounts = inner.list(() => inner.byte()).map((index) => keys[index])
    const data = inner.take(inner.length())
    // A program always stands in the message itself.
    if (program === undefined) throw new RangeError('a program is not named')
    return { program, accounts, data }
  })
  if (isVersioned) {
    inner.list(() => {
      inner.take(32)
      inner.list(() => inner.byte())
      inner.list(() => inner.byte())
    })
  }
  if (inner.rest > 0 || required === 0 || required > keys.length || signatures.length !== required) return undefined
  return { message, signatures, keys, keyBytes, instructions }
}
