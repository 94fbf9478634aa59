import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { faultsOf, importsUnder } from '../scripts/rooms.ts'

describe('the rooms of the house', () => {
  it('know each other in one direction and form no circle', () => {
    const imports = importsUnder(resolve(import.meta.dirname, '../src'))
    expect(imports.size).toBeGreaterThan(20)
    expect(faultsOf(imports)).toEqual([])
  })

  it('are told apart when an import points the wrong way', () => {
    expect(
      faultsOf(
        new Map([
          ['render/a.ts', ['store/b.ts']],
          ['store/b.ts', []],
        ]),
      ),
    ).toEqual(['render/a.ts must not know store/b.ts'])
    expect(
      faultsOf(
        new Map([
          ['probe/a.ts', ['ingest/b.ts']],
          ['ingest/b.ts', []],
        ]),
      ),
    ).toHaveLength(1)
  })

  it('are told when they form a circle', () => {
    expect(
      faultsOf(
        new Map([
          ['domain/a.ts', ['domain/b.ts']],
          ['domain/b.ts', ['domain/a.ts']],
        ]),
      ),
    ).toEqual(['circle: domain/a.ts -> domain/b.ts -> domain/a.ts'])
  })
})
