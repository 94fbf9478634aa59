import { isAddress } from 'viem'
import { THREAD_PRICE } from '../../domain/thread.ts'
import type { MppConfig } from '../settings.ts'

/** What is asked for a post on Tempo, and what binds challenges to this directory. */
export interface Offer {
  /** Host of `BASE_URL`: wallets show it, and a payment names it. */
  readonly realm: string
  readonly secretKey: string
  readonly currency: `0x${string}`
  readonly recipient: `0x${string}`
  /** A secret. */
  readonly rpcUrl: string
}

/** Tokens of Tempo have 6 decimals by their standard, so a base unit of a dollar is a millionth. */
export const AMOUNT = String(THREAD_PRICE)

/** Less would let a challenge be forged by trying keys. */
const SECRET_BYTES = 32

export type Offers =
  | { readonly ok: true; readonly offer: Offer }
  /** Variables to set. */
  | { readonly ok: false; readonly missing: readonly string[] }

/** Throws when a variable has a value that it cannot have. */
export function offerOf({ recipient, currency, rpcUrl, secretKey }: MppConfig, realm: string): Offers {
  if (recipient === undefined || currency === undefined || rpcUrl === undefined || secretKey === undefined) {
    const values = { MPP_RECIPIENT: recipient, MPP_CURRENCY: currency, MPP_RPC_URL: rpcUrl, MPP_SECRET_KEY: secretKey }
    return {
      ok: false,
      missing: Object.entries(values).flatMap(([name, value]) => (value === undefined ? [name] : [])),
    }
  }
  if (!isAddress(recipient, { strict: false })) throw new Error('MPP_RECIPIENT is not an EVM address')
  if (!isAddress(currency, { strict: false })) throw new Error('MPP_CURRENCY is not the address of a token')
  if (Buffer.byteLength(secretKey) < SECRET_BYTES) throw new Error('MPP_SECRET_KEY has less than 32 bytes')
  return { ok: true, offer: { realm, secretKey, currency, recipient, rpcUrl } }
}
