import { Batches } from '../async/batches.ts'
import { whenAsked } from '../async/when-asked.ts'
import { problem } from '../domain/problem-kinds.ts'
import type { SignatureFinding } from '../wire/signature.ts'
import { checkTogether, type Signed } from './check-together.ts'
import { notSigned } from './not-signed.ts'
import type { WalletNodes } from './smart-wallets.ts'

/** Who signed what. */
export interface Signatures {
  /** Resolves when the wallet (in the form of `parseWallet`) signed the message; rejects with a `Problem` when not. */
  check(wallet: string, message: string, signature: string): Promise<void>
}

/** Signatures of one batch. */
const MOST = 64

/**
 * Ordinary wallets are checked here; a smart wallet is asked itself, on the chains that the operator has nodes of. What that
 * needs is loaded by the first who does.
 */
export function createSignatures(nodes: WalletNodes): Signatures {
  const smartWallets = whenAsked(async () => (await import('./smart-wallets.ts')).createSmartWallets(nodes))
  const checks = new Batches<Signed, SignatureFinding>(MOST, checkTogether)
  return {
    check: async (wallet, message, signature) => {
      const finding = await checks.add({ wallet, message, signature })
      if (finding === 'valid') return
      if (finding === 'not-canonical') throw notCanonical()
      if (finding !== 'needs-chain') throw notSigned(wallet)
      const ask = await smartWallets()
      await ask(wallet, message, signature)
    },
  }
}

const notCanonical = () =>
  problem('invalid-signature', 'The signature is not in its canonical form.', {
    hint: 'Send it as 65 bytes in lower-case hex after 0x, with a low s and v 27 or 28.',
  })
