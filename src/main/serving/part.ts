import type { Member } from '../crew/member.ts'

/** What this process is where several share a port. */
export interface Part {
  /** It starts the web workers and does what is to be done once. */
  readonly leads?: boolean
  readonly member?: Member | undefined
}
