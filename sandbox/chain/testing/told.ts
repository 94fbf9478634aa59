import type { Log, TransactionReceipt } from 'viem'

/** What came of a transaction, as far as every chain must say the same: gas, fees, hashes and blocks are its own. */
export interface Told {
  readonly status: 'success' | 'reverted'
  readonly to: string | null
  readonly created: string | null
  readonly logs: readonly ToldLog[]
}

export interface ToldLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

export const toldLog = ({ address, topics, data }: Pick<Log, 'address' | 'topics' | 'data'>): ToldLog => ({
  address: address.toLowerCase(),
  topics,
  data,
})

export const told = ({ status, to, contractAddress, logs }: TransactionReceipt): Told => ({
  status,
  to: to?.toLowerCase() ?? null,
  created: contractAddress?.toLowerCase() ?? null,
  logs: logs.map(toldLog),
})
