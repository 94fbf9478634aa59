import { type Fields, field, fieldsOf, listOf, textOf } from './read/guards.ts'

const MOST_PROOFS = 20

/** A signature as a document writes it, or what stands in the place of one. */
export interface WrittenProof {
  readonly text: string | undefined
  readonly isSignature: boolean
}

/** What a document has in `ownershipProofs`, whatever else it says or does not. */
export const proofsWrittenIn = (root: Fields): readonly WrittenProof[] =>
  listOf(field(root, 'ownershipProofs'))
    .slice(0, MOST_PROOFS)
    .map((proof) => {
      const text = typeof proof === 'string' ? proof : textOf(fieldsOf(proof), 'signature', 'proof')
      return { text, isSignature: text !== undefined && /^[A-Za-z0-9+/=]{64,2000}$/.test(text) }
    })
