import { describe, expect, it } from 'vitest'
import { SITE } from '../sample-views.ts'
import { problemKindPage, problemPage } from './problem.tsx'

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

  it('links the near matches to their host pages', () => {
    const html = problemPage(SITE, { ...problem, near_matches: ['api.weather.example'] })
    expect(html).toContain('<a href="/hosts/api.weather.example">api.weather.example</a>')
  })
})

describe('the page of a kind of problem', () => {
  it('explains a known kind', () => {
    const html = problemKindPage(SITE, 'unknown-host', {
      title: 'Host not known',
      status: 404,
      hint: 'Check the spelling.',
    })
    expect(html).toContain('<h1>Host not known</h1>')
    expect(html).toContain('Answered with HTTP status 404.')
    expect(html).toContain('<link rel="canonical" href="https://tollbook.example/problems/unknown-host"/>')
  })

  it('says so when there is no such kind', () => {
    expect(problemKindPage(SITE, '<nope>')).toContain('<h1>Unknown problem</h1>')
    expect(problemKindPage(SITE, '<nope>')).toContain('<code>&lt;nope&gt;</code>')
  })
})
