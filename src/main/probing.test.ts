import { expect, it } from 'vitest'
import { writeRobots } from '../probe/robots-file.ts'
import { loadConfig } from './config.ts'
import { probeRulesOf } from './probing.ts'

it('says of a path what robots.txt says of what is sent for it', () => {
  const { isAllowed } = probeRulesOf(loadConfig({}))
  const robots = writeRobots({ http: { staleUs: 0, rules: [{ allow: false, pattern: '/admin' }] } })
  expect(['/pub/../admin/x', '/pub/ok', '/admin/../in'].map((path) => isAllowed(robots, 'http', path))).toEqual([
    false,
    true,
    true,
  ])
  expect(isAllowed(robots, 'https', '/admin')).toBe(true)
})
