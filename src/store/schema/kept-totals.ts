/** Words, each with the hosts that have it. */
export type KeptWords = readonly (readonly [word: string, hosts: number])[]

export interface KeptFacets {
  readonly rails: KeptWords
  readonly networks: KeptWords
  readonly ceilings: readonly number[]
  readonly verified: number
  readonly differs: number
  readonly unverified: number
  readonly requested: number
}

/** Totals of the whole directory as JSON holds them. */
export interface KeptTotals {
  readonly hosts: number
  readonly routes: number
  readonly probes: number
  readonly excludedReviews: number
  readonly facets: KeptFacets
  readonly retired: { readonly hosts: number; readonly facets: KeptFacets }
}
