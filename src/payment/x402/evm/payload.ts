import { type Address, getAddress, type Hex, isHex } from 'viem'
import { z } from 'zod'

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text): Address => getAddress(text.toLowerCase()))
/** A uint256 in decimal; some payers write small ones as JSON numbers. */
const uint = z
  .union([z.string().regex(/^\d{1,78}$/), z.int().min(0)])
  .transform((value) => String(BigInt(value)))
  .refine((text) => BigInt(text) < 2n ** 256n)
const hex = z.custom<Hex>((value) => isHex(value))

/** The longest signature that is passed on: those of smart wallets carry the code that deploys them. */
const LONGEST_SIGNATURE = 8_192

/** What an EVM payer sends in either version: an EIP-3009 authorisation with its signature. Times are in seconds. */
export const evmPayload = z.object({
  signature: hex.refine((text) => text.length % 2 === 0 && text.length <= LONGEST_SIGNATURE),
  authorization: z.object({
    from: address,
    to: address,
    value: uint,
    validAfter: uint,
    validBefore: uint,
    nonce: hex.refine((text) => text.length === 66),
  }),
})
