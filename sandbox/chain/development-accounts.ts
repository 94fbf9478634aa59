import { pbkdf2Sync } from 'node:crypto'
import { type HDAccount, HDKey, hdKeyToAccount } from 'viem/accounts'

/** The words of every development chain: its accounts hold play money and belong to nobody. */
const WORDS = 'test test test test test test test test test test test junk'

/** As BIP-39 has it. In JavaScript this takes 45 ms for every account that is asked for; it is done once, by the system. */
const master = HDKey.fromMasterSeed(pbkdf2Sync(WORDS, 'mnemonic', 2048, 64, 'sha512'))

const made = new Map<number, HDAccount>()

export function developmentAccount(addressIndex: number): HDAccount {
  const account = made.get(addressIndex) ?? hdKeyToAccount(master, { addressIndex })
  made.set(addressIndex, account)
  return account
}
