import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cleanEnvironment, ended, joined, ROOT } from '../test/support/program.ts'
import { DRILLS } from './catalogue.ts'
import { createDrill, info, kept, none } from './drill.ts'
import { misheard } from './rigs/follower.ts'
import { askedFor, usage } from './words.ts'

const drill = (...argv: string[]) =>
  ended(spawn(process.execPath, [joined('drill'), ...argv], { cwd: ROOT, env: cleanEnvironment({}) }))

/** All at once, on a machine that may be busy besides. */
const TIMEOUT_MS = 600_000

// Small enough to run beside everything else; times are told, and held to nothing.
describe.concurrent('a drill', () => {
  it.each(Object.keys(DRILLS))(
    '%s keeps its promises, and says what it saw and by which seed',
    async (name) => {
      const { code, out, err } = await drill(name, '--small', '--seed', '1')
      expect({ name, code, out: code === 0 ? '' : out, err }).toEqual({ name, code: 0, out: '', err: '' })
      expect(out).toMatch(new RegExp(`^drill ${name}, seed 1`))
      const rows = out.split('\n').slice(3, -3)
      expect(rows.length).toBeGreaterThan(name === 'disk-full' ? 0 : 3)
      expect(rows.filter((row) => / {2}NO$/.test(row))).toEqual([])
    },
    TIMEOUT_MS,
  )

  it('that is not known, or asked for wrongly, is explained', async () => {
    const { code, out, err } = await drill('earthquake')
    expect([code, out, err]).toEqual([2, '', usage(DRILLS)])
    for (const name of Object.keys(DRILLS)) expect(err).toContain(`  ${name} `)
  })
})

describe('what a drill is asked for', () => {
  const sample = createDrill({
    ...{ about: 'x', mostS: 1, full: { rounds: 20, seconds: 9 }, small: { rounds: 2, seconds: 1 } },
    run: async ({ sizes }) => [info('rounds', sizes.rounds)],
  })
  const asked = (...words: string[]) => askedFor(words, { sample })

  it('is its full size, a small one, or what the words say', () => {
    expect(asked('sample')).toMatchObject({ sizes: { rounds: 20, seconds: 9 }, seed: undefined, isSmall: false })
    expect(asked('sample', '--small')).toMatchObject({ sizes: { rounds: 2, seconds: 1 }, isSmall: true })
    expect(asked('sample', '--rounds', '200', '--seed', '7')).toMatchObject({
      sizes: { rounds: 200, seconds: 9 },
      seed: 7,
    })
  })

  it.each([
    [[]],
    [['other']],
    [['sample', '--rounds', 'many']],
    [['sample', '--rounds', '-1']],
    [['sample', '--loud']],
    [['toString']],
  ])('is not guessed from %j', (words) => {
    expect(asked(...words)).toBeUndefined()
  })
})

describe('what a drill says', () => {
  it('is broken by a single thing that must not happen, and shows a few of them', () => {
    expect(none('lost', [])).toEqual({ what: 'lost', seen: '0', promise: 'none', isKept: true })
    expect(none('lost', ['a', 'a', 'b', 'c', 'd'])).toMatchObject({ seen: '5 (a; b; c)', isKept: false })
    expect(kept('all there', 1234, 'all', true)).toMatchObject({ seen: '1,234', isKept: true })
  })

  it('tells a follower who missed something from one who did not', () => {
    const stored = ['1', '2', '3', '4']
    expect(misheard(['2', '3', '4'], stored)).toEqual([])
    expect(misheard([], stored)).toEqual([])
    expect(misheard(['1', '3'], stored)).toHaveLength(1)
    expect(misheard(['1', '2', '2', '3'], stored)).toHaveLength(1)
    expect(misheard(['1', '3', '2', '4'], stored)).toEqual(['3', '2'])
  })

  it('is written down with its figures', () => {
    const written = readFileSync(join(ROOT, 'docs/drills.md'), 'utf8')
    for (const name of Object.keys(DRILLS)) expect(written).toContain(`npm run drill -- ${name}`)
  })
})
