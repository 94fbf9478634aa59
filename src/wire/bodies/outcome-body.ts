import type { Outcome } from '../../domain/buyers/outcome.ts'

/** An outcome as it travels. */
export interface WrittenOutcome {
  readonly http_status: number | null
  readonly latency_ms: number
  readonly bytes?: number | null | undefined
  readonly content_sha256?: string | null | undefined
}

export const outcomeIn = ({ http_status, latency_ms, bytes, content_sha256 }: WrittenOutcome): Outcome => ({
  httpStatus: http_status,
  latencyMs: latency_ms,
  bytes: bytes ?? null,
  contentSha256: content_sha256 ?? null,
})

export const outcomeOut = ({ httpStatus, latencyMs, bytes, contentSha256 }: Outcome) => ({
  http_status: httpStatus,
  latency_ms: latencyMs,
  bytes,
  content_sha256: contentSha256,
})
