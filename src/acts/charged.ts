import { Problem } from '../domain/problem.ts'

/** Whether money moved for a request that is refused; `pending` when nobody can say yet. */
export type Charged = boolean | 'pending'

/** The same problem, saying whether money moved. */
export const charged = (found: Problem, moved: Charged): Problem =>
  new Problem(
    found.slug,
    found.status,
    found.title,
    found.detail,
    found.hint,
    { ...found.more, charged: moved },
    found.headers,
  )
