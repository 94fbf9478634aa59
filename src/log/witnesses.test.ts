import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  newCosignatureVerifier,
  newCosigner,
  newSigner,
  newVerifier,
  openCheckpoint,
  parseAddCheckpoint,
  parseNote,
  signatureLine,
} from './tlog/index.ts'
import { SmallLog, someEntries } from './tlog/testing/small-log.ts'
import { type RunningWitness, runWitness } from './witness/run-witness.ts'
import { type WitnessAddress, Witnesses } from './witnesses.ts'

const seed = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const UNKNOWN = 'PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'

let folder: string
let log: SmallLog
const running: { close(): Promise<unknown> }[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollbook-witnesses-'))
  log = new SmallLog(await newSigner(seed(1), 'log.example/log'))
})
afterEach(async () => {
  for (const one of running.splice(0)) await one.close()
  rmSync(folder, { recursive: true, force: true })
})

async function honest(name: string, kept = name): Promise<WitnessAddress & { running: RunningWitness }> {
  const witness = await runWitness({
    ...{ name, folder: join(folder, kept), vkeys: [log.signer.vkey], host: '127.0.0.1', port: 0 },
    ...{ nowS: () => 1_700_000_000, onTrouble: () => undefined },
  })
  running.push(witness)
  return { vkey: witness.vkey, address: `http://127.0.0.1:${witness.port}`, running: witness }
}

/** A witness that does as it likes. */
async function odd(name: string, listener: RequestListener): Promise<WitnessAddress> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  running.push({
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { vkey: (await newCosigner(seed(7), name)).vkey, address: `http://127.0.0.1:${port}/` }
}

const asking = (...addresses: readonly WitnessAddress[]): Witnesses =>
  new Witnesses(addresses, { fetch, mostMs: 2_000 })

describe('a log that asks its witnesses', () => {
  it('gets the cosignature of each, from wherever it stands', async () => {
    const [first, second] = [await honest('one.example'), await honest('two.example')]
    const before = asking(first)
    expect(await before.cosign(await log.append(someEntries(3)), log.readTile)).toMatchObject([{ kind: 'cosigned' }])
    const witnesses = asking(first, second)
    for (const more of [0, 300, 1]) {
      const note = more === 0 ? await log.append([]) : await log.append(someEntries(more, log.entries.length))
      const outcomes = await witnesses.cosign(note, log.readTile)
      const lines = outcomes.map((outcome) => (outcome.kind === 'cosigned' ? outcome.line : ''))
      const keys = [first, second].map(({ vkey }) => newCosignatureVerifier(vkey))
      const opened = await openCheckpoint(note + lines.join(''), newVerifier(log.signer.vkey), keys)
      expect(opened.signatures.map(({ name }) => name)).toEqual(['log.example/log', 'one.example', 'two.example'])
    }
  })

  it('passes over keys of types that it does not know', async () => {
    const known = await honest('one.example')
    const witnesses = asking({ vkey: UNKNOWN, address: known.address }, known)
    expect(witnesses.vkeys).toEqual([known.vkey])
    expect(() => asking({ vkey: 'none', address: known.address })).toThrow()
  })

  it('is held up by nobody: slow, dead, lying, chattering and erring ones are outcomes of their own', async () => {
    const good = await honest('good.example')
    const liar = await newCosigner(seed(7), 'liar.example')
    const lying = await odd('liar.example', async (_request, response) => {
      response.end(signatureLine(await liar.cosign('another text\n', 1)))
    })
    let named = 0
    const all = asking(
      await odd('slow.example', () => undefined),
      await odd('slow-body.example', (_request, response) => response.write('x')),
      { vkey: (await newCosigner(seed(8), 'dead.example')).vkey, address: 'http://127.0.0.1:9' },
      lying,
      await odd('mute.example', (_request, response) => response.end()),
      await odd('chatter.example', (_request, response) => response.end('x'.repeat(200_000))),
      await odd('moody.example', (_request, response) => {
        named++
        response.writeHead(409).end(`${named % 3}\n`)
      }),
      await odd('senseless.example', (_request, response) => response.writeHead(409).end('many')),
      await odd('wrong.example', (_request, response) => response.writeHead(422).end()),
      await odd('elsewhere.example', (_request, response) => response.writeHead(307, { location: good.address }).end()),
      good,
    )
    const outcomes = await all.cosign(await log.append(someEntries(5)), log.readTile)
    expect(outcomes.slice(0, -1).map(({ kind }) => kind)).toEqual(Array.from({ length: 10 }, () => 'failed'))
    expect(outcomes.slice(0, 2)).toMatchObject([
      { reason: 'it did not answer in time' },
      { reason: 'it did not answer in time' },
    ])
    expect(outcomes[3]).toMatchObject({ reason: expect.stringContaining('is wrong') })
    expect(outcomes[8]).toMatchObject({ reason: 'it answers 422' })
    expect(outcomes.at(-1)?.kind).toBe('cosigned')
  })

  it('takes of many signatures the one of the key it knows, and leaves the rest', async () => {
    const own = await newCosigner(seed(7), 'own.example')
    const guest = await newCosigner(seed(8), 'guest.example')
    const both = await odd('own.example', async (request, response) => {
      const { text } = parseNote(parseAddCheckpoint(await bodyOf(request)).checkpoint)
      response.end(signatureLine(await guest.cosign(text, 5)) + signatureLine(await own.cosign(text, 6)))
    })
    const [outcome] = await asking(both).cosign(await log.append(someEntries(2)), log.readTile)
    expect(outcome).toMatchObject({ kind: 'cosigned', timeS: 6, line: expect.stringMatching(/^— own\.example /) })
  })

  it('is told when a witness has cosigned a larger tree of it, and of a tree that parts from the one seen', async () => {
    const witness = await honest('one.example')
    await log.append(someEntries(3))
    const early = log.files.get('checkpoint') ?? new Uint8Array(0)
    const witnesses = asking(witness)
    await witnesses.cosign(await log.append(someEntries(4, 3)), log.readTile)
    const note = Buffer.from(early).toString()
    expect(await witnesses.cosign(note, log.readTile)).toEqual([{ vkey: witness.vkey, kind: 'ahead', size: 7 }])
    expect(await asking(witness).cosign(note, log.readTile)).toEqual([{ vkey: witness.vkey, kind: 'ahead', size: 7 }])
    const other = new SmallLog(log.signer)
    expect(await asking(witness).cosign(await other.append(someEntries(9, 40)), other.readTile)).toMatchObject([
      { kind: 'failed', reason: 'it answers 422' },
    ])
  })

  it('cannot show two witnesses two logs: neither cosigns what the other has seen, and who wants both finds out', async () => {
    const [one, two] = [await honest('one.example'), await honest('two.example')]
    const other = new SmallLog(log.signer)
    const [note, split] = [await log.append(someEntries(5)), await other.append(someEntries(5, 50))]
    expect(await asking(one).cosign(note, log.readTile)).toMatchObject([{ kind: 'cosigned' }])
    expect(await asking(two).cosign(split, other.readTile)).toMatchObject([{ kind: 'cosigned' }])
    const keys = [one, two].map(({ vkey }) => newCosignatureVerifier(vkey))
    for (const [shown, of] of [[note, log] as const, [split, other] as const]) {
      const outcomes = await asking(one, two).cosign(shown, of.readTile)
      expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['cosigned', 'failed'])
      const lines = outcomes.flatMap((outcome) => (outcome.kind === 'cosigned' ? [outcome.line] : []))
      const { signatures } = await openCheckpoint(shown + lines.join(''), newVerifier(log.signer.vkey), keys)
      expect(signatures).toHaveLength(2)
    }
    // Nor later, when both have grown.
    await asking(one).cosign(await log.append(someEntries(3, 5)), log.readTile)
    expect(await asking(two).cosign(await log.append(someEntries(1, 8)), log.readTile)).toMatchObject([
      { kind: 'failed' },
    ])
  })

  it('starts again with a witness that has forgotten it', async () => {
    const cosigner = await newCosigner(seed(7), 'forgetful.example')
    const sizes: number[] = []
    const forgetful = await odd('forgetful.example', async (request, response) => {
      const { oldSize, checkpoint } = parseAddCheckpoint(await bodyOf(request))
      sizes.push(oldSize)
      if (oldSize === 0) response.end(signatureLine(await cosigner.cosign(parseNote(checkpoint).text, 1)))
      else response.writeHead(409).end('0\n')
    })
    const witnesses = asking(forgetful)
    await witnesses.cosign(await log.append(someEntries(3)), log.readTile)
    expect((await witnesses.cosign(await log.append(someEntries(2, 3)), log.readTile))[0]?.kind).toBe('cosigned')
    expect(sizes).toEqual([0, 3, 0])
  })
})

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}
