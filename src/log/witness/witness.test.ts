import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  consistencyProof,
  cosignedAtS,
  EMPTY_ROOT,
  formatAddCheckpoint,
  formatCheckpoint,
  newCosignatureVerifier,
  newSigner,
  newVerifier,
  openCheckpoint,
  openNote,
  parseNote,
  sha256,
  signNote,
  toHex,
  utf8,
} from '../tlog/index.ts'
import { SmallLog, someEntries } from '../tlog/testing/small-log.ts'
import { WitnessMemory } from './memory.ts'
import { type RunningWitness, runWitness } from './run-witness.ts'

const seed = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const ORIGIN = 'log.example/log'
const NOW_S = 1_700_000_000

let folder: string
let log: SmallLog
let witness: RunningWitness
const troubles: unknown[] = []

const start = async (vkeys: readonly string[] = [log.signer.vkey]): Promise<RunningWitness> =>
  runWitness({
    ...{ name: 'witness.example', folder, vkeys, host: '127.0.0.1', port: 0, nowS: () => NOW_S },
    onTrouble: (error) => troubles.push(error),
  })

beforeEach(async () => {
  folder = join(mkdtempSync(join(tmpdir(), 'tollbook-witness-')), 'kept')
  log = new SmallLog(await newSigner(seed(1), ORIGIN))
  witness = await start()
  troubles.length = 0
})
afterEach(async () => {
  await witness.close()
  rmSync(join(folder, '..'), { recursive: true, force: true })
})

const send = (body: string | Uint8Array<ArrayBuffer>, path = '/add-checkpoint', method = 'POST') =>
  fetch(`http://127.0.0.1:${witness.port}${path}`, { method, ...(method === 'POST' ? { body } : {}) })

/** Asks for a cosignature of the log as it is now, from a former size on. */
const ask = async (checkpoint: string, oldSize: number, from = log): Promise<Response> =>
  send(
    formatAddCheckpoint({
      oldSize,
      proof: await consistencyProof(from.readTile, oldSize, from.entries.length),
      checkpoint,
    }),
  )

const signed = (size: number, root: Uint8Array, signer = log.signer): Promise<string> =>
  signNote(formatCheckpoint({ origin: ORIGIN, size, root }), signer)

describe('a witness', () => {
  it('cosigns a log from its first checkpoint on, and shows the newest to whoever asks', async () => {
    expect((await send('', `/${toHex(sha256(utf8(ORIGIN)))}/checkpoint`, 'GET')).status).toBe(404)
    let known = 0
    for (const more of [3, 300, 1]) {
      const note = await log.append(someEntries(more, log.entries.length))
      const answer = await ask(note, known)
      expect(answer.status).toBe(200)
      const verifier = newCosignatureVerifier(witness.vkey)
      const { text } = parseNote(note)
      const { signatures } = await openNote(`${text}\n${await answer.text()}`, [verifier])
      expect(signatures.map(({ signature }) => cosignedAtS(signature))).toEqual([NOW_S])
      known = log.entries.length
      const shown = await send('', `/${toHex(sha256(utf8(ORIGIN)))}/checkpoint`, 'GET')
      const opened = await openCheckpoint(await shown.text(), newVerifier(log.signer.vkey), [verifier])
      expect(opened.size).toBe(known)
      expect(opened.signatures).toHaveLength(2)
    }
    const front = await (await send('', '/', 'GET')).text()
    expect(front).toBe(`Witness: ${witness.vkey}\nWatches: ${log.signer.vkey}\n`)
  })

  it('names the size it knows with 409, and cosigns the same tree again', async () => {
    const note = await log.append(someEntries(5))
    expect((await ask(note, 0)).status).toBe(200)
    const again = await ask(note, 0)
    expect(again.status).toBe(409)
    expect(again.headers.get('content-type')).toBe('text/x.tlog.size')
    expect(await again.text()).toBe('5\n')
    expect((await ask(note, 5)).status).toBe(200)
    const empty = await send(formatAddCheckpoint({ oldSize: 0, proof: [], checkpoint: await signed(0, EMPTY_ROOT) }))
    expect(empty.status).toBe(409)
  })

  it('cosigns an empty tree, and goes on from it', async () => {
    const wrong = formatAddCheckpoint({ oldSize: 0, proof: [], checkpoint: await signed(0, seed(1)) })
    expect((await send(wrong)).status).toBe(422)
    const empty = formatAddCheckpoint({ oldSize: 0, proof: [], checkpoint: await signed(0, EMPTY_ROOT) })
    expect((await send(empty)).status).toBe(200)
    expect((await ask(await log.append(someEntries(2)), 0)).status).toBe(200)
  })

  it('refuses a split view, a rollback, and proofs that prove nothing', async () => {
    await log.append(someEntries(7))
    await log.append(someEntries(3, 7))
    expect((await ask(await signed(10, log.root), 0)).status).toBe(200)
    const other = new SmallLog(log.signer)
    const otherNote = await other.append(someEntries(10, 100))
    const split = await send(formatAddCheckpoint({ oldSize: 10, proof: [], checkpoint: otherNote }))
    expect(split.status).toBe(422)
    expect(split.headers.get('content-type')).toBe('application/problem+json')
    expect(await split.json()).toMatchObject({ status: 422, hint: expect.stringMatching(/only grows/) })
    const longer = await other.append(someEntries(5, 110))
    expect((await ask(longer, 10, other)).status).toBe(422)
    const back = new SmallLog(log.signer)
    const shorter = await back.append(someEntries(7))
    expect((await send(formatAddCheckpoint({ oldSize: 10, proof: [], checkpoint: shorter }))).status).toBe(400)
    expect((await send(formatAddCheckpoint({ oldSize: 0, proof: [], checkpoint: shorter }))).status).toBe(409)
    const more = await log.append(someEntries(4, 10))
    expect((await send(formatAddCheckpoint({ oldSize: 10, proof: [], checkpoint: more }))).status).toBe(422)
    expect((await send(formatAddCheckpoint({ oldSize: 10, proof: [seed(1)], checkpoint: more }))).status).toBe(422)
    expect((await ask(more, 10)).status).toBe(200)
  })

  it('refuses a proof where none is needed', async () => {
    const note = await log.append(someEntries(2))
    expect((await send(formatAddCheckpoint({ oldSize: 0, proof: [seed(1)], checkpoint: note }))).status).toBe(422)
  })

  it('answers 404 for logs it does not watch, 403 for what their key has not signed, 400 for what is none', async () => {
    const stranger = new SmallLog(await newSigner(seed(2), 'other.example/log'))
    expect((await ask(await stranger.append(someEntries(2)), 0, stranger)).status).toBe(404)
    await log.append(someEntries(2))
    const thief = await newSigner(seed(3), ORIGIN)
    expect((await ask(await signed(2, log.root, thief), 0)).status).toBe(403)
    const forged = (await signed(2, log.root)).replace('\n2\n', '\n3\n')
    expect((await send(formatAddCheckpoint({ oldSize: 0, proof: [], checkpoint: forged }))).status).toBe(403)
    for (const body of ['', 'old 0\n', 'old 0\n\nx\n', `old -1\n\n${await signed(2, log.root)}`])
      expect((await send(body)).status, body).toBe(400)
    expect((await send(new Uint8Array([0xff, 0xfe]))).status).toBe(400)
    expect((await send('x'.repeat(100_001))).status).toBe(413)
    const refused = [await send('', '/add-checkpoint', 'GET'), await send('x', '/elsewhere')]
    expect(refused.map(({ status, headers }) => [status, headers.get('allow')])).toEqual([
      [405, 'POST'],
      [405, 'GET, HEAD'],
    ])
    expect((await send('', '/', 'HEAD')).status).toBe(200)
    expect((await send('', '/elsewhere', 'GET')).status).toBe(404)
    expect((await ask(await signed(2, log.root), 0)).status).toBe(200)
  })

  it('takes either key of a log that changes from one to another', async () => {
    const next = await newSigner(seed(4), ORIGIN)
    await witness.close()
    witness = await start([log.signer.vkey, next.vkey])
    expect((await ask(await log.append(someEntries(2)), 0)).status).toBe(200)
    await log.append(someEntries(2, 2))
    expect((await ask(await signed(4, log.root, next), 2)).status).toBe(200)
  })

  it('lets only one of many at once go on from a size, whatever their order', async () => {
    await log.append(someEntries(4))
    expect((await ask(await signed(4, log.root), 0)).status).toBe(200)
    const bodies: string[] = []
    for (let at = 0; at < 8; at++) {
      const note = await log.append(someEntries(1, log.entries.length))
      const proof = await consistencyProof(log.readTile, 4, log.entries.length)
      bodies.push(formatAddCheckpoint({ oldSize: 4, proof, checkpoint: note }))
    }
    const statuses = await Promise.all(bodies.toReversed().map(async (body) => (await send(body)).status))
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(7)
  })

  it('remembers over a restart what it has seen, under the same key', async () => {
    const { vkey } = witness
    expect((await ask(await log.append(someEntries(6)), 0)).status).toBe(200)
    await witness.close()
    witness = await start()
    expect(witness.vkey).toBe(vkey)
    const other = new SmallLog(log.signer)
    expect((await ask(await other.append(someEntries(6, 50)), 6, other)).status).toBe(422)
    expect((await ask(await log.append(someEntries(1, 6)), 6)).status).toBe(200)
    for (const file of ['witness.key', 'witness.json']) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)
  })

  it('cosigns nothing that it cannot remember', async () => {
    const note = await log.append(someEntries(6))
    rmSync(folder, { recursive: true })
    const refused = await ask(note, 0)
    expect(refused.status).toBe(500)
    expect(await refused.text()).not.toContain('\u2014')
    expect(troubles).toHaveLength(1)
    await WitnessMemory.create(folder)
    expect((await ask(note, 0)).status).toBe(200)
  })

  it('cosigns nothing after another program has written its memory', async () => {
    const second = await start()
    const [first, note] = [witness, await log.append(someEntries(6))]
    expect((await ask(note, 0)).status).toBe(200)
    witness = second
    const other = new SmallLog(log.signer)
    const split = await ask(await other.append(someEntries(6, 50)), 0, other)
    expect(split.status).toBe(500)
    expect(troubles).toMatchObject([{ detail: expect.stringContaining('not as this program left it') }])
    await second.close()
    witness = first
    expect((await ask(await log.append(someEntries(1, 6)), 6)).status).toBe(200)
  })

  it('does not start with a memory that is lost or cannot be read, nor with a key that is none', async () => {
    const file = join(folder, 'witness.json')
    const whole = readFileSync(file)
    writeFileSync(file, whole.subarray(0, 5))
    await expect(start()).rejects.toThrow('could cosign two histories')
    rmSync(file)
    await expect(start()).rejects.toThrow('is not there')
    writeFileSync(file, whole)
    writeFileSync(join(folder, 'witness.key'), 'x')
    chmodSync(join(folder, 'witness.key'), 0o600)
    await expect(start()).rejects.toThrow('holds no key')
    await expect(start(['x'])).rejects.toThrow('not a verifier key')
  })
})
