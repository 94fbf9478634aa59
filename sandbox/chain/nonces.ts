import type { Address } from 'viem'
import { createNonceManager, jsonRpc, type NonceManager } from 'viem/nonce'

/** A transaction was sent, or never will be, so long after its number was given out. */
const SENT_MS = 5_000

/**
 * Numbers for accounts that send many transactions at once. After a reorganisation the chain counts fewer than were given out: the
 * numbers that it takes next are those, and whatever had a later one would wait for ever.
 */
export function createNonces(): NonceManager {
  const source = jsonRpc()
  const asked = new Map<Address, { readonly count: number; readonly atMs: number }>()
  const nonces = createNonceManager({
    source: {
      get: async (parameters) => {
        const before = asked.get(parameters.address)
        if (before !== undefined && Date.now() - before.atMs > SENT_MS) nonces.reset(parameters)
        const count = await source.get(parameters)
        if (before !== undefined && count < before.count) nonces.reset(parameters)
        asked.set(parameters.address, { count, atMs: Date.now() })
        return count
      },
      set: (parameters, nonce) => source.set(parameters, nonce),
    },
  })
  return nonces
}
