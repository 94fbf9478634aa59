import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { circlesIn, fullFolders, importsUnder, placesOf } from '../scripts/imports.ts'
import { faultsOf, surveyOf } from '../scripts/rooms.ts'

describe('the rooms of the house', () => {
  it('know each other in one direction', () => {
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

  it('may have rooms within them that know less', () => {
    const known = ['domain/b.ts', 'log/c.ts', 'log/tlog/d.ts']
    expect(faultsOf(new Map([['log/a.ts', known]]))).toEqual([])
    expect(faultsOf(new Map([['log/tlog/a.ts', known]]))).toEqual([
      'log/tlog/a.ts must not know domain/b.ts',
      'log/tlog/a.ts must not know log/c.ts',
    ])
  })

  it('are told when they form a circle', () => {
    expect(
      circlesIn(
        new Map([
          ['domain/a.ts', ['domain/b.ts']],
          ['domain/b.ts', ['domain/a.ts']],
        ]),
      ),
    ).toEqual(['circle: domain/a.ts -> domain/b.ts -> domain/a.ts'])
  })

  it('keep what is for tests out of what is not', () => {
    expect(faultsOf(new Map([['acts/a.ts', ['acts/testing/b.ts']]]))).toEqual([
      'acts/a.ts must not know acts/testing/b.ts, which is for tests',
    ])
    expect(faultsOf(new Map([['acts/testing/a.ts', ['acts/testing/b.ts']]]))).toEqual([])
  })

  it('are small enough to be seen at a glance', () => {
    expect(surveyOf(resolve(import.meta.dirname, '..')).faults).toEqual([])
  })

  it('are told when a folder is too full', () => {
    const imports = new Map(['a', 'b', 'c'].map((name) => [`store/x/${name}.ts`, []]))
    expect(fullFolders(imports, 2)).toEqual(['store/x holds 3 files, more than 2'])
    expect(fullFolders(imports, 3)).toEqual([])
  })

  it('are seen from the door: arrows between places, however many files stand behind one', () => {
    const imports = new Map([
      ['store/x/a.ts', ['store/y/c.ts', 'store/x/b.ts']],
      ['store/x/b.ts', ['store/y/c.ts', 'domain/d.ts']],
      ['store/y/c.ts', []],
      ['store/e.ts', ['store/y/c.ts']],
    ])
    expect(placesOf(imports, 'store')).toEqual({
      places: ['e.ts', 'x', 'y'],
      arrows: [
        { from: 'x', to: 'y', n: 2 },
        { from: 'e.ts', to: 'y', n: 1 },
      ],
    })
  })
})
