import { describe, expect, it } from 'vitest'
import { RAILS } from '../domain/route.ts'
import { PATHS, parametersIn } from '../wire/paths.ts'
import { ENDPOINTS } from './endpoints.ts'

const shapeOf = (path: string): RegExp => new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)

describe('the endpoints', () => {
  it('serve every address that pages and the client know, and no other', () => {
    const served = new Set<string>(ENDPOINTS.map(({ path }) => path))
    expect([...served].toSorted()).toEqual(Object.values(PATHS).toSorted())
  })

  it('answer an address under one method once', () => {
    const keys = ENDPOINTS.map(({ method, path }) => `${method} ${path}`)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it.each(ENDPOINTS.map((endpoint) => [endpoint.id, endpoint] as const))(
    'describe the parameters of their paths: %s',
    (_, { path, parameters = [] }) => {
      const described = parameters.filter((one) => one.in === 'path')
      expect(described.map(({ name }) => name)).toEqual(parametersIn(path))
      expect(described.every(({ required, example }) => required && example !== undefined)).toBe(true)
      expect(new Set(parameters.map(({ name }) => name)).size).toBe(parameters.length)
    },
  )

  it('are not hidden behind the parameter of an earlier one', () => {
    const hidden = ENDPOINTS.filter(({ path }, at) =>
      ENDPOINTS.slice(0, at).some((earlier) => earlier.path !== path && shapeOf(earlier.path).test(path)),
    )
    expect(hidden.map(({ id }) => id)).toEqual([])
  })

  it('are paid for at one address per rail, whose headers take a credential', () => {
    const paid = ENDPOINTS.filter(({ paidThrough }) => paidThrough !== undefined)
    expect(paid.map(({ paidThrough }) => paidThrough)).toEqual(RAILS)
    for (const { parameters = [] } of paid) expect(parameters.some((one) => one.in === 'header')).toBe(true)
  })
})
