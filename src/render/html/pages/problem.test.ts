import { describe, expect, it } from 'vitest'
import { PROBLEM_KINDS } from '../../../domain/problem-kinds.ts'
import { SITE } from '../../testing/sample-views.ts'
import { problemPage } from './problem.tsx'
import { problemKindPage, problemsPage } from './problem-kinds.tsx'

const problem = {
  title: 'Host not known',
  status: 404,
  detail: 'No listing source named api.wether.example.',
  hint: 'Check the spelling.',
  request_id: 'req-1',
}

describe('a problem as a page', () => {
  it('says what happened, what to do and which request it was', () => {
    const html = problemPage(SITE, problem)
    for (const text of ['404', problem.title, problem.detail, problem.hint, 'request req-1'])
      expect(html).toContain(`>${text}<`)
    expect(html).toContain('<meta name="robots" content="noindex"/>')
    expect(html).not.toContain('similar name')
  })

  it('says of a payment where to read about it, and of our own fault that it is ours', () => {
    expect(problemPage(SITE, { ...problem, status: 402 })).toContain('<a href="/policy">')
    expect(problemPage(SITE, { ...problem, status: 500 })).toContain('The fault is ours')
    expect(problemPage(SITE, { ...problem, slug: 'internal' })).toContain('<a href="/problems/internal">')
  })

  it('says on paid endpoints whether money moved, and elsewhere nothing of it', () => {
    const said = (charged?: boolean | 'pending') => problemPage(SITE, { ...problem, charged })
    expect(said(false)).toContain('<p>Nothing was charged.</p>')
    expect(said(true)).toContain('<p>This was charged.</p>')
    expect(said('pending')).toContain('<p>Whether it was charged is not known yet.</p>')
    expect(said()).not.toMatch(/charged/)
  })

  it('links the near matches to their host pages', () => {
    const html = problemPage(SITE, { ...problem, near_matches: ['api.weather.example'] })
    expect(html).toContain('<a href="/hosts/api.weather.example">api.weather.example</a>')
  })

  it('names the routes that may have been meant', () => {
    const near = { method: 'GET', url: 'https://api.weather.example/v1/<now>', rail: 'x402' } as const
    const html = problemPage(SITE, { ...problem, near_matches: [near] })
    expect(html).toContain('<code>GET https://api.weather.example/v1/&lt;now&gt;</code> on x402')
    expect(html).not.toContain('similar name')
    const linked = problemPage(SITE, { ...problem, host: 'api.weather.example', near_matches: [near] })
    expect(linked).toContain(
      '<a href="/hosts/api.weather.example/route?method=GET&amp;path=%2Fv1%2F%3Cnow%3E&amp;rail=x402"><code>GET https',
    )
  })

  it('leads on about the host that it is about: to its pages, or to who refused it', () => {
    const host = 'api.wether.example'
    const unknown = problemPage(SITE, { ...problem, slug: 'unknown-host', host })
    expect(unknown).toContain(`<a href="/hosts/${host}/why">Why ${host} is not here, and whether it was refused</a>`)
    expect(unknown).not.toContain(`href="/hosts/${host}"`)
    const known = problemPage(SITE, { ...problem, slug: 'not-found', host })
    expect(known).toContain(`<a href="/hosts/${host}">All that is known of ${host}</a>`)
    expect(known).toContain(`<a href="/hosts/${host}/why">`)
  })
})

describe('the page of a kind of problem', () => {
  it('explains it', () => {
    const html = problemKindPage(SITE, 'unknown-host', PROBLEM_KINDS['unknown-host'])
    const { title, meaning, hint } = PROBLEM_KINDS['unknown-host']
    for (const text of [title, 'Answered with HTTP status 404.', meaning, hint]) expect(html).toContain(`>${text}<`)
    expect(html).toContain('<link rel="canonical" href="https://tollbook.example/problems/unknown-host"/>')
  })
})

describe('the list of problems', () => {
  it('has every kind once, with its status, and leads to its page', () => {
    const html = problemsPage(SITE, Object.entries(PROBLEM_KINDS))
    for (const [slug, kind] of Object.entries(PROBLEM_KINDS)) {
      expect(html.split(`<a href="/problems/${slug}">${kind.title}</a>`), slug).toHaveLength(2)
    }
    const statuses = Array.from(html.matchAll(/class="num">(\d{3})</g), ([, status]) => Number(status))
    expect(statuses).toEqual([...statuses].sort((a, b) => a - b))
  })
})
