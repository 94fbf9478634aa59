import { Problem } from '../domain/problem.ts'

/** What keeps months from being archived or read back. 409: another program is at it. */
export const archiveProblem = (detail: string, hint: string, status: 409 | 500 = 500): Problem =>
  new Problem('archive', status, 'Archive', detail, hint)
