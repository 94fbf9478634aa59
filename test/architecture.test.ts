import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FLOWS } from '../scripts/flows.ts'
import { importsUnder } from '../scripts/imports.ts'
import { pictures } from '../scripts/pictures.ts'
import { ROOT } from './support/program.ts'

const text = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')

describe('the description of the house', () => {
  it('shows pictures that are drawn from the code as it is (npm run pictures renews them)', () => {
    for (const [name, picture] of pictures(ROOT)) {
      expect(readFileSync(join(ROOT, 'docs/pictures', name), 'utf8'), name).toBe(picture)
      expect(text).toContain(`(pictures/${name})`)
    }
  })

  const imports = importsUnder(ROOT, ['src'])

  it.each(Object.entries(FLOWS))('follows the flow %s through files that really call each other', (_, { steps }) => {
    expect(steps.length).toBeLessThanOrEqual(8)
    for (const [index, { file, from }] of steps.entries()) {
      expect(existsSync(join(ROOT, file)), file).toBe(true)
      if (index === 0) continue
      const callers = from === undefined ? steps.slice(0, index).map((step) => step.file) : [from]
      expect(
        callers.some((caller) => imports.get(caller)?.includes(file)),
        `${file} is reached`,
      ).toBe(true)
    }
  })

  it('names every room', () => {
    const rooms = new Set([...imports.keys()].map((file) => file.split('/').slice(0, 2).join('/')))
    for (const room of rooms) expect(text).toContain(`\`${room}\``)
  })
})
