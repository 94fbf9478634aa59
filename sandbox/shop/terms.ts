/** What a 402 asks for beside the price, where it is not the seller's own wallet, the usual dollar and the local chain. */
export interface OddTerms {
  readonly payee?: `0x${string}`
  readonly asset?: `0x${string}`
  readonly network?: string
  /** The price of a first offer, which no client can pay. */
  readonly decoy?: string
  /** The price of what the seller puts its signature to beside it (x402 version 2). */
  readonly signs?: string
}

/** What a lying seller does to buyers. Whoever probes it is asked for what is listed: it knows them by their name. */
export interface Lie {
  /** In place of the price that is listed. */
  readonly asks?: string
  readonly terms?: OddTerms
  /** Where buyers are led instead of being asked for anything. */
  readonly leadsTo?: string
  /** What comes once the money is taken; what was sold unless given. */
  readonly after?: After
}

export type After =
  | 500
  | 404
  /** Hangs up. */
  | 'nothing'
  | 'an empty 200'
  /** Asks for another payment, of this price. */
  | { readonly asks: string }
