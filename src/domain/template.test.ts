import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bestTemplate, LONGEST_TEMPLATE, listedPaths, templateFits } from './template.ts'

describe('a template path', () => {
  it.each([
    ['/v1/users/:id', '/v1/users/7'],
    ['/v1/users/{id}', '/v1/users/7'],
    ['/v1/users/%7Bid%7D', '/v1/users/7'],
    ['/v1/users/%7bid%7d', '/v1/users/{id}'],
    ['/v1/:user/posts/:post', '/v1/ada/posts/9'],
    ['/v1/{id}.json', '/v1/7.json'],
    ['/v1/{from}-{to}', '/v1/a-b-c'],
    ['/v1/x?city={city}', '/v1/x?city=Oslo'],
    ['/v1/x?city={city}&days={n}', '/v1/x?city=Oslo&days=3'],
    ['/quote?symbol=:symbol', '/quote?symbol=BTC'],
    ['/quote?symbol=:symbol&days=:n', '/quote?symbol=BTC&days=3'],
    ['/u/:id.json', '/u/7.json'],
    ['/u/:user-id', '/u/7'],
    ['/price-:sym', '/price-BTC'],
    ['/flights/:from-:to', '/flights/OSL-BER'],
    ['/v1/img.:format', '/v1/img.png'],
    ['/stock/[symbol]', '/stock/AAPL'],
    ['/[chain]/price?at=:t', '/base/price?at=now'],
    ['/api/*', '/api/x'],
    ['/api/*/:id', '/api/x/7'],
    ['/u/<id>', '/u/7'],
    ['/u/<int:id>.json', '/u/7.json'],
    ['/u/%3Cint:id%3E', '/u/7'],
    ['/u/%3cid%3e', '/u/<id>'],
    ['/docs/[[...slug]]', '/docs/x'],
    ['/docs/[...slug]', '/docs/x'],
    ['/u/%5Bid%5D', '/u/7'],
    ['/u/[id=integer]', '/u/7'],
    ['/[from]-[to]', '/OSL-BER'],
    ['/a/**', '/a/x'],
    ['/files/*path', '/files/x'],
    ['/files/*.json', '/files/x.json'],
    ['/api*', '/api2'],
    ['/a/{id:[0-9]+}', '/a/7'],
    ['/a/{year:[0-9]{4}}', '/a/2026'],
    ['/a/{path...}', '/a/x'],
    ['/a/{{id}}', '/a/7'],
    ['/a/$\u007bid}', '/a/7'],
    ['/a/:id(\\d+)', '/a/7'],
    ['/a/:path*', '/a/x'],
    ['/a?q=<query>', '/a?q=x'],
  ])('%s stands for %s', (template, path) => {
    expect(templateFits(template, path)).toBe(true)
  })

  it.each([
    ['/v1/users', '/v1/users'],
    ['/v1/users/:id', '/v1/users/'],
    ['/v1/users/:id', '/v1/users/7/posts'],
    ['/v1/users/:id', '/v1/users'],
    ['/v1/users/:id', '/v2/users/7'],
    ['/v1/users/:id', '/v1/users/7?all=1'],
    ['/v1/{id}.json', '/v1/.json'],
    ['/v1/{id}.json', '/v1/7.xml'],
    ['/v1/{a}-{b}', '/v1/-b'],
    ['/v1/x?city={city}', '/v1/x?city=Oslo&days=3'],
    ['/v1/x?city={city}', '/v1/x?town=Oslo'],
    ['/v1/x?city={city}', '/v1/x'],
    ['/quote?symbol=:symbol', '/quote?symbol='],
    ['/quote?symbol=:symbol', '/quote?name=BTC'],
    ['/u/:id.json', '/u/.json'],
    ['/price-:sym', '/price-'],
    ['/flights/:from-:to', '/flights/OSL'],
    ['/swarm/qrn:swarm:tars', '/swarm/qrn-7'],
    ['/models/gemini:generate', '/models/gemini7'],
    ['/ip/fe80::abcd', '/ip/fe80:7'],
    ['/u/:id.json', '/u/7.xml'],
    ['/stock/[symbol]', '/stock/'],
    ['/stock/[symbol]', '/stock/AAPL/day'],
    ['/api/*', '/api'],
    ['/a*b', '/axb'],
    ['/a?ids[]=1', '/a?ids7=1'],
    ['/u/<id>', '/u/'],
    ['/u/<id>', '/u/7/posts'],
    ['/u/%3Cid%3E', '/u/7/posts'],
    ['/docs/[[...slug]]', '/docs'],
    ['/docs/[...slug]', '/docs/a/b'],
    ['/a/**', '/a/b/c'],
    ['/files/*path', '/files/'],
    ['/files/*.json', '/files/.json'],
    ['/api*', '/api'],
    ['/a[b]', '/axb'],
    ['/a<b', '/axb'],
    ['/a/:id?filter=[name]', '/a/7?filter=x'],
    ['/a?q=*&r=<r>', '/a?q=x&r=7'],
  ])('%s does not stand for %s', (template, path) => {
    expect(templateFits(template, path)).toBe(false)
  })

  it('stands for whatever fills its parameters', () => {
    const word = fc.stringMatching(/^[a-z0-9]{1,8}$/)
    const filled = (...parameters: readonly string[]) =>
      fc.oneof(
        word.map((text) => ({ template: text, path: text })),
        fc.tuple(fc.constantFrom(...parameters), word).map(([template, path]) => ({ template, path })),
      )
    const value = filled(':id', '{id}', '%7Bid%7D', '<id>', '<int:id>', '%3Cid%3E', '{id:[0-9]+}', '{path...}')
    const segment = fc.oneof(value, filled('[id]', '*', '**', '*path', '[[...slug]]', '[...slug]', '%5Bid%5D'))
    const suffix = fc.constantFrom('', '.json', '.tar.gz')
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 6 }), suffix, (segments, end) => {
        const all = [...segments, { template: `:last${end}`, path: `x${end}` }]
        const template = all.map((one) => `/${one.template}`).join('')
        const path = all.map((one) => `/${one.path}`).join('')
        expect(templateFits(template, path)).toBe(true)
        expect(templateFits(template, `${path}/more`)).toBe(false)
      }),
    )
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 6 }), (values) => {
        const all = [...values, { template: ':last', path: 'x' }]
        const queryOf = (name: 'template' | 'path') => all.map((one, index) => `q${index}=${one[name]}`).join('&')
        expect(templateFits(`/a?${queryOf('template')}`, `/a?${queryOf('path')}`)).toBe(true)
        expect(templateFits(`/a?${queryOf('template')}`, `/a?${queryOf('path')}&more=1`)).toBe(false)
      }),
    )
  })

  it('stands for nothing when it is longer than any that people write', () => {
    const [longest, longer] = [LONGEST_TEMPLATE, LONGEST_TEMPLATE + 1].map((length) => `/v1/:${'a'.repeat(length - 5)}`)
    expect([longest, longer].map((template) => templateFits(template ?? '', '/v1/x'))).toEqual([true, false])
    expect(bestTemplate([longer ?? '', longest ?? ''], '/v1/x')).toBe(longest)
    expect(bestTemplate([longer ?? ''], '/v1/x')).toBeUndefined()
  })

  it('is found by the fewest parameters among several', () => {
    const templates = ['/:a/:b', '/users/:id', '/:a/7', '/other']
    expect(bestTemplate(templates, '/users/7')).toBe('/:a/7')
    expect(bestTemplate(templates, '/users/8')).toBe('/users/:id')
    expect(bestTemplate(templates, '/users')).toBeUndefined()
  })
})

describe('a path with segments of dots or slashes the other way', () => {
  it.each([
    ['/v1/./x', '/v1/x'],
    ['/v1/%2e/x', '/v1/x'],
    ['/a/../v1/x', '/v1/x'],
    ['/a/%2E./v1/x', '/v1/x'],
    ['/../../v1/x?at=../y', '/v1/x?at=../y'],
    ['/v1/x/..', '/v1/'],
    ['/v1/.', '/v1/'],
    ['/..', '/'],
    ['/v1/.../.x', '/v1/.../.x'],
    ['/v1\\x', '/v1/x'],
    ['/a\\..\\v1/x?at=\\y', '/v1/x?at=\\y'],
    ['', ''],
  ])('%s is the path %s', (path, asked) => {
    expect(listedPaths(path)[0]?.[0]).toBe(asked)
    const url = new URL(`https://h${path}`)
    expect(`${url.pathname}${url.search}`).toBe(asked || '/')
  })

  it('is also looked for as it is written, with slashes the other way', () => {
    expect(listedPaths('/v1\\x').map(([path]) => path)).toEqual(['/v1/x', '/v1\\x'])
  })
})
