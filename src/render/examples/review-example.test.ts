import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EMPTY_HOST, FULL_HOST, HOST, hostView, route, SITE } from '../testing/sample-views.ts'
import { reviewExample } from './review-example.ts'

/** What a pasted command would hand to curl, by a shell in which curl only prints its arguments. */
const pasted = (command: string): string[] =>
  execFileSync('bash', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)

describe('the review-submission example', () => {
  it('names the first route and has the five fields in their order', () => {
    const { body, method, url } = reviewExample(SITE, FULL_HOST)
    expect([method, url]).toEqual(['POST', 'https://tollbook.example/v1/reviews'])
    expect(Object.keys(body)).toEqual(['url', 'method', 'rail', 'rating', 'text'])
    expect(body).toMatchObject({ url: `https://${HOST}/v1/forecast`, method: 'GET', rail: 'x402' })
  })

  it('falls back to the root of a host without routes', () => {
    expect(reviewExample(SITE, EMPTY_HOST).body).toMatchObject({ url: `https://${HOST}/`, method: 'GET', rail: 'x402' })
  })

  it('gives curl exactly the request, whatever the path holds', () => {
    const character = fc.constantFrom(...`'"\\$\`!&;|<>(){}*?~#-_ aé/=%`)
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 30 }), (text) => {
        const example = reviewExample(SITE, hostView([route(`/${text}`)]))
        const [verbFlag, verb, url, headerFlag, header, dataFlag, data = ''] = pasted(example.curl)
        expect([verbFlag, verb, url]).toEqual(['-X', example.method, example.url])
        expect([headerFlag, header, dataFlag]).toEqual(['-H', 'Content-Type: application/json', '-d'])
        expect(JSON.parse(data)).toEqual(example.body)
      }),
      { numRuns: 40 },
    )
  })
})
