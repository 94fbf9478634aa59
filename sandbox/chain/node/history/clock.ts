/**
 * The chain's own clock, in seconds: the wall clock, and how far tests have moved ahead of it. It never runs ahead by
 * itself, however many blocks come in one second: what is signed for half a minute must not have expired already.
 */
export class ChainClock {
  /** Seconds before the wall clock. */
  aheadS = 0

  constructor(private readonly wallS: () => number) {}

  /** When a block after one of `lastS` is closed. */
  next(lastS: number): number {
    return Math.max(this.wallS() + this.aheadS, lastS)
  }

  /** How far ahead the clock is when it shows `timeS` now. */
  aheadAt(timeS: number): number {
    return timeS - this.wallS()
  }
}
