import type { Protocol } from '../protocol.ts'
import { DEVELOPMENT_ACCOUNTS } from '../rules.ts'
import { setBalance } from '../state/machine.ts'
import { readEvmTransaction } from './evm-transaction.ts'

const ETHER = 10n ** 18n

export const EVM: Protocol = {
  read: readEvmTransaction,
  begin: async (machine) => {
    for (const who of DEVELOPMENT_ACCOUNTS) await setBalance(machine, who, 10_000n * ETHER)
  },
}
