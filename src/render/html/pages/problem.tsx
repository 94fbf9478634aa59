import { SCHEMES } from '../../../domain/route.ts'
import type { NearRoute } from '../../../wire/api/problem.ts'
import { docsHref, hostHref, policyHref, problemHref, problemsHref, routeHref, type Site, whyHref } from '../../site.ts'
import { PRODUCT } from '../../words.ts'
import { page } from '../layout.tsx'

/** The members of a problem document that a page shows. */
export interface ProblemView {
  /** Its kind, where the page of the kind says more. */
  readonly slug?: string | undefined
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly hint: string
  readonly request_id: string
  /** On paid endpoints: whether money moved. */
  readonly charged?: boolean | 'pending' | undefined
  /** The seller host that it is about. */
  readonly host?: string | undefined
  /** Known hosts, or routes of the host, that may have been meant. */
  readonly near_matches?: readonly (string | NearRoute)[] | undefined
}

interface Step {
  readonly words: string
  readonly href: string
}

const HOME: Step = { words: 'Search and browse all hosts', href: '/' }
const DOCS: Step = { words: 'Read the documentation of this directory', href: docsHref }

/** Where more is said of the host that was asked for, also of one that nobody listed: it may have been refused. */
function stepsOf({ host, slug }: ProblemView): readonly Step[] {
  if (host === undefined) return []
  if (slug === 'unknown-host')
    return [{ words: `Why ${host} is not here, and whether it was refused`, href: whyHref(host) }]
  return [
    { words: `All that is known of ${host}`, href: hostHref(host) },
    { words: 'Why a route of it is listed, missing, probed or not', href: whyHref(host) },
  ]
}

/** The page of a route that may have been meant; `null` where it is not of the host. */
function nearHref({ host, near }: { readonly host: string | undefined; readonly near: NearRoute }): string | null {
  const { method, url, rail } = near
  const scheme = SCHEMES.find((one) => url.startsWith(`${one}://${host}`))
  if (host === undefined || scheme === undefined) return null
  return routeHref(host, { method, path: url.slice(`${scheme}://${host}`.length), rail, scheme })
}

/** Where to go from here. */
function steps(status: number): readonly Step[] {
  if (status === 402) {
    return [
      { words: 'Read what a post costs, who is paid and how', href: policyHref },
      { words: 'See how a program pays through x402 or mpp', href: docsHref },
      HOME,
    ]
  }
  return status >= 500 ? [HOME, { words: 'Look up what each kind of problem means', href: problemsHref }] : [HOME, DOCS]
}

/** Said only where it is true of every problem of the status. */
const REASSURANCE: Readonly<Record<number, string>> = {
  402: 'Reading this directory is free. A browser cannot pay here; a program with a wallet can.',
  500: 'The fault is ours and has been logged under the request number below.',
}

/** Whether money moved. */
const CHARGED = {
  false: 'Nothing was charged.',
  true: 'This was charged.',
  pending: 'Whether it was charged is not known yet.',
} as const

/** An error for a browser: what happened, and what to do now. */
export function problemPage(site: Site, problem: ProblemView): string {
  const near = problem.near_matches ?? []
  const hosts = near.filter((one) => typeof one === 'string')
  const routes = near.filter((one) => typeof one !== 'string')
  return page({
    site,
    title: `${problem.title} · ${PRODUCT}`,
    description: problem.title,
    canonical: null,
    children: (
      <section>
        <p class="big">{problem.status}</p>
        <h1>{problem.title}</h1>
        <p class="lead">{problem.detail}</p>
        <p class="hint">{problem.hint}</p>
        {problem.charged !== undefined && <p>{CHARGED[`${problem.charged}`]}</p>}
        {REASSURANCE[problem.status] !== undefined && <p>{REASSURANCE[problem.status]}</p>}
        {hosts.length > 0 && (
          <>
            <h2>Known hosts with a similar name</h2>
            <ul class="plain">
              {hosts.map((host) => (
                <li key={host}>
                  <a href={hostHref(host)}>{host}</a>
                </li>
              ))}
            </ul>
          </>
        )}
        {routes.length > 0 && (
          <>
            <h2>Known routes of this host</h2>
            <ul class="plain">
              {routes.map((one) => {
                const { method, url, rail } = one
                const href = nearHref({ host: problem.host, near: one })
                const name = <code>{`${method} ${url}`}</code>
                return (
                  <li key={`${method} ${url} ${rail}`}>
                    {href === null ? name : <a href={href}>{name}</a>} on {rail}
                  </li>
                )
              })}
            </ul>
          </>
        )}
        <h2>Where to go from here</h2>
        <ul class="plain">
          {[...stepsOf(problem), ...steps(problem.status)].map(({ words, href }) => (
            <li key={href}>
              <a href={href}>{words}</a>
            </li>
          ))}
          {problem.slug !== undefined && (
            <li>
              <a href={problemHref(problem.slug)}>About this kind of problem</a>
            </li>
          )}
        </ul>
        <p class="request">{`request ${problem.request_id}`}</p>
      </section>
    ),
  })
}
