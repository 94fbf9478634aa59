import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EGRESS_ERROR_MEANINGS } from '../../src/probe/egress.ts'
import { WARNING_MEANINGS } from '../../src/wire/challenge/warnings.ts'

const document = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'probing.md'), 'utf8')

describe('docs/probing.md', () => {
  it('explains every error and every warning in the words of the program, and no other', () => {
    const rows = [...document.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, code, meaning]) => `${code}: ${meaning}`)
    const words = { ...EGRESS_ERROR_MEANINGS, ...WARNING_MEANINGS }
    expect(rows).toEqual(Object.entries(words).map(([code, meaning]) => `${code}: ${meaning}`))
  })
})
