import type { Log } from '@ethereumjs/evm'
import { bytesToHex } from '@ethereumjs/util'
import { z } from 'zod'
import { hexText } from '../hex.ts'

const emitted = z.object({ address: hexText, topics: z.array(hexText), data: hexText })

/** What running a transaction came to, in the form in which nodes tell it and the journal keeps it. */
export const outcome = z.object({
  /** As it was sent; further fields depend on its kind. */
  transaction: z.looseObject({ hash: hexText, type: hexText, from: hexText, to: hexText.nullable() }),
  /** Whether its code ran to the end; the fee is paid either way. */
  isSuccess: z.boolean(),
  gasUsed: hexText,
  /** Of a unit of gas, in the end. */
  gasPrice: hexText,
  /** The contract that it made. */
  created: hexText.nullable(),
  logs: z.array(emitted),
  /** Tempo: in which token the fee was paid. */
  feeToken: hexText.optional(),
})

export type Outcome = z.infer<typeof outcome>
export type TransactionJson = Outcome['transaction']

export const logsOf = (logs: readonly Log[]): Outcome['logs'] =>
  logs.map(([address, topics, data]) => ({
    address: bytesToHex(address),
    topics: topics.map((topic) => bytesToHex(topic)),
    data: bytesToHex(data),
  }))
