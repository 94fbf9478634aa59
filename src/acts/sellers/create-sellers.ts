import { Problem } from '../../domain/problem.ts'
import { type ClaimDeps, submitClaim } from './claim.ts'
import type { PlaceDeps } from './place.ts'
import type { Sellers } from './sellers.ts'
import { submitStatement } from './state.ts'

export const SELLER_WRITES = ['claim', 'statement'] as const
export const WRITE_OUTCOMES = ['new', 'known', 'refused', 'failed'] as const

/** Told what became of everything that sellers sent. */
export type OnSellerWrite = (what: (typeof SELLER_WRITES)[number], outcome: (typeof WRITE_OUTCOMES)[number]) => void

export interface SellersOptions extends ClaimDeps, PlaceDeps {
  readonly onWrite?: OnSellerWrite
}

export function createSellers({ onWrite = () => undefined, ...deps }: SellersOptions): Sellers {
  const told = async <T extends { readonly isNew: boolean }>(
    what: Parameters<OnSellerWrite>[0],
    work: Promise<T>,
  ): Promise<T> => {
    try {
      const done = await work
      onWrite(what, done.isNew ? 'new' : 'known')
      return done
    } catch (error) {
      onWrite(what, error instanceof Problem && error.status < 500 ? 'refused' : 'failed')
      throw error
    }
  }
  return {
    claim: (body, gate) => told('claim', submitClaim(deps, body, gate)),
    state: (host, body, gate) => told('statement', submitStatement(deps, host, body, gate)),
  }
}
