import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Found } from '../found.ts'
import type { Paging } from '../read/context.ts'
import { type PagedSource, READER } from '../source.ts'
import type { Asked } from './ask.ts'
import { ListReading, type ListStep } from './list-reading.ts'
import { PARSER_BROKE, readWith } from './read-with.ts'
import { shareOf, withFound, withoutShare, withPage, withUnchanged } from './sweep-counts.ts'
import type { Ending, SweepRun } from './sweep-run.ts'
import type { Counts, DocumentWrite, KnownDocument, Share } from './sweep-store.ts'

/** One broken page is left out and the next one asked; after this many in a row the source itself is broken. */
const MOST_SKIPPED_IN_A_ROW = 2
/** Failures of one page, as opposed to those of the whole source. */
const OF_THE_PAGE = new Set([
  'invalid_json',
  'not_a_page',
  'body_overflow',
  'deadline',
  'connection_reset',
  'protocol_error',
])
const isOfThePage = (error: string): boolean => OF_THE_PAGE.has(error) || /^http_5\d\d$/.test(error)

/**
 * In items. A longer list is not read twice for what is new, for a sweep's hour would not do for three readings: what it
 * hides by moving, the next sweep finds.
 */
const LONGEST_READ_TWICE = 100_000
const MOST_READINGS = 3

type Answered = Extract<Asked, { kind: 'document' }>
type Failed = Extract<Asked, { kind: 'failed' }>

interface TakenPage {
  readonly offset: number
  readonly atUs: TimestampUs
  /** How many items the list has. */
  readonly announced: number | null
}

/** Reads one page after the other: of a list, or of a source that is one document. */
class Pager {
  private readonly bytesBefore: number
  private readonly list: ListReading | null
  /** What each page, by its offset, has in the counts: one that is read again counts once. */
  private readonly shares: Map<number, Share>
  private skipped = 0
  /** Why pages before this one were left out; a gap only when the sweep gets past them. */
  private skippedFor: string | null = null
  private readings = 1
  /** Until it is refused. */
  private pageUrl: PagedSource['pageUrl']

  constructor(
    private readonly source: PagedSource,
    private readonly run: SweepRun,
    /** Of a source that is one document. */
    private readonly known: KnownDocument | null,
  ) {
    this.bytesBefore = run.counts.bytes
    this.pageUrl = source.pageUrl
    const kept = run.keptList
    const place = kept && { ...kept.reading, offset: Number(run.cursor || 0) }
    this.list = source.pageSize === null ? null : new ListReading(source.pageSize, place)
    this.shares = new Map(kept?.pages)
    if (kept === null) run.count(withoutShare(run.counts, run.counts))
  }

  async walk(): Promise<Ending> {
    for (;;) {
      const ending = await this.step()
      if (ending !== undefined) return ending
    }
  }

  private async step(): Promise<Ending | undefined> {
    const { run, source, list } = this
    const stop = run.stopped(this.bytesBefore)
    if (stop !== undefined) return { kind: 'stop', error: stop, resume: true }
    const url = list === null ? this.pageUrl(0) : this.pageUrl(list.offset, list.limit)
    const { pageBytes, pageMs, patience } = run.limits
    const asked = await run.ask(url, this.known, { bytes: pageBytes, ms: pageMs, patience })
    if (asked.kind === 'failed' && asked.status === 400 && this.asksBarely()) {
      await run.deps.sleep(run.limits.pauseMs)
      return undefined
    }
    if (asked.kind === 'not_modified') return this.keepRows(url)
    if (asked.kind === 'failed') return this.leaveOut(url, asked)
    const paging = readWith(() => source.paging(asked.document))
    if (paging === undefined) return this.broken(url, asked)
    if (paging.read === undefined) {
      return this.leaveOut(url, { kind: 'failed', error: 'not_a_page', status: 200, body: asked.body })
    }
    const ending = await this.take(url, asked, paging.read)
    if (ending === undefined) await run.deps.sleep(run.limits.pauseMs)
    return ending
  }

  /** Whether there is another way to ask for the same page. */
  private asksBarely(): boolean {
    const { barePageUrl } = this.source
    if (barePageUrl === undefined || this.pageUrl === barePageUrl) return false
    this.pageUrl = barePageUrl
    return true
  }

  /** Keeps what a page says. */
  private async take(url: string, asked: Answered, paging: Paging): Promise<Ending | undefined> {
    const { run, source, list } = this
    if (this.skippedFor !== null) run.leaveGap(this.skippedFor)
    this.skippedFor = null
    this.skipped = 0
    const atUs = run.deps.now()
    const shrunk = (run.counts.announced ?? 0) - (paging.total ?? run.counts.announced ?? 0)
    if (list !== null && shrunk >= (source.pageSize ?? 0)) run.leaveGap('total_shrank')
    const offset = list?.offset ?? 0
    const step: ListStep = list?.take(paging) ?? { kind: 'end', gap: null }
    if (step.kind === 'end' && step.gap !== null) run.leaveGap(step.gap)
    const announced = paging.total ?? run.counts.announced
    // What was met in a reading before stays as it was saved then.
    if (this.readings > 1 && list?.isPageNew !== true) run.count({ ...withPage(run.counts), announced })
    else {
      const found = readWith(() => source.parse(asked.document, { allow: run.deps.allow }))
      if (found === undefined) return this.broken(url, asked)
      await this.keep(url, asked, await run.deps.store.withRoom(run.source, found.read), { offset, atUs, announced })
    }
    if (step.kind === 'lap') this.dropAfter(offset)
    const isMore = step.kind === 'end' ? await this.looksAgain() : step.kind === 'page' || !run.hasGap
    return isMore ? undefined : { kind: 'end', of: 'source' }
  }

  private async keep(url: string, asked: Answered, found: Found, page: TakenPage): Promise<void> {
    const { run, list } = this
    const { offset, atUs, announced } = page
    const counted = list?.isRepeat === true ? withPage(run.counts) : this.counted(offset, found)
    const counts = { ...counted, announced }
    const documents: DocumentWrite[] = list === null ? [{ url, known: knownOf(asked, found) }] : []
    const { listings, proofs, refused } = found
    const content = { atUs, listings, proofs, refused, documents, read: [], unchanged: [] }
    const reading = list?.progress ?? null
    await run.save(content, String(list?.offset ?? 0), counts, reading && { reading, pages: [...this.shares] })
  }

  private counted(offset: number, found: Found): Counts {
    const before = this.shares.get(offset)
    this.shares.set(offset, shareOf(found))
    return withFound(before === undefined ? this.run.counts : withoutShare(this.run.counts, before), found)
  }

  /** Pages that the list no longer has count no more. */
  private dropAfter(lastOffset: number): void {
    for (const [offset, share] of this.shares) {
      if (offset <= lastOffset) continue
      this.shares.delete(offset)
      this.run.count(withoutShare(this.run.counts, share))
    }
  }

  /**
   * One item that leaves while another comes moves others to a page already passed, and the total tells nothing of it. So
   * what the source named before and did not name now is looked for once more before it is called gone; and a list that is
   * not long, and names anything else than before, is read until a reading finds nothing new.
   */
  private async looksAgain(): Promise<boolean> {
    const { list, run } = this
    if (list === null || run.hasGap || run.counts.pages < 2 || list.isReadTwice) return false
    const isShort = (run.counts.announced ?? run.counts.seen) <= LONGEST_READ_TWICE
    if (this.readings === (isShort ? MOST_READINGS : 2)) {
      if (isShort) run.leaveGap('list_moved')
      return false
    }
    if (this.readings === 1 && !(await run.isOther(isShort))) return false
    this.readings += 1
    list.again()
    return true
  }

  private broken(url: string, { body }: Answered): Ending {
    this.run.keepFailure(url, { error: PARSER_BROKE, status: 200, body })
    return { kind: 'stop', error: PARSER_BROKE, resume: false }
  }

  private leaveOut(url: string, failure: Failed): Ending | undefined {
    const { run, list } = this
    run.keepFailure(url, failure)
    this.skipped += 1
    const { announced } = run.counts
    // While no total is known, a source that is not there is not asked for more; one that sends pages is.
    const isMore = list !== null && (announced === null ? failure.status === 200 : list.offset + list.limit < announced)
    if (!isMore || !isOfThePage(failure.error) || this.skipped > MOST_SKIPPED_IN_A_ROW) {
      return { kind: 'stop', error: failure.error, resume: true }
    }
    this.skippedFor ??= failure.error
    list.skip()
    return undefined
  }

  private async keepRows(url: string): Promise<Ending> {
    const { known, run } = this
    if (known === null) return { kind: 'stop', error: 'http_304', resume: false }
    const atUs = run.deps.now()
    const unchanged = [{ url, host: null, rowsUs: known.rowsUs }]
    await run.save(
      { atUs, listings: [], proofs: [], refused: [], documents: [], read: [], unchanged },
      '',
      withUnchanged(run.counts, known),
    )
    return { kind: 'end', of: 'source' }
  }
}

function knownOf(asked: Answered, found: Found): DocumentWrite['known'] {
  if (asked.version === null) return null
  return { ...asked.version, seen: found.seen, stored: found.listings.length, reader: READER }
}

/** Pages through one list from where the run stands. */
export async function sweepPages(source: PagedSource, run: SweepRun): Promise<Ending> {
  const { store } = run.deps
  const known = source.pageSize === null ? await store.loadDocument(source.name, source.pageUrl(0), null) : null
  return new Pager(source, run, known?.reader === READER ? known : null).walk()
}
