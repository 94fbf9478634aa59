import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const BENCH = resolve(import.meta.dirname, '..')

/** Which children each file of the bench starts. The compiler does not look at these addresses. */
const started = readdirSync(BENCH, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .flatMap((file) =>
    [
      ...readFileSync(join(BENCH, file), 'utf8').matchAll(/new URL\('(\.[^']+children\/[^']+)', import\.meta\.url\)/g),
    ].map(([, address = '']) => resolve(BENCH, dirname(file), address).replace(/\.js$/, '.ts')),
  )

describe('the processes of the bench', () => {
  it('are started from where they are', () => {
    expect(started.filter((file) => !existsSync(file))).toEqual([])
  })

  it('are all started by some case', () => {
    const names = new Set(started.map((file) => basename(file)))
    expect([...names].toSorted()).toEqual(readdirSync(join(BENCH, 'children')).toSorted())
  })
})
