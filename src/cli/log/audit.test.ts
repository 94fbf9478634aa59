import { existsSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/engines.ts'
import { newSigner } from '../../log/tlog/note-key.ts'
import { SmallLog } from '../../log/tlog/testing/small-log.ts'
import { commandContext } from '../testing/command-context.ts'
import { auditCommand } from './audit.ts'

/** Directories without a host, by the paths that they are below. */
const logs = new Map<string, SmallLog>()
const server = createServer((request, response) => {
  const [, path = '', rest = ''] = /^((?:\/(?!log\/|v1\/)[^/]+)*)\/(.*)$/.exec(request.url ?? '') ?? []
  const found = rest.startsWith('v1/')
    ? JSON.stringify({ hosts: [], sources: [], next: null })
    : logs.get(path)?.files.get(rest.replace(/^log\//, ''))
  response.writeHead(found === undefined ? 404 : 200).end(found)
})
const folder = temporaryFolder()
let origin = ''
beforeAll(async () => {
  for (const [seed, path] of ['', '/one', '/two', '/two/three'].entries()) {
    const log = new SmallLog(await newSigner(new Uint8Array(32).fill(seed + 1), `localhost${path}/log`))
    await log.append([])
    logs.set(path, log)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

async function audit(baseUrl: string, ...more: readonly string[]): Promise<{ code: number; out: string }> {
  const { context, said } = commandContext()
  const code = await auditCommand(fetch).run([baseUrl, '--folder', folder, ...more], context)
  return { code, out: said.out }
}

it('says in its own words why a directory serves no log', async () => {
  const stopped = { status: 503, detail: 'Nothing is signed any more: it is behind.', hint: 'Keep the checkpoint.' }
  const answer = async () => Response.json(stopped, { status: 503, headers: { 'Retry-After': '0' } })
  const { context } = commandContext()
  await expect(auditCommand(answer).run([`${origin}/stopped`, '--folder', folder], context)).rejects.toMatchObject({
    detail: '/log/vkey answers 503: Nothing is signed any more: it is behind.',
    hint: 'Keep the checkpoint.',
  })
  await expect(audit(`${origin}/nowhere`)).rejects.toMatchObject({
    detail: '/log/vkey answers 404',
    hint: 'name the address of a directory that keeps a log',
  })
})

it('remembers the directories of one host apart, each by its path', async () => {
  for (const path of ['', '/one', '/two', '/two/three/'])
    expect(await audit(`${origin}${path}`)).toMatchObject({
      code: 0,
      out: expect.stringContaining('First checkpoint seen: 0 entries.'),
    })
  for (const path of ['/', '/one/', '/two', '/two/three'])
    expect(await audit(`${origin}${path}`)).toMatchObject({
      code: 0,
      out: expect.stringContaining('Goes on from the checkpoint of 0 entries'),
    })
  expect(readdirSync(folder)).toHaveLength(4)
  const { host } = new URL(origin)
  expect(existsSync(join(folder, host.replace(':', '_'), 'checkpoint'))).toBe(true)
})

it('goes on from what it saw when the key is changed, by the new one and by no other', async () => {
  const entries = [1, 2, 3].map((n) =>
    new TextEncoder().encode(`{"at":"2026","host":null,"n":${n},"records":[],"v":1}`),
  )
  const signedBy = async (seed: number, those: readonly Uint8Array[]): Promise<SmallLog> => {
    const log = new SmallLog(await newSigner(new Uint8Array(32).fill(seed), 'localhost/turned/log'))
    await log.append(those)
    logs.set('/turned', log)
    return log
  }
  const address = `${origin}/turned`
  await signedBy(20, entries.slice(0, 2))
  expect((await audit(address)).out).toContain('First checkpoint seen: 2 entries.')
  const { vkey } = (await signedBy(21, entries)).signer
  await expect(audit(address)).rejects.toMatchObject({
    detail: expect.stringContaining(`the key changed: ${vkey} is served`),
    hint: expect.stringContaining('--vkey'),
  })
  const turned = await audit(address, '--vkey', vkey)
  expect(turned).toMatchObject({ code: 0, out: expect.stringContaining('Goes on from the checkpoint of 2 entries') })
  expect((await audit(address)).out).toContain('Goes on from the checkpoint of 3 entries')
  const other = await signedBy(22, entries.toReversed())
  expect(await audit(address, '--vkey', other.signer.vkey)).toMatchObject({
    code: 1,
    out: expect.stringContaining('the first 3 entries are others than those of the checkpoint that was seen last'),
  })
})
