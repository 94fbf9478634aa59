import type { Protocol } from '../protocol.ts'
import { DEVELOPMENT_ACCOUNTS } from '../rules.ts'
import { plantNonceKeys } from './nonce-keys.ts'
import { askPathUsd, plantPathUsd, toGive } from './path-usd.ts'
import { readTempoTransaction } from './tempo-transaction.ts'

/** In base units: a trillion dollars. */
const PLENTY = 10n ** 18n

export const TEMPO: Protocol = {
  read: readTempoTransaction,
  begin: async (machine, block) => {
    await plantPathUsd(machine)
    await plantNonceKeys(machine)
    for (const who of DEVELOPMENT_ACCOUNTS) await askPathUsd(machine, block, toGive(who, PLENTY))
    await machine.evm.journal.cleanup()
  },
}
