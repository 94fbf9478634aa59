/** The operator's side of payments, as configuration states it. Nodes and secrets are never printed or logged. */
export interface PaymentConfig {
  readonly x402: X402Config
  readonly mpp: MppConfig
  /** Node addresses by CAIP-2 network, for proofs, smart wallets and reconciliation. */
  readonly rpcUrls: ReadonlyMap<string, string>
}

export interface X402Config {
  /** One wallet per kind of network at most. */
  readonly payTo: readonly string[]
  readonly networks: readonly PaidNetwork[]
  readonly facilitatorUrl: string | undefined
  readonly facilitatorHeaders: Readonly<Record<string, string>>
}

export interface PaidNetwork {
  /** CAIP-2 form. */
  readonly network: string
  /** Null: the network's well-known dollar. Name and version are those of its EIP-712 domain. */
  readonly dollar: {
    readonly asset: string
    readonly decimals: number
    readonly name: string
    readonly version: string
  } | null
}

export interface MppConfig {
  readonly recipient: string | undefined
  readonly currency: string | undefined
  readonly rpcUrl: string | undefined
  readonly secretKey: string | undefined
}
