import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from './support/engines.ts'
import { cleanEnvironment, ended, listening, ROOT, type Running } from './support/program.ts'

/** Commands that a test cannot run inside itself, and who runs them instead. */
const RUN_ELSEWHERE: Readonly<Record<string, string>> = {
  'npm ci && npm start': 'test/sandbox/world.test.ts starts what it starts; CI installs',
  'npm ci && npm test': 'CI: this very run',
  'npm run lint': 'CI',
  'npm run types': 'CI',
  'npm run rooms': 'CI',
  'npm run format': 'the writing form of npm run lint',
  'npm run bench': 'takes minutes and measures; bench/*.test.ts covers its parts',
  'node bin/tollbook.js serve': 'runs until it is stopped; test/serve.test.ts does what it does',
  'npx tollbook serve': 'the same, where the package is installed; test/package/package.test.ts',
}

const FILES = ['README.md', 'CONTRIBUTING.md', ...docs()]

function docs(): string[] {
  return readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file))
    .toSorted()
}

/** The text of every `sh` block of a document. */
const blocksOf = (file: string): string[] =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '')

const isElsewhere = (block: string): boolean =>
  block
    .trim()
    .split('\n')
    .every((line) => line in RUN_ELSEWHERE)

describe('the commands in the documents', () => {
  let world: Running
  let folder: string

  beforeAll(async () => {
    folder = temporaryFolder()
    // `node bin/tollbook.js` as in a checkout, and `npx tollbook` as where the package is installed.
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'npx'), `#!/bin/sh\nshift\nexec "${process.execPath}" "${ROOT}/bin/tollbook.js" "$@"\n`, {
      mode: 0o755,
    })
    symlinkSync(join(ROOT, 'bin/tollbook.js'), join(bin, 'tollbook.js'))
    const env = cleanEnvironment({ PORT: '0', DATA_DIR: join(folder, 'world') })
    world = await listening(spawn(process.execPath, [join(ROOT, 'dist/sandbox/start.js')], { cwd: folder, env }))
  })

  afterAll(async () => {
    await world.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('are written as for a checkout, where npx would build and link first', () => {
    const blocks = FILES.flatMap((file) => [
      ...readFileSync(join(ROOT, file), 'utf8').matchAll(/^```(?:sh|text)?\n([\s\S]*?)^```$/gm),
    ]).map((match) => match[1] ?? '')
    expect(blocks.filter((block) => block.includes('node bin/tollbook.js')).length).toBeGreaterThan(9)
    expect(blocks.filter((block) => block.includes('npx tollbook'))).toEqual([])
  })

  it('are looked for in every document', () => {
    expect(FILES.length).toBeGreaterThan(5)
    expect(blocksOf('README.md').length).toBeGreaterThan(4)
  })

  it.each(
    FILES.flatMap((file) =>
      blocksOf(file)
        .filter((block) => !isElsewhere(block))
        .map((block) => ({ file, block })),
    ),
  )('work as written in $file: $block', async ({ block }) => {
    const script = block.replaceAll('http://localhost:8402', world.address).replaceAll('curl -s ', 'curl -sf ')
    const env = cleanEnvironment({ PATH: `${join(folder, 'bin')}:${process.env.PATH}`, DATA_DIR: join(folder, 'data') })
    const { code, out, err } = await ended(spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env }))
    expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' })
    expect(out.length).toBeGreaterThan(0)
  })
})
