import { isAddress } from 'viem'
import type { TimestampUs } from '../../domain/timestamp.ts'
import type { PaymentRail, UnsetRail } from '../rail.ts'
import type { MppConfig } from '../settings.ts'
import { openNode } from './node.ts'
import { mppRail } from './rail.ts'

export interface MppOptions {
  readonly config: MppConfig
  /** Host of `BASE_URL`: wallets show it, and a payment names it. */
  readonly realm: string
  nowUs(): TimestampUs
  /** How long one call to the node may take. */
  readonly callMs?: number
  /** How long a broadcast is waited for before its outcome counts as unknown. */
  readonly settleMs?: number
}

/** Less would let a challenge be forged by trying keys. */
const SECRET_BYTES = 32

/** The rail as configured. Asks the node nothing yet. Throws when a variable has a value that it cannot have. */
export function openMppRail({
  config,
  realm,
  nowUs,
  callMs = 5_000,
  settleMs = 15_000,
}: MppOptions): PaymentRail | UnsetRail {
  const { recipient, currency, rpcUrl, secretKey } = config
  if (recipient === undefined || currency === undefined || rpcUrl === undefined || secretKey === undefined) {
    const values = { MPP_RECIPIENT: recipient, MPP_CURRENCY: currency, MPP_RPC_URL: rpcUrl, MPP_SECRET_KEY: secretKey }
    const missing = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [name] : []))
    return { name: 'mpp', missing }
  }
  if (!isAddress(recipient, { strict: false })) throw new Error('MPP_RECIPIENT is not an EVM address')
  if (!isAddress(currency, { strict: false })) throw new Error('MPP_CURRENCY is not the address of a token')
  if (Buffer.byteLength(secretKey) < SECRET_BYTES) throw new Error('MPP_SECRET_KEY has less than 32 bytes')
  const node = openNode(rpcUrl, callMs)
  return mppRail({ charge: { realm, secretKey, currency, recipient }, node, nowUs, settleMs })
}
