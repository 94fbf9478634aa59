import { expect, it } from 'vitest'
import { isPortAllowed } from './target.ts'

it('never dials a port where no seller is, listed or not', () => {
  const never = [22, 25, 110, 139, 143, 445, 465, 587, 2375, 3306, 3389, 5432, 5900, 6379, 9200, 10250, 11211, 27017]
  expect(never.filter((port) => isPortAllowed(port, [], true) || isPortAllowed(port, [], false))).toEqual([])
})

it('dials the port of a listed route, and what the operator allows', () => {
  expect([80, 443, 3000, 4021, 8080, 8443].map((port) => isPortAllowed(port, [], true))).toEqual(Array(6).fill(true))
  expect(isPortAllowed(8080, [], false)).toBe(false)
  expect(isPortAllowed(3389, [3389], false)).toBe(true)
})
