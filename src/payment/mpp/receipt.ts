import { Receipt } from 'mppx'
import { formatTimestamp } from '../../domain/time/timestamp.ts'
import type { Settled } from '../rail.ts'

export function receiptOf({ transaction, settledUs }: Settled): Readonly<Record<string, string>> {
  const timestamp = formatTimestamp(settledUs)
  const receipt = Receipt.from({ method: 'tempo', status: 'success', timestamp, reference: transaction })
  return { 'Payment-Receipt': Receipt.serialize(receipt), 'Cache-Control': 'private' }
}
