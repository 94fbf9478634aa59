import type { TimestampUs } from '../domain/time/timestamp.ts'

/** The evidence log as its page shows it. */
export interface LogView {
  readonly origin: string
  readonly vkey: string
  readonly size: number
  /** In Base 64. */
  readonly root: string
  /** When it last grew; `null`: never. */
  readonly grownUs: TimestampUs | null
  readonly cosignatures: readonly WitnessView[]
  /** Why nothing is signed any more; `null` while all is well. */
  readonly fault: string | null
  /** Hosts whose evidence from before there was a log is still to be logged. */
  readonly historyLeft: number
  readonly nowUs: TimestampUs
}

/** A witness's newest cosignature. */
export interface WitnessView {
  readonly witness: string
  readonly size: number
  readonly atUs: TimestampUs
}
