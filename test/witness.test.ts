import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { consistencyProof, formatAddCheckpoint, newSigner, parseSize } from '../src/log/tlog/index.ts'
import { SmallLog, someEntries } from '../src/log/tlog/testing/small-log.ts'
import { temporaryFolder } from './support/engines.ts'
import { cleanEnvironment, ended, ROOT, tollbook } from './support/program.ts'

let folder: string
let log: SmallLog
beforeAll(async () => {
  folder = temporaryFolder()
  log = new SmallLog(await newSigner(new Uint8Array(32).fill(1), 'log.example/log'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const words = (kept: string): string[] => [
  ...['witness', log.signer.vkey, '--name', 'witness.example'],
  ...['--listen', '127.0.0.1:0', '--folder', join(folder, kept)],
]

/** The command, once it says where it listens. */
async function witnessing(kept: string) {
  const child = spawn(process.execPath, [join(ROOT, 'bin/tollbook.js'), ...words(kept)], { env: cleanEnvironment({}) })
  const end = ended(child)
  let said = ''
  const address = await new Promise<string>((found, failed) => {
    child.stdout.on('data', (chunk) => {
      said += chunk
      const match = /Listens on (\S+)\n/.exec(said)
      if (match?.[1]) found(match[1])
    })
    void end.then(({ code, out, err }) => failed(new Error(`ended with ${code}: ${out}${err}`)))
  })
  const stop = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return end
  }
  return { address, said: () => said, stop }
}

const add = async (address: string, body: string): Promise<{ status: number; text: string } | undefined> => {
  try {
    const answer = await fetch(`${address}/add-checkpoint`, { method: 'POST', body })
    return { status: answer.status, text: await answer.text() }
  } catch {
    // The program was ended meanwhile.
    return undefined
  }
}

const requestOf = async (of: SmallLog, oldSize: number, checkpoint: string): Promise<string> =>
  formatAddCheckpoint({ oldSize, proof: await consistencyProof(of.readTile, oldSize, of.entries.length), checkpoint })

describe('tollbook witness', () => {
  it('says who it is, whom it watches and where, and ends well when told to', async () => {
    const running = await witnessing('plain')
    expect(running.said()).toMatch(
      /^Witness witness\.example\+[0-9a-f]{8}\+B\S+\nWatches log\.example\/log\+\S+\nListens on http:\/\/127\.0\.0\.1:\d+\n$/,
    )
    expect(statSync(join(folder, 'plain/witness.key')).mode & 0o777).toBe(0o600)
    expect(await running.stop('SIGTERM')).toMatchObject({ code: 0, err: '' })
  })

  it('says in one line what it was not given, or cannot use', async () => {
    expect(await tollbook(['witness', '--name', 'x'], {})).toMatchObject({ code: 2, out: '' })
    expect(await tollbook(['witness', log.signer.vkey], {})).toMatchObject({ code: 2, out: '' })
    const wrong = await tollbook(['witness', 'no-key', '--name', 'x', '--folder', join(folder, 'none')], {})
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('not a verifier key') })
    expect(existsSync(join(folder, 'none'))).toBe(false)
    const busy = await witnessing('busy')
    const there = busy.address.replace('http://', '')
    const second = ['witness', log.signer.vkey, '--name', 'x', '--folder', join(folder, 'second'), '--listen', there]
    expect(await tollbook(second, {})).toMatchObject({ code: 1, err: expect.stringMatching(/EADDRINUSE.*--listen/) })
    await busy.stop('SIGTERM')
  })

  it('ended at any moment between asking and answering, never cosigns two trees of one size', async () => {
    const state = join(folder, 'killed/witness.json')
    let known = 0
    for (let round = 0; round < 14; round++) {
      const { address, stop } = await witnessing('killed')
      const note = await log.append(someEntries(1 + round, log.entries.length))
      const size = log.entries.length
      const before = readFileSync(state, 'utf8')
      const asking = add(address, await requestOf(log, known, note))
      // In every other round as soon as it is remembered, which is before it is answered.
      if (round % 2 === 0) while (readFileSync(state, 'utf8') === before) await setImmediate()
      else for (let turn = 0; turn < round; turn++) await setImmediate()
      await stop('SIGKILL')
      const answer = await asking
      const isCosigned = answer?.status === 200
      const again = await witnessing('killed')
      const other = new SmallLog(log.signer)
      const forged = await other.append(someEntries(size, 1000))
      const first = await add(again.address, await requestOf(other, 0, forged))
      // It never starts from nothing again once it has remembered something.
      expect(first?.status, `round ${round}`).toBe(409)
      const remembered = parseSize(first?.text ?? '')
      expect([known, size]).toContain(remembered)
      if (isCosigned || round % 2 === 0) expect(remembered).toBe(size)
      known = remembered
      const proof = await consistencyProof(other.readTile, known, size)
      const split = await add(again.address, formatAddCheckpoint({ oldSize: known, proof, checkpoint: forged }))
      expect(split?.status).toBe(422)
      const retried = await add(again.address, await requestOf(log, known, note))
      expect(retried?.status).toBe(200)
      known = size
      await again.stop('SIGTERM')
    }
  }, 120_000)
})
