import type { AllowHosts } from '../domain/host.ts'
import type { TimestampUs } from '../domain/time/timestamp.ts'
import type { Site } from '../render/site.ts'
import type { Directory } from '../views/directory.ts'
import type { PolicyTerms } from '../views/policy-view.ts'

/** What the evidence log says of its entries. */
export interface ProvingLog {
  /** `undefined`: the log has none there yet. */
  entry(index: number): Promise<string | undefined>
  proof(index: number): Promise<string | undefined>
}

/** What the tools read. None of them writes or spends anything. */
export interface ToolDeps {
  readonly site: Site
  readonly directory: Directory
  readonly allow: AllowHosts
  policy(): PolicyTerms
  /** The evidence log; `null` where its operator has not set it up. */
  log(): Promise<ProvingLog | null>
  /** Wall clock. */
  nowUs(): TimestampUs
  /** Of this program. */
  readonly version: string
  /** Told of failures that callers are told nothing about. */
  onTrouble(error: unknown): void
}
