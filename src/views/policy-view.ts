import type { MicroDollars } from '../domain/money/price.ts'
import type { Settlement } from '../domain/money/settlement.ts'
import { RAILS, type Rail } from '../domain/route.ts'

/** How this directory is run, as far as everybody may know. */
export interface PolicyTerms {
  /** Of one post to a thread, on any rail. */
  readonly postPrice: MicroDollars
  readonly rails: readonly RailPolicy[]
  /** Whose reviews are shown and never counted. */
  readonly founderWallets: readonly string[]
  /** `null`: nothing is limited. */
  readonly limits: readonly RateLimit[] | null
}

export interface RailPolicy {
  readonly rail: Rail
  /** Empty while the rail is not set up. */
  readonly terms: readonly PaymentTerms[]
  /** Variables that the operator has to set before anybody can pay through it. */
  readonly missing: readonly string[]
}

/** The rails that a post is paid through; where none is set up all of them, whose answers say what is missing. */
export function payableRails(rails: readonly RailPolicy[]): readonly Rail[] {
  const set = rails.filter(({ missing }) => missing.length === 0).map(({ rail }) => rail)
  return set.length > 0 ? set : RAILS
}

/** One way in which a post can be paid. */
export interface PaymentTerms {
  /** CAIP-2 form. */
  readonly network: string
  readonly asset: string
  readonly payee: string
  /** In the asset's base units. */
  readonly amount: string
  readonly settlement: Settlement
}

export interface RateLimit {
  /** `unsigned`, `unsigned-host`, `signed`, `seller-host` or `reads`, as in the RateLimit headers. */
  readonly name: string
  readonly count: number
  readonly windowSeconds: number
}

/** Terms, and what follows from the evidence. */
export interface PolicyView extends PolicyTerms {
  readonly excludedReviews: number
  /** Where the operator is reached: a mailto: or https: address; `null` where none is named. */
  readonly contact: string | null
  /** The verifier key of the evidence log; `null` where it is not signed. */
  readonly logVkey: string | null
}
