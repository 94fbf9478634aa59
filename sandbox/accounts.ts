import { createHash } from 'node:crypto'
import type { Hex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/** The key of somebody in the sandbox: the same on every machine, and so of no worth anywhere. */
export const sampleKey = (name: string): Hex =>
  `0x${createHash('sha256').update(`tollbook sandbox: ${name}`).digest('hex')}`

const made = new Map<string, PrivateKeyAccount>()

/** To find an address takes a millisecond, and every answer of a seller names one: each is found once. */
export function sampleAccount(name: string): PrivateKeyAccount {
  const account = made.get(name) ?? privateKeyToAccount(sampleKey(name))
  made.set(name, account)
  return account
}

/** Who is paid by a seller's buyers. */
export const payeeOf = (seller: { readonly host: string }): PrivateKeyAccount => sampleAccount(seller.host)
