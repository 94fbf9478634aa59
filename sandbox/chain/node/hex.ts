import { type Address, createAddressFromString } from '@ethereumjs/util'
import type { Hex } from 'viem'
import { z } from 'zod'

/** Hex text as JSON-RPC carries bytes, hashes, addresses and quantities. */
export const hexText = z.custom<Hex>(
  (value) => typeof value === 'string' && /^0x[0-9a-fA-F]*$/.test(value),
  'hex text is expected',
)

/** A quantity of JSON-RPC; tools also send plain numbers. */
export const quantity = z
  .union([hexText, z.int().nonnegative()])
  .transform((value) => (value === '0x' ? 0n : BigInt(value)))

export const addressText = z.custom<Hex>(
  (value) => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value),
  'an address is expected',
)

/** A quantity as JSON-RPC writes it. */
export const toQuantity = (value: number | bigint): Hex => `0x${value.toString(16)}`

/** A number as code keeps it: 32 bytes. */
export const toWord = (value: number | bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`

export const join = (...parts: readonly Hex[]): Hex => `0x${parts.map((part) => part.slice(2)).join('')}`

export const addressOf = (text: string): Address => createAddressFromString(text.toLowerCase())
