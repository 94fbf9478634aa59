import { hostHref, type Site } from '../site.ts'
import { PRODUCT } from '../words.ts'
import { page } from './layout.tsx'

/** The members of a problem document that a page shows. */
export interface ProblemView {
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly hint: string
  readonly request_id: string
  /** Known hosts that the asked one may have meant. */
  readonly near_matches?: readonly string[] | undefined
}

/** What is the same for every problem of one kind. */
export interface ProblemKind {
  readonly title: string
  readonly status: number
  readonly hint: string
}

/** An error for a browser: what happened, and what to do now. */
export function problemPage(_site: Site, problem: ProblemView): string {
  const near = problem.near_matches ?? []
  return page({
    title: `${problem.title} · ${PRODUCT}`,
    description: problem.title,
    canonical: null,
    children: (
      <section>
        <p class="big">{problem.status}</p>
        <h1>{problem.title}</h1>
        <p class="lead">{problem.detail}</p>
        <p class="hint">{problem.hint}</p>
        {near.length > 0 && (
          <>
            <h2>Known hosts with a similar name</h2>
            <ul class="plain">
              {near.map((host) => (
                <li key={host}>
                  <a href={hostHref(host)}>{host}</a>
                </li>
              ))}
            </ul>
          </>
        )}
        <p class="request">{`request ${problem.request_id}`}</p>
      </section>
    ),
  })
}

/** The page at `/problems/<slug>`, where the `type` of a problem document leads. The slug may be anything a visitor typed. */
export function problemKindPage(site: Site, slug: string, kind?: ProblemKind): string {
  return page({
    title: `${kind?.title ?? 'Unknown problem'} · ${PRODUCT}`,
    description: kind?.title ?? 'Unknown problem',
    canonical: kind === undefined ? null : `${site.baseUrl}/problems/${encodeURIComponent(slug)}`,
    children: (
      <section>
        <p class="eyebrow">
          Problem type <code>{slug}</code>
        </p>
        <h1>{kind?.title ?? 'Unknown problem'}</h1>
        {kind === undefined ? (
          <p class="lead">This directory answers no request with this problem type.</p>
        ) : (
          <>
            <p class="lead">{`Answered with HTTP status ${kind.status}.`}</p>
            <p class="hint">{kind.hint}</p>
          </>
        )}
      </section>
    ),
  })
}
