/** Where a server's log of writes stands, in bytes from its beginning. */
export type Lsn = number

interface Sample {
  readonly lsn: Lsn
  readonly atMs: number
}

/** So many moments are remembered; a replica that is further behind is at least as late as the oldest. */
const MOST_SAMPLES = 2000

/** When the writer stood where: by it alone, and no clock of another machine, a replica's lag is told. */
export class WriterTrail {
  #samples: Sample[] = []

  /** Where the writer stood last; `null` before anybody looked. */
  get newest(): Lsn | null {
    return this.#samples.at(-1)?.lsn ?? null
  }

  /** One that stands further back than before is another server: what was known of the old one says nothing. */
  see(lsn: Lsn, atMs: number): void {
    const newest = this.newest
    if (newest === lsn) return
    if (newest !== null && lsn < newest) this.#samples = []
    this.#samples.push({ lsn, atMs })
    if (this.#samples.length > MOST_SAMPLES) this.#samples.shift()
  }

  /** Whether it stands before all that is remembered, so that nobody here knows how late it is. */
  isBefore(lsn: Lsn): boolean {
    const oldest = this.#samples[0]
    return oldest !== undefined && lsn < oldest.lsn
  }

  /** For how long the writer has had something that a replica which stands there has not; 0: it has everything. */
  lagMs(lsn: Lsn, nowMs: number): number {
    const first = this.#samples.find((sample) => sample.lsn > lsn)
    return first === undefined ? 0 : nowMs - first.atMs
  }

  lagBytes(lsn: Lsn): number {
    return Math.max(0, (this.newest ?? lsn) - lsn)
  }
}
