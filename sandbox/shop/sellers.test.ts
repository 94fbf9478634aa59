import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { SELLERS } from './sellers.ts'

it('the README counts the sample sellers as the sandbox does', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  expect(readme).toContain(`${SELLERS.length} sample sellers`)
})
