import { networkKey } from '../../domain/network.ts'
import { addressOf } from '../../domain/route.ts'
import type { TimestampUs } from '../../domain/time/timestamp.ts'
import type { Found, FoundListing, OwnershipProof } from '../found.ts'
import type { KnownDocument, Progress, SweepOutcome, SweepPage, SweepStore } from '../sweep/sweep-store.ts'

interface MemoryRow {
  readonly source: string
  readonly host: string
  readonly firstUs: TimestampUs
  readonly lastUs: TimestampUs
}

const keyOf = (source: string, { method, address, rail, price, network }: FoundListing): string =>
  [
    source,
    method,
    addressOf(address.scheme, address.host, address.path),
    rail,
    price ?? '-',
    network === null ? '-' : networkKey(network),
  ].join(' ')

/** A `SweepStore` in memory, for tests: what a store must keep, and nothing more. */
export class MemoryStore implements SweepStore {
  readonly rows = new Map<string, MemoryRow>()
  readonly documents = new Map<string, KnownDocument>()
  private readonly readAt = new Map<string, string>()
  readonly outcomes: SweepOutcome[] = []
  readonly proofs: OwnershipProof[] = []
  /** As JSON, so that whatever does not survive it is missed. */
  private readonly progress = new Map<string, string>()
  /** Called before each page is kept; throwing is a crash. */
  beforeSave: () => void = () => undefined

  async loadProgress(source: string): Promise<Progress | null> {
    const kept = this.progress.get(source)
    return kept === undefined ? null : JSON.parse(kept)
  }

  async lastComplete(source: string): Promise<SweepOutcome | undefined> {
    return this.outcomes.findLast((outcome) => outcome.source === source && outcome.status === 'complete')
  }

  async isMissingSome(source: string, startedUs: TimestampUs): Promise<boolean> {
    const before = await this.lastComplete(source)
    if (before === undefined) return false
    return [...this.rows.values()].some(({ lastUs }) => lastUs >= before.startedUs && lastUs < startedUs)
  }

  async isNamingNew(_source: string, startedUs: TimestampUs): Promise<boolean> {
    return [...this.rows.values()].some(({ firstUs }) => firstUs >= startedUs)
  }

  async loadDocument(source: string, url: string, host: string | null): Promise<KnownDocument | null> {
    const known = this.documents.get(`${source} ${url}`) ?? null
    if (known === null || host === null) return known
    const rows = [...this.rows.values()].filter(
      (row) => row.source === source && row.host === host && row.lastUs >= known.rowsUs,
    )
    return rows.length === known.stored ? known : null
  }

  async lastReadAt(source: string, host: string): Promise<string | null> {
    return this.readAt.get(`${source} ${host}`) ?? null
  }

  async withRoom(_source: string, found: Found): Promise<Found> {
    return found
  }

  async savePage(page: SweepPage): Promise<void> {
    this.beforeSave()
    const { source, atUs } = page
    for (const { host, url } of page.read) this.readAt.set(`${source} ${host}`, url)
    for (const listing of page.listings) {
      const key = keyOf(source, listing)
      const firstUs = this.rows.get(key)?.firstUs ?? atUs
      this.rows.set(key, { source, host: listing.address.host, firstUs, lastUs: atUs })
    }
    for (const { url, known } of page.documents) {
      if (known === null) this.documents.delete(`${source} ${url}`)
      else this.documents.set(`${source} ${url}`, { ...known, rowsUs: atUs })
    }
    for (const { url, host, rowsUs } of page.unchanged) {
      for (const [key, row] of this.rows) {
        const isOfDocument = row.source === source && (host === null || row.host === host) && row.lastUs >= rowsUs
        if (isOfDocument) this.rows.set(key, { ...row, lastUs: atUs })
      }
      const known = this.documents.get(`${source} ${url}`)
      if (known !== undefined) this.documents.set(`${source} ${url}`, { ...known, rowsUs: atUs })
    }
    this.proofs.push(...page.proofs)
    this.progress.set(source, JSON.stringify(page.progress))
  }

  async finishSweep(outcome: SweepOutcome, progress: Progress | null): Promise<void> {
    this.outcomes.push(outcome)
    if (progress === null) this.progress.delete(outcome.source)
    else this.progress.set(outcome.source, JSON.stringify(progress))
  }
}
