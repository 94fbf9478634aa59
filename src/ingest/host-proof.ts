import { signerOf } from './ownership.ts'
import { type Fields, fieldsOf } from './read/guards.ts'
import { proofsWrittenIn } from './written-proofs.ts'

/**
 * Whether a seller's own document, read from this address, holds the wallet's signature over the origin of the address. What
 * else it says is nothing to it: a seller that sells nothing any more still speaks for its host.
 */
export function provesOwnership(document: Uint8Array, url: string, wallet: string): boolean {
  const { origin } = new URL(url)
  return proofsWrittenIn(fieldsIn(document)).some(
    ({ text }) => text !== undefined && signerOf({ proof: text, origin }, [wallet]) !== null,
  )
}

function fieldsIn(document: Uint8Array): Fields {
  try {
    return fieldsOf(JSON.parse(new TextDecoder().decode(document)))
  } catch {
    return {}
  }
}
