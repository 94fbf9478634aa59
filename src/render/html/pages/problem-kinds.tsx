import type { ProblemKind } from '../../../domain/problem-kinds.ts'
import { problemHref, problemsHref, type Site } from '../../site.ts'
import { PRODUCT } from '../../words.ts'
import { page } from '../layout.tsx'

/** The page at `/problems/<slug>`, where the `type` of a problem document leads. */
export const problemKindPage = (site: Site, slug: string, { title, status, meaning, hint }: ProblemKind): string =>
  page({
    site,
    title: `${title} · ${PRODUCT}`,
    description: title,
    canonical: `${site.baseUrl}${problemHref(slug)}`,
    children: (
      <section>
        <p class="eyebrow">
          Problem type <code>{slug}</code>
        </p>
        <h1>{title}</h1>
        <p class="lead">{`Answered with HTTP status ${status}.`}</p>
        <p>{meaning}</p>
        <p class="hint">{hint}</p>
        <p class="next">
          <a href={problemsHref}>All kinds of problems</a>
        </p>
      </section>
    ),
  })

const LEAD =
  'Every error of this directory is an RFC 9457 problem document with a type, a title, a status, a detail, a hint and a request_id; a browser gets the same as a page. These are the types.'

/** `/problems`: every kind, by status. */
export function problemsPage(site: Site, kinds: readonly (readonly [slug: string, kind: ProblemKind])[]): string {
  const sorted = [...kinds].sort(([a, x], [b, y]) => x.status - y.status || (a < b ? -1 : 1))
  return page({
    site,
    title: `Problems · ${PRODUCT}`,
    description: LEAD,
    canonical: `${site.baseUrl}${problemsHref}`,
    children: (
      <>
        <header>
          <h1>Problems</h1>
          <p class="lead">{LEAD}</p>
        </header>
        <section>
          <h2>Types</h2>
          <div class="tablebox rows">
            <table>
              <thead>
                <tr>
                  <th scope="col" class="wide">
                    Type
                  </th>
                  <th scope="col" class="num">
                    Status
                  </th>
                  <th scope="col">When, and what to do</th>
                </tr>
              </thead>
              <tbody>
                {sorted.map(([slug, kind]) => (
                  <tr key={slug} id={slug}>
                    <th scope="row">
                      <a href={problemHref(slug)}>{kind.title}</a>
                      <span class="note mono">{slug}</span>
                    </th>
                    <td data-name="Status" class="num">
                      {kind.status}
                    </td>
                    <td class="over">
                      {kind.meaning}
                      <span class="note">{kind.hint}</span>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
      </>
    ),
  })
}
