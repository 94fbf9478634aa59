import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from './support/program.ts'

const text = readFileSync(join(ROOT, 'docs/security.md'), 'utf8')
const threats = text
  .slice(text.indexOf('## Threats'), text.indexOf('## Pages of other origins'))
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Threat |'))
  .map((line) => line.slice(2, -2).split(' | '))

describe('the threat model', () => {
  it('has a line for every threat, each with what holds and where that is tested', () => {
    expect(threats.length).toBeGreaterThan(30)
    for (const line of threats) expect(line, line[0]).toHaveLength(3)
  })

  it.each(threats)('names tests that are there: %s', (_threat, _held, tests = '') => {
    const named = [...tests.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')
    expect(named.length).toBeGreaterThan(0)
    for (const file of named) {
      expect(existsSync(join(ROOT, file)), file).toBe(true)
      expect(file).toMatch(/\.test\.tsx?$/)
      expect(readFileSync(join(ROOT, file), 'utf8')).toMatch(/\b(?:it|test)[.(]/)
    }
  })
})
