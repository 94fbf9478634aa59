import type { ProblemSlug } from '../../domain/problem-kinds.ts'

// Why requests of one kind are refused, in the order in which the document tells them.

export const LIST_PROBLEMS = ['invalid-cursor'] as const

/** Of whatever has a seller host in its path. */
export const HOST_PROBLEMS = ['invalid-host', 'unknown-host'] as const

/** Of a host's lists and views, which are read in pages. */
export const HOST_LIST_PROBLEMS = ['invalid-cursor', ...HOST_PROBLEMS] as const

/** Of whatever takes a signed body. */
export const BODY_PROBLEMS = [
  'invalid-json',
  'invalid-field',
  'invalid-text',
  'invalid-signed-at',
  'invalid-signature',
  'body-too-large',
  'unsupported-media-type',
  'signature-unchecked',
] as const satisfies readonly ProblemSlug[]
