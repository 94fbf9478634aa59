import { describe, expect, it } from 'vitest'
import { Problem } from '../domain/problem.ts'
import type { Command, CommandContext } from './command.ts'
import { dispatch } from './tollbook.ts'

/** The command line in a world whose screens are strings. */
async function tollbook(argv: string[], run: Command['run'] = async () => 0) {
  const said = { out: '', err: '' }
  const out = {
    write: (text: string) => {
      said.out += text
    },
  }
  const err = {
    write: (text: string) => {
      said.err += text
    },
  }
  const context = (): CommandContext => ({
    allowHosts: [],
    sources: [],
    ingesting: () => {
      throw new Error('no sources in this test')
    },
    openStore: () => Promise.reject(new Error('no store in this test')),
    out,
    err,
  })
  const toy: Command = { usage: 'tollbook toy             a toy', run }
  const code = await dispatch(argv, { version: '1.2.3', out, err, context, more: new Map([['toy', async () => toy]]) })
  return { code, ...said }
}

describe('the tollbook command', () => {
  it('lists its commands', async () => {
    for (const word of ['--help', '-h']) {
      const { code, out } = await tollbook([word])
      expect(code).toBe(0)
      for (const name of ['toy', 'import', 'export', 'migrate', 'verify']) expect(out).toContain(`  tollbook ${name} `)
    }
    expect(await tollbook(['toy', '--help'])).toEqual({ code: 0, out: 'tollbook toy             a toy\n', err: '' })
  })

  it('says its version', async () => {
    expect(await tollbook(['--version'])).toEqual({ code: 0, out: '1.2.3\n', err: '' })
  })

  it.each([
    [[], 'tollbook: no command given (tollbook --help lists them)\n'],
    [['frobnicate'], 'tollbook: unknown command frobnicate (tollbook --help lists them)\n'],
    [['constructor'], 'tollbook: unknown command constructor (tollbook --help lists them)\n'],
    [['--frobnicate'], expect.stringMatching(/^tollbook: Unknown option '--frobnicate'.*\n$/)],
  ])('called as %j says in one line what is wrong', async (argv, err) => {
    expect(await tollbook(argv)).toEqual({ code: 2, out: '', err })
  })

  it('hands a command its own words and answers its exit code', async () => {
    let heard: string[] = []
    const answer = await tollbook(['toy', 'a', '--b'], async (argv) => {
      heard = argv
      return 7
    })
    expect([answer.code, heard]).toEqual([7, ['a', '--b']])
  })

  it('prints a problem as one line without a stack', async () => {
    const fail = (slug: string, hint: string) => () =>
      Promise.reject(new Problem(slug, 500, 'Title', 'the disk\n  is full', hint))
    expect(await tollbook(['toy'], fail('disk', 'free some'))).toEqual({
      code: 1,
      out: '',
      err: 'tollbook: the disk is full (free some)\n',
    })
    expect((await tollbook(['toy'], fail('disk', ''))).err).toBe('tollbook: the disk is full\n')
    expect((await tollbook(['toy'], fail('usage', 'usage: toy'))).code).toBe(2)
  })

  it('does not hide what is a mistake of its own', async () => {
    await expect(tollbook(['toy'], () => Promise.reject(new TypeError('bug')))).rejects.toThrow('bug')
  })
})
