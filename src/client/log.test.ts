import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServedLog, serveLog } from '../log/testing/static-log.ts'
import { newSigner, newVerifier, openCheckpoint, utf8 } from '../log/tlog/index.ts'
import { SmallLog } from '../log/tlog/testing/small-log.ts'
import { entryText } from '../wire/log/entry.ts'
import { createClient, RefusedError, UnreadableError } from './index.ts'

const entry = (n: number): string =>
  entryText({ at: '2026-11-14T12:00:00.000000Z', host: `h${n}.seller.example`, isImported: false }, [
    JSON.stringify({ kind: 'post', text_sha256: 'é'.repeat(n % 90) }),
  ])

describe('the log of a directory, for a client', () => {
  let log: SmallLog
  let served: ServedLog
  beforeAll(async () => {
    log = new SmallLog(await newSigner(new Uint8Array(32).fill(1), 'log.example/log'))
    served = await serveLog(log)
  })
  afterAll(() => served.close())

  it('is its checkpoint, as it was signed', async () => {
    await log.append(Array.from({ length: 3 }, (_, n) => utf8(entry(n))))
    const note = await createClient({ baseUrl: served.address }).log.checkpoint()
    expect((await openCheckpoint(note, newVerifier(log.signer.vkey))).size).toBe(3)
  })

  it('has every entry at its place, in full bundles and in the last one', async () => {
    await log.append(Array.from({ length: 297 }, (_, n) => utf8(entry(3 + n))))
    const { log: read } = createClient({ baseUrl: served.address })
    for (const index of [0, 1, 255, 256, 299]) expect((await read.entry(index)).host).toBe(`h${index}.seller.example`)
    await expect(read.entry(300)).rejects.toThrow(UnreadableError)
    await expect(read.entry(100_000)).rejects.toThrow(RefusedError)
  })

  it('writes the addresses of bundles as the log does, however large it is', async () => {
    const asked: string[] = []
    const fetch: typeof globalThis.fetch = async (input) => {
      asked.push(String(input))
      return new Response(asked.length === 1 ? 'log.example/log\n400000000\nroot\n' : '', { status: 200 })
    }
    const { log: read } = createClient({ baseUrl: 'https://tollbook.example', fetch })
    await expect(read.entry(1_234_067 * 256)).rejects.toThrow(UnreadableError)
    expect(asked[1]).toBe('https://tollbook.example/log/tile/entries/x001/x234/067')
  })
})
