import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { z } from 'zod'
import { BLOCKS, type Block, commandsIn, FILES } from './docs/blocks.ts'
import { RUN_ELSEWHERE } from './docs/elsewhere.ts'
import { resultOf } from './docs/results.ts'
import { temporaryFolder } from './support/engines.ts'
import { freshDatabase } from './support/postgres.ts'
import { cleanEnvironment, type Ended, ended, joined, listening, ROOT, type Running } from './support/program.ts'

const isElsewhere = ({ text }: Block): boolean => Object.keys(RUN_ELSEWHERE).some((part) => text.includes(part))
const SCRIPTS = BLOCKS.filter((block) => block.language === 'sh' && !isElsewhere(block))
const OTHERS = BLOCKS.filter((block) => block.language !== 'sh' && !isElsewhere(block))

const LISTED = z.record(z.string(), z.array(z.object({ id: z.string() })).catch([]))

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
    // Once it is complete, it rests.
    const env = cleanEnvironment({ PORT: '0', DATA_DIR: join(folder, 'world'), PROBE_INTERVAL: '1h' })
    world = await listening(spawn(process.execPath, [joined('sandbox')], { cwd: folder, env }))
  })

  afterAll(async () => {
    await world.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Nobody is asked outside this machine. */
  const ALONE = { SOURCES: 'none', PROBE_CHECK: 'none' }

  const run = (command: string, env: Record<string, string | undefined> = {}): Promise<Ended> => {
    const script = command.replaceAll('http://localhost:8402', world.address).replaceAll('curl -s ', 'curl -sf ')
    const own = { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, DATA_DIR: join(folder, 'data'), ...ALONE, ...env }
    return ended(spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env: cleanEnvironment(own) }))
  }

  it('are written as for a checkout, where npx would build and link first', () => {
    const shell = BLOCKS.filter(({ language }) => ['sh', 'text', ''].includes(language))
    expect(shell.filter(({ text }) => text.includes('node bin/tollbook.js')).length).toBeGreaterThan(9)
    expect(shell.filter(({ text }) => text.includes('npx tollbook'))).toEqual([])
  })

  it('are looked for in every document, and every test that runs them elsewhere is there', () => {
    expect(FILES.length).toBeGreaterThan(5)
    expect(SCRIPTS.filter(({ file }) => file === 'README.md').length).toBeGreaterThan(4)
    for (const [part, test] of Object.entries(RUN_ELSEWHERE)) {
      expect([part, existsSync(join(ROOT, test))]).toEqual([part, true])
      expect(BLOCKS.filter(({ text }) => text.includes(part)).length, part).toBeGreaterThan(0)
    }
  })

  it.each(SCRIPTS)('work as written in $file: $text', async ({ text }) => {
    for (const command of commandsIn(text)) {
      const result = resultOf(command)
      expect(result, `say in test/docs/results.ts what this shows: ${command}`).toBeDefined()
      const { code, out, err } = await run(command)
      expect({ command, code, err: code === 0 ? '' : err }).toEqual({ command, code: 0, err: '' })
      result?.shows(out)
    }
  })

  it('start a directory under the address that is said', async () => {
    const [block] = BLOCKS.filter(({ text }) => text.startsWith('BASE_URL='))
    const [, baseUrl] = /^BASE_URL=(\S+) node bin\/tollbook\.js serve$/.exec(block?.text ?? '') ?? []
    const env = cleanEnvironment({ ...ALONE, PORT: '0', DATA_DIR: join(folder, 'served'), BASE_URL: baseUrl })
    const served = await listening(spawn(process.execPath, [join(ROOT, 'bin/tollbook.js'), 'serve'], { env }))
    const missing = await fetch(`${served.address}/nothing`)
    expect(await missing.json()).toMatchObject({ type: `${baseUrl}/problems/not-found` })
    const { out } = await served.stop()
    expect(JSON.parse(out.split('\n')[0] ?? '')).toMatchObject({ level: 'info', base_url: baseUrl })
  })

  describe('that stand for somebody else’s own', () => {
    const KEY = () => join(folder, 'world', 'newcomer.key')
    const idOf = async (path: string, list: string): Promise<string> => {
      const found = LISTED.parse(await (await fetch(`${world.address}${path}`)).json())
      return found[list]?.[0]?.id ?? ''
    }
    const reviewId = () => idOf('/v1/hosts/weather.seller.test/reviews', 'reviews')
    const postId = () => idOf('/v1/thread/weather.seller.test', 'posts')

    /** A part of each, how it is written for the sample world, and what it shows. */
    const WRITTEN: readonly {
      readonly part: string
      readonly as: (text: string) => string | Promise<string>
      readonly env?: () => Promise<Record<string, string | undefined>>
      readonly shows: RegExp
    }[] = [
      {
        part: 'tollbook.js review https://api.example.com',
        as: (text) => text.replace('eip155:8453:0x…', `eip155:84532:0x${'ab'.repeat(32)}`),
        shows: /signs:\s+review\n {2}GET http:\/\/weather\.seller\.test\/v1\/now\n[\s\S]*\nLevel: Signed /,
      },
      {
        part: 'tollbook.js post api.example.com',
        // The very same words within one second are one post, and it is in several documents.
        as: (text) => `${text.replace('retries?', `retries, ${randomUUID()}?`)} --yes`,
        shows: /0\.05[\s\S]*\/v1\/posts\/p/,
      },
      {
        part: 'tollbook.js verify review https',
        as: async (text) => text.replace('<id>', await reviewId()),
        shows: /signed/i,
      },
      {
        part: 'tollbook.js verify post https',
        as: async (text) => text.replace('<id>', await postId()),
        shows: /signed|signature/i,
      },
      {
        part: 'tollbook.js hide post <id>',
        as: async (text) => text.replace('<id>', await postId()),
        env: async () => ({ DATA_DIR: join(folder, 'world') }),
        shows: /^Hidden since \S+Z in the thread of weather\.seller\.test\.\n$/,
      },
      {
        part: 'tollbook.js hide review <id>',
        as: async (text) => text.replace('<id>', await reviewId()),
        env: async () => ({ DATA_DIR: join(folder, 'world') }),
        shows: /^Hidden since \S+Z on the page of weather\.seller\.test\.\n$/,
      },
      { part: '/v1/thread/api.example.com/message?text=', as: (text) => text, shows: /"lines":\[/ },
      {
        part: 'tollbook.js import everything.ndjson',
        as: (text) => text.replaceAll('DATABASE_URL=postgres://… ', ''),
        env: async () => ({ DATABASE_URL: await freshDatabase(inject('databaseUrl') ?? '') }),
        shows: /^Imported \d+ records\.\nVerified \d+ hosts?, 0 differences\.\n$/,
      },
      {
        part: 'tollbook.js probe [host…]',
        as: (text) => text.replace(' [host…]', ''),
        shows: /Probed \d+ routes? of \d+ hosts?/,
      },
    ]

    const asInWorld = (text: string): string =>
      text
        .replaceAll('https://tollbook.example', world.address)
        .replaceAll('https://api.example.com/v1/x', 'http://weather.seller.test/v1/now')
        .replaceAll('api.example.com', 'weather.seller.test')
        .replaceAll('wallet.key', KEY())

    it('are each done for the sample world', () => {
      const done = (text: string): boolean => WRITTEN.some(({ part }) => text.includes(part))
      const left = OTHERS.filter(({ text }) => !done(text) && !/^BASE_URL=|tollbook\.js ingest|createClient/.test(text))
      expect(left.map(({ file, text }) => `${file}: ${text}`)).toEqual([])
    })

    it.each(
      WRITTEN.flatMap((written) =>
        OTHERS.filter(({ text }) => text.includes(written.part)).map((block) => ({ ...written, ...block })),
      ),
    )('work as written in $file: $text', async ({ as, text, env, shows, part }) => {
      if (part.includes('everything.ndjson') && inject('databaseUrl') === null) return
      const { code, out, err } = await run(asInWorld(await as(text)), (await env?.()) ?? {})
      expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' })
      expect(out).toMatch(shows)
    })

    it('sweep a source, and read a seller’s own documents', async () => {
      const block = BLOCKS.find(({ text }) => text.includes('tollbook.js ingest [source…]'))
      const [ingest = '', add = ''] = (block?.text ?? '').split('\n')
      const record = readFileSync(join(ROOT, 'docs/sources.md'), 'utf8').match(/```json\n(.*)\n```/)?.[1] ?? ''
      writeFileSync(join(folder, 'mine.ndjson'), `${record}\nnot a record\n`)
      const env = { SOURCES: `mine=file:${join(folder, 'mine.ndjson')}`, DATA_DIR: join(folder, 'swept') }
      const swept = await run(ingest.replace('[source…]', 'mine'), env)
      expect(swept.out).toMatch(/mine +complete +2 +1 +1 bad_record/)
      expect(swept.out).toMatch(/^mine: line 2: not a JSON object \(bad_record\)$/m)
      // Nobody of that name is there.
      const added = await run(add.replace('api.example.com', 'api.nowhere.example'), env)
      expect([added.code, added.out + added.err]).toEqual([1, expect.stringMatching(/api\.nowhere\.example/)])
    })

    it('pay through the client as the document’s program does', async () => {
      const block = BLOCKS.find(({ text }) => text.includes('createClient'))
      const program = asInWorld(block?.text ?? '')
        .replace("'0x…'", JSON.stringify(readFileSync(KEY(), 'utf8').trim()))
        .replaceAll(/'tollbook\/client(?:\/(\w+))?'/g, (_, part = 'index') => `'${ROOT}/dist/src/client/${part}.js'`)
        .replace("'viem/accounts'", `'${ROOT}/node_modules/viem/_esm/accounts/index.js'`)
        .replaceAll(
          /'@x402\/(\w+)([/\w]*)'/g,
          (_, kit, part) => `'${ROOT}/node_modules/@x402/${kit}/dist/esm${part}/index.mjs'`,
        )
        .replaceAll(' as const', '')
      const end = '\nconsole.log(JSON.stringify([hosts.length > 0, known.route.method]))\n'
      writeFileSync(
        join(folder, 'program.mjs'),
        program.replaceAll(/^await post\(/gm, 'const posted = await post(') + end,
      )
      const { code, out, err } = await run('node program.mjs')
      expect({ code, out, err: code === 0 ? '' : err }).toEqual({ code: 0, out: '[true,"GET"]\n', err: '' })
    })
  })
})
