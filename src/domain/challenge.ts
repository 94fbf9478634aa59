import type { MicroDollars } from './money/price.ts'
import type { Rail } from './route.ts'

/** One way to pay that a live 402 answer offered, as far as it could be read. */
export interface Offer {
  readonly rail: Rail
  /** As the seller wrote it. */
  readonly network: string | null
  /** `null` where the asset's decimals or dollar value are not known. */
  readonly price: MicroDollars | null
  readonly asset: string | null
  readonly payee: string | null
}

/** What a live 402 answer said: machine-observed evidence beside the entry, never changing its class. */
export interface Challenge {
  readonly offers: readonly Offer[]
  /** What does not conform, in a closed vocabulary of short codes. */
  readonly warnings: readonly string[]
}
