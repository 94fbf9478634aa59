import type { AllowHosts } from '../domain/host.ts'
import { signerOf } from './ownership.ts'
import { parseWellKnown } from './sources/well-known.ts'

/** Whether a seller's own document, read from this address, holds the wallet's signature over the origin of the address. */
export function provesOwnership(document: Uint8Array, url: string, wallet: string, allow: AllowHosts): boolean {
  const { origin } = new URL(url)
  return proofsIn(document, url, allow).some((proof) => proof.origin === origin && signerOf(proof, [wallet]) !== null)
}

function proofsIn(document: Uint8Array, url: string, allow: AllowHosts) {
  try {
    return parseWellKnown(JSON.parse(new TextDecoder().decode(document)), { allow, base: url }).proofs
  } catch {
    return []
  }
}
