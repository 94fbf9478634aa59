import { pbkdf2Sync } from 'node:crypto'
import { type Hex, toHex } from 'viem'
import { HDKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/** The words of every development chain: its accounts hold play money and belong to nobody. */
const WORDS = 'test test test test test test test test test test test junk'

/**
 * As BIP-39 and BIP-44 have it. In JavaScript the seed alone takes 45 ms for every account that is asked for, and the way
 * down to an account most of the rest: both are gone once, the seed by the system.
 */
const branch = HDKey.fromMasterSeed(pbkdf2Sync(WORDS, 'mnemonic', 2048, 64, 'sha512')).derive("m/44'/60'/0'/0")

const made = new Map<number, PrivateKeyAccount>()

export function developmentKey(index: number): Hex {
  const { privateKey } = branch.deriveChild(index)
  if (privateKey === null) throw new Error(`account ${index} has no key`)
  return toHex(privateKey)
}

export function developmentAccount(index: number): PrivateKeyAccount {
  const account = made.get(index) ?? privateKeyToAccount(developmentKey(index))
  made.set(index, account)
  return account
}
