import { describe, expect, it } from 'vitest'
import { Problem } from '../domain/problem.ts'
import { CATALOGUE } from './catalogue/catalogue.ts'
import type { CommandEntry } from './catalogue/entry.ts'
import type { Command, CommandContext } from './command.ts'
import { dispatch } from './tollbook.ts'

const TOY: CommandEntry = {
  name: 'toy',
  group: 'Check',
  takes: '[thing]',
  summary: 'a toy',
  about: 'It does what it is told.',
  options: {
    shape: { type: 'string', default: 'round', value: '<shape>', about: 'how it looks' },
    b: { type: 'boolean', about: 'be quiet' },
  },
  example: 'toy ball',
}

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
  const context = async (): Promise<CommandContext> => ({
    allowHosts: [],
    sources: [],
    ingesting: () => Promise.reject(new Error('no sources in this test')),
    openStore: () => Promise.reject(new Error('no store in this test')),
    out,
    err,
  })
  const known = CATALOGUE.map((entry) => ({ entry, load: () => Promise.reject(new Error('not to be loaded here')) }))
  const commands = [...known, { entry: TOY, load: async () => ({ run }) }]
  const code = await dispatch(argv, { version: '1.2.3', called: 'npx tollbook', out, err, commands, context })
  return { code, ...said }
}

describe('the tollbook command', () => {
  it('lists its commands', async () => {
    for (const word of ['--help', '-h', 'help']) {
      const { code, out } = await tollbook([word])
      expect(code).toBe(0)
      for (const name of ['toy', 'import', 'export', 'migrate', 'verify']) expect(out).toContain(`  tollbook ${name} `)
    }
  })

  it('says in one line that the disk is full or fails, whatever the command was', async () => {
    const onDisk = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    for (const error of [onDisk, new Error('database or disk is full')]) {
      const { code, err } = await tollbook(['toy'], () => Promise.reject(error))
      expect([code, err]).toEqual([
        1,
        `tollbook: no room is left on the disk: ${error.message} (make room, and do it again)\n`,
      ])
    }
    const { code, err } = await tollbook(['toy'], () => Promise.reject(new Error('disk I/O error')))
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^tollbook: the disk of the store fails: disk I.O error \(.*\)\n$/),
    ])
  })

  it('leaves what a command says of another file than the store as it is', async () => {
    const fault = new Problem(
      'backup',
      400,
      'Backup',
      'a.copy is damaged: file is not a database',
      'take another backup',
    )
    const { code, err } = await tollbook(['toy'], () => Promise.reject(fault))
    expect([code, err]).toEqual([1, `tollbook: ${fault.detail} (${fault.hint})\n`])
  })

  it('says in one line that the store is damaged, whatever the command was', async () => {
    for (const words of ['database disk image is malformed', 'file is not a database']) {
      const { code, err } = await tollbook(['toy'], () => Promise.reject(new Error(words)))
      expect([code, err]).toEqual([
        1,
        expect.stringMatching(/^tollbook: the store is damaged: .* \(.*restore a backup.*\)\n$/),
      ])
      expect(err).toContain(words)
    }
  })

  it('says more about one command without loading it', async () => {
    const out = [
      'Usage: tollbook toy [thing] [options]',
      '',
      'A toy.',
      'It does what it is told.',
      '',
      'Options',
      '  --shape <shape>  how it looks (round unless given)',
      '  --b              be quiet',
      '',
      'Example',
      '  npx tollbook toy ball',
      '',
    ].join('\n')
    for (const argv of [
      ['toy', '--help'],
      ['toy', '-h'],
      ['help', 'toy'],
    ])
      expect(await tollbook(argv)).toEqual({ code: 0, out, err: '' })
    for (const { name } of CATALOGUE) {
      const told = await tollbook([name, '--help'])
      expect(told).toMatchObject({ code: 0, out: expect.stringMatching(`^Usage: tollbook ${name}\\b`), err: '' })
    }
  })

  it('says its version', async () => {
    expect(await tollbook(['--version'])).toEqual({ code: 0, out: '1.2.3\n', err: '' })
  })

  it.each([
    [[], 'tollbook: no command given (tollbook --help lists them)\n'],
    [['frobnicate'], 'tollbook: unknown command frobnicate (tollbook --help lists them)\n'],
    [['constructor'], 'tollbook: unknown command constructor (tollbook --help lists them)\n'],
    [['exprot'], 'tollbook: unknown command exprot (did you mean export? tollbook --help lists them)\n'],
    [['help', 'serv'], 'tollbook: unknown command serv (did you mean serve? tollbook --help lists them)\n'],
    [['--frobnicate'], expect.stringMatching(/^tollbook: Unknown option '--frobnicate'.*\n$/)],
    [['--verzion'], "tollbook: Unknown option '--verzion' (did you mean --version? tollbook --help lists them)\n"],
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
    await tollbook(['toy', '--', '--help'], async (argv) => {
      heard = argv
      return 0
    })
    expect(heard).toEqual(['--', '--help'])
  })

  it.each([
    [['toy', '--shpae', 'x'], "Unknown option '--shpae' (did you mean --shape? tollbook toy --help lists them)"],
    [['toy', '-x'], "Unknown option '-x' (tollbook toy --help lists them)"],
    [['toy', '--shape'], '--shape: its value is missing (usage: tollbook toy [thing] [options])'],
    [['migrate', 'now'], 'now: this word is one too many (usage: tollbook migrate)'],
  ])('called as %j says what cannot be read, without loading the command', async (argv, line) => {
    const run = () => Promise.reject(new Error('not to be run'))
    expect(await tollbook(argv, run)).toEqual({ code: 2, out: '', err: `tollbook: ${line}\n` })
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
