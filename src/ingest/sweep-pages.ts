import { sha256Hex } from '../domain/keys.ts'
import type { Asked } from './ask.ts'
import type { Found } from './found.ts'
import type { Paging } from './read/context.ts'
import { type PagedSource, READER } from './source.ts'
import type { Ending, SweepRun } from './sweep-run.ts'
import type { DocumentWrite, KnownDocument } from './sweep-store.ts'
import { withFound, withUnchanged } from './tally.ts'

/** One broken page is left out and the next one asked; after this many in a row the source itself is broken. */
const MOST_SKIPPED_IN_A_ROW = 2
/** A list that ends before this part of its announced total has not ended. */
const NEARLY_ALL = 0.9
/** A source whose total goes up and down for ever is not followed for ever. */
const MOST_STEPS_BACK = 100

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

type Answered = Extract<Asked, { kind: 'document' }>
type Failed = Extract<Asked, { kind: 'failed' }>

/** Pages through one list. */
class Pager {
  private readonly bytesBefore: number
  private offset: number
  private signature = ''
  private skipped = 0
  /** Why pages before this one were left out; a gap only when the sweep gets past them. */
  private skippedFor: string | null = null
  private stepsBack = 0

  constructor(
    private readonly source: PagedSource,
    private readonly run: SweepRun,
    /** Of a source that is one document. */
    private readonly known: KnownDocument | null,
  ) {
    this.bytesBefore = run.counts.bytes
    this.offset = Number(run.cursor || 0)
  }

  async walk(): Promise<Ending> {
    for (;;) {
      const ending = await this.step()
      if (ending !== undefined) return ending
    }
  }

  private async step(): Promise<Ending | undefined> {
    const { run, source } = this
    const stop = run.stopped(this.bytesBefore)
    if (stop !== undefined) return { kind: 'stop', error: stop, resume: true }
    const url = source.pageUrl(this.offset)
    const { pageBytes, pageMs, patience } = run.limits
    const asked = await run.ask(url, this.known, { bytes: pageBytes, ms: pageMs, patience })
    if (asked.kind === 'not_modified') return this.keepRows(url)
    if (asked.kind === 'failed') return this.leaveOut(url, asked)
    const paging = source.paging(asked.document)
    if (paging === undefined) {
      return this.leaveOut(url, { kind: 'failed', error: 'not_a_page', status: 200, body: asked.body })
    }
    const next = await this.take(url, asked, paging)
    if (next === null) return { kind: 'end', of: 'source' }
    this.offset = next
    await run.deps.sleep(run.limits.pauseMs)
    return undefined
  }

  private async take(url: string, asked: Answered, paging: Paging): Promise<number | null> {
    const { run, source } = this
    if (this.skippedFor !== null) run.leaveGap(this.skippedFor)
    this.skippedFor = null
    this.skipped = 0
    const found = source.parse(asked.document, { allow: run.deps.allow })
    const next = this.nextOffset(found, paging)
    const atUs = run.deps.now()
    const counts = { ...withFound(run.counts, found), announced: paging.total ?? run.counts.announced }
    const documents: DocumentWrite[] = source.pageSize === null ? [{ url, known: knownOf(asked, found, atUs) }] : []
    const { listings, proofs } = found
    await run.save({ atUs, listings, proofs, documents, unchanged: [] }, String(next ?? this.offset), counts)
    return next
  }

  /** Where the next page begins, or `null` at the end. */
  private nextOffset(found: Found, { items, total }: Paging): number | null {
    const { run, source, offset } = this
    if (source.pageSize === null) return null
    if (items > 0 && this.repeats(found)) {
      if ((total ?? 0) > items) run.leaveGap('page_repeats')
      return null
    }
    // What was removed before this page has moved as many later items to places already passed: go back for them.
    const shrunk = Math.max(0, (run.counts.announced ?? 0) - (total ?? run.counts.announced ?? 0))
    const back = shrunk < source.pageSize && this.stepsBack < MOST_STEPS_BACK ? shrunk : 0
    if (back < shrunk) run.leaveGap('total_shrank')
    if (back > 0) {
      this.stepsBack += 1
      return Math.max(0, offset - back)
    }
    const next = offset + items
    if (items === 0) {
      if (total !== null && offset < total * NEARLY_ALL) run.leaveGap('ended_early')
      return null
    }
    return total !== null && next >= total ? null : next
  }

  /** A server that ignores the offset sends its first page for ever. */
  private repeats(found: Found): boolean {
    const before = this.signature
    this.signature = sha256Hex(JSON.stringify([found.listings, found.refused]))
    return this.signature === before
  }

  private leaveOut(url: string, failure: Failed): Ending | undefined {
    const { run, source } = this
    run.keepFailure(url, failure)
    this.skipped += 1
    const next = this.offset + (source.pageSize ?? 0)
    const isMore = source.pageSize !== null && run.counts.announced !== null && next < run.counts.announced
    if (!isMore || !isOfThePage(failure.error) || this.skipped > MOST_SKIPPED_IN_A_ROW) {
      return { kind: 'stop', error: failure.error, resume: true }
    }
    this.skippedFor ??= failure.error
    this.offset = next
    return undefined
  }

  private async keepRows(url: string): Promise<Ending> {
    const { known, run } = this
    if (known === null) return { kind: 'stop', error: 'http_304', resume: false }
    const atUs = run.deps.now()
    const unchanged = [{ url, host: null, rowsUs: known.rowsUs }]
    await run.save({ atUs, listings: [], proofs: [], documents: [], unchanged }, '', withUnchanged(run.counts, known))
    return { kind: 'end', of: 'source' }
  }
}

function knownOf(asked: Answered, found: Found, atUs: number): KnownDocument | null {
  if (asked.version === null) return null
  return { ...asked.version, rowsUs: atUs, seen: found.seen, stored: found.listings.length, reader: READER }
}

/** Pages through one list from where the run stands. */
export async function sweepPages(source: PagedSource, run: SweepRun): Promise<Ending> {
  const known = source.pageSize === null ? await run.deps.store.loadDocument(source.name, source.pageUrl(0)) : null
  return new Pager(source, run, known?.reader === READER ? known : null).walk()
}
