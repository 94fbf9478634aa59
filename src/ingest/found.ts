import type { MicroDollars } from '../domain/money/price.ts'
import type { Method, Rail, RouteAddress } from '../domain/route.ts'
import type { Refused } from '../domain/words/refusal.ts'

/** Who is paid, as a listing source named them: reviews need it to recognise a payment. */
export interface FoundPayee {
  /** As the source wrote it. */
  readonly network: string
  readonly payee: string
  readonly asset: string | null
}

/** One listing row as a source states it: one route, one price, one network. */
export interface FoundListing {
  readonly method: Method
  /** `false`: the source names no method and GET stands in. */
  readonly methodStated: boolean
  readonly address: RouteAddress
  readonly rail: Rail
  /** `null`: not stated, not fixed, or in an asset whose dollar value is not known. */
  readonly price: MicroDollars | null
  /** As the source wrote it. */
  readonly network: string | null
  readonly payees: readonly FoundPayee[]
  /** What the source says of the route in words, cleaned; `null`: nothing. */
  readonly description: string | null
}

// Why an item gave no route: sweeps count by it and `docs/sources.md` explains each.
export { REFUSALS, type Refusal, type Refused } from '../domain/words/refusal.ts'

/** A payee's claim to an origin, taken as data: whoever stores it verifies the signature first. */
export interface OwnershipProof {
  /** The signature as written. */
  readonly proof: string
  /** `https://api.example.com`, the text that is said to be signed. */
  readonly origin: string
}

/** What one document gave. */
export interface Found {
  /** Items looked at, refused ones included. */
  readonly seen: number
  readonly listings: readonly FoundListing[]
  readonly refused: readonly Refused[]
  readonly proofs: readonly OwnershipProof[]
}

export const NOTHING: Found = { seen: 0, listings: [], refused: [], proofs: [] }
