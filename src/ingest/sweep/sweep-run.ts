import { createHash } from 'node:crypto'
import type { AllowHosts } from '../../domain/host.ts'
import type { FailedPage, SweepStatus } from '../../domain/sweep.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import { type Asked, type Asking, ask, type Version } from './ask.ts'
import type { Patience } from './patience.ts'
import type { SellerCalls } from './seller-calls.ts'
import { NO_COUNTS, withAnswer } from './sweep-counts.ts'
import type { SweepLimits } from './sweep-limits.ts'
import type { Counts, KeptList, Progress, SweepOutcome, SweepPage, SweepStore } from './sweep-store.ts'

/** What a sweep is told while it runs, for a progress line. */
export interface SweepNotice extends Counts {
  readonly source: string
  readonly startedUs: TimestampUs
}

export interface SweepDeps extends Asking {
  readonly store: SweepStore
  readonly allow: AllowHosts
  /** The way to sellers' own documents. */
  readonly calls: SellerCalls
  readonly onProgress?: (notice: SweepNotice) => void
}

/** How a sweep ended. `resume`: what is missing comes next time, from the cursor on. */
export type Ending =
  | { readonly kind: 'end'; readonly of: 'source' | 'sellers' }
  | { readonly kind: 'stop'; readonly error: string; readonly resume: boolean }

const MOST_STALLS = 3
/** A list that was not looked at for longer is read from its beginning. */
const LONGEST_PAUSE_US = 10 * 60 * 1_000_000
/** A source that sends less than this part of its last complete sweep is not believed. */
const COLLAPSE = 10

type PageContent = Omit<SweepPage, 'source' | 'progress' | 'rawPages'>

/** Two pages as one. Both were seen at or after the time of the first. */
const joined = (before: PageContent | null, page: PageContent): PageContent =>
  before === null
    ? page
    : {
        atUs: before.atUs,
        listings: [...before.listings, ...page.listings],
        proofs: [...before.proofs, ...page.proofs],
        documents: [...before.documents, ...page.documents],
        unchanged: [...before.unchanged, ...page.unchanged],
        refused: [...before.refused, ...page.refused],
        read: [...before.read, ...page.read],
      }

/** One run of a sweep: its counts, its caps, and the durable steps. Invariant: rows are saved before the cursor moves past them. */
export class SweepRun {
  private resumed = false
  private pagesBefore = 0
  private failedPage: FailedPage | null = null
  /** Read and not yet durable. */
  private pending: PageContent | null = null
  /** SHA-256 of each document that was read and is not yet durable. */
  private rawPages: string[] = []
  private saving: Promise<void> = Promise.resolve()
  private runStartedUs = 0
  private progress: Progress

  constructor(
    readonly source: string,
    readonly deps: SweepDeps,
    readonly limits: SweepLimits,
  ) {
    const nowUs = deps.now()
    this.progress = { startedUs: nowUs, savedUs: nowUs, cursor: '', counts: NO_COUNTS, stalls: 0, gap: null }
  }

  /** Takes up an interrupted sweep, unless it is too old or has got nowhere several times. */
  async begin(): Promise<void> {
    const kept = await this.deps.store.loadProgress(this.source)
    this.runStartedUs = this.deps.now()
    const youngUs = this.runStartedUs - this.limits.resumeWithinMs * 1000
    if (kept !== null && kept.savedUs >= youngUs && kept.stalls < MOST_STALLS) {
      this.progress = kept
      this.resumed = true
    }
    this.pagesBefore = this.progress.counts.pages
  }

  get cursor(): string {
    return this.progress.cursor
  }

  get counts(): Counts {
    return this.progress.counts
  }

  get hasGap(): boolean {
    return this.progress.gap !== null
  }

  /** How far the list was read when this run took it up, unless that was too long ago to tell what moved since. */
  get keptList(): KeptList | null {
    const pauseUs = this.runStartedUs - this.progress.savedUs
    return this.resumed && pauseUs <= LONGEST_PAUSE_US ? (this.progress.list ?? null) : null
  }

  get untilUs(): TimestampUs {
    return this.runStartedUs + this.limits.sweepMs * 1000
  }

  /** Why the sweep must not go on now, if so. */
  stopped(bytesBefore: number): string | undefined {
    if (this.deps.signal?.aborted) return 'interrupted'
    if (this.counts.bytes - bytesBefore >= this.limits.sweepBytes) return 'sweep_bytes'
    return this.deps.now() >= this.untilUs ? 'sweep_time' : undefined
  }

  /** Counts something; durable with the next page. */
  count(counts: Counts): void {
    this.progress = { ...this.progress, counts }
    this.deps.onProgress?.({ source: this.source, startedUs: this.progress.startedUs, ...counts })
  }

  /** Something is left out, so this sweep cannot end complete. The first reason stays. */
  leaveGap(reason: string): void {
    this.progress = { ...this.progress, gap: this.progress.gap ?? reason }
  }

  /** Asks for one document, counts the answer and keeps a page that failed. */
  async ask(
    url: string,
    version: Version | null,
    of: { bytes: number; ms: number; patience: Patience },
  ): Promise<Asked> {
    const question = {
      url,
      version,
      maxBytes: of.bytes,
      deadlineMs: of.ms,
      patience: of.patience,
      untilUs: this.untilUs,
    }
    const asked = await ask(question, this.deps)
    if (asked.kind === 'document') this.rawPages.push(createHash('sha256').update(asked.body).digest('hex'))
    const bytes = asked.kind === 'document' ? asked.body.length : 0
    this.count(withAnswer(this.counts, asked.kind === 'failed' ? asked.error : asked.kind, bytes))
    return asked
  }

  keepFailure(url: string, failure: { error: string; status: number | null; body: Uint8Array | null }): void {
    const start = (failure.body ?? new Uint8Array()).subarray(0, this.limits.failedPageBytes)
    const { error, status } = failure
    this.failedPage = { url, atUs: this.deps.now(), error, status, body: new TextDecoder().decode(start) }
  }

  /** Takes a page; it becomes durable with others, soon: a commit for every hundred rows would be most of the work. */
  async save(page: PageContent, cursor: string, counts: Counts, list: KeptList | null = null): Promise<void> {
    this.pending = joined(this.pending, page)
    this.progress = { ...this.progress, cursor, savedUs: page.atUs, stalls: 0, list }
    this.count(counts)
    const { listings, atUs } = this.pending
    const isMuch = listings.length >= this.limits.saveRows
    if (isMuch || this.deps.now() - atUs >= this.limits.saveMs * 1000) await this.flush()
  }

  /**
   * One durable step: the rows, and where to go on after them, in one transaction of the store. It goes on while the
   * next pages are read; one step at a time, so a later one is never durable without those before it.
   */
  private async flush(): Promise<void> {
    await this.saving
    if (this.pending === null) return
    const page = { ...this.pending, source: this.source, progress: this.progress, rawPages: this.rawPages }
    this.pending = null
    this.rawPages = []
    this.saving = this.deps.store.savePage(page)
    // Whoever waits for it next hears of a failure.
    this.saving.catch(() => undefined)
  }

  /** Whether routes of the last complete sweep were not seen in this one; `orNew`: or others were. */
  async isOther(orNew: boolean): Promise<boolean> {
    await this.flush()
    await this.saving
    const { store } = this.deps
    const { startedUs } = this.progress
    return (orNew && (await store.isNamingNew(this.source, startedUs))) || store.isMissingSome(this.source, startedUs)
  }

  async finish(ending: Ending): Promise<SweepOutcome> {
    await this.flush()
    await this.saving
    const { status, error } = await this.verdict(ending)
    const outcome: SweepOutcome = {
      ...this.counts,
      source: this.source,
      status,
      error,
      startedUs: this.progress.startedUs,
      endedUs: this.deps.now(),
      resumed: this.resumed,
      isWhole: ending.kind === 'end' && ending.of === 'source',
      failedPage: this.failedPage,
    }
    await this.deps.store.finishSweep(outcome, this.nextProgress(ending))
    return outcome
  }

  private nextProgress(ending: Ending): Progress | null {
    if (ending.kind === 'end' || !ending.resume || this.counts.pages === 0) return null
    const stuck = this.counts.pages === this.pagesBefore
    return { ...this.progress, savedUs: this.deps.now(), stalls: stuck ? this.progress.stalls + 1 : 0 }
  }

  private async verdict(ending: Ending): Promise<{ status: SweepStatus; error: string | null }> {
    const error = ending.kind === 'stop' ? ending.error : this.progress.gap
    if (error !== null) return { status: this.counts.seen === 0 ? 'failed' : 'partial', error }
    const before = await this.deps.store.lastComplete(this.source)
    const lost = before === undefined ? undefined : lostSince(before, this.counts)
    return lost === undefined ? { status: 'complete', error: null } : { status: 'collapsed', error: lost }
  }
}

type Sent = Pick<Counts, 'seen' | 'stored'>

/** What is too little to be believed, if so: items that cannot be read any more are as good as none. */
function lostSince(before: Sent, { seen, stored }: Sent): string | undefined {
  if (seen * COLLAPSE < before.seen) return `${seen} items after ${before.seen}`
  return stored * COLLAPSE < before.stored ? `${stored} rows after ${before.stored}` : undefined
}
