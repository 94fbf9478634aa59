import { jsonAnswer, toResponse } from '../../answer.ts'
import type { CountedGate } from '../../limits/write-limits.ts'

/** What became of a write that costs nothing: 201 where it is new, 200 where it had been sent before. */
export const storedResponse = (gate: CountedGate, isNew: boolean, document: unknown, location: string): Response =>
  toResponse(
    jsonAnswer(isNew ? 201 : 200, document, { ...gate.headers(), 'Cache-Control': 'private', Location: location }),
  )
