import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Problem } from '../domain/problem.ts'
import { readJsonBody } from './body.ts'

const posted = (body: string | Uint8Array | ReadableStream, headers: Record<string, string> = {}): Request =>
  new Request('http://tollbook.example/v1/reviews', {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', ...headers },
    duplex: 'half',
  })

const refusal = async (request: Request): Promise<string> => {
  try {
    await readJsonBody(request)
    return 'taken'
  } catch (error) {
    return error instanceof Problem ? `${error.status} ${error.slug}` : String(error)
  }
}

describe('a JSON body', () => {
  it('is read whole, in whatever pieces it arrives', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), fc.integer({ min: 1, max: 50 }), async (value, size) => {
        const bytes = Buffer.from(JSON.stringify(value))
        fc.pre(bytes.byteLength <= 16 * 1024)
        const pieces = new ReadableStream({
          start: (controller) => {
            for (let at = 0; at < bytes.byteLength; at += size) controller.enqueue(bytes.subarray(at, at + size))
            controller.close()
          },
        })
        expect(await readJsonBody(posted(pieces))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
      { numRuns: 30 },
    )
  })

  it('stops at 16 KiB, however long the stream is', async () => {
    let sent = 0
    const endless = new ReadableStream({
      pull: (controller) => {
        sent += 1
        controller.enqueue(Buffer.alloc(4096, 32))
      },
    })
    expect(await refusal(posted(endless))).toBe('413 body-too-large')
    expect(sent).toBeLessThan(10)
    expect(await refusal(posted(`"${'a'.repeat(16 * 1024 - 2)}"`))).toBe('taken')
    expect(await refusal(posted(`"${'a'.repeat(16 * 1024 - 1)}"`))).toBe('413 body-too-large')
  })

  it.each([
    [posted('{}', { 'Content-Type': 'text/plain' }), '415 unsupported-media-type'],
    [posted('{}', { 'Content-Type': 'application/json; charset=latin1' }), '415 unsupported-media-type'],
    [posted('{}', { 'Content-Encoding': 'gzip' }), '415 unsupported-media-type'],
    [posted(''), '400 invalid-json'],
    [posted('{'), '400 invalid-json'],
    [posted('{"a":1,"a":2}'), '400 invalid-json'],
    [posted('\ufeff{}'), '400 invalid-json'],
    [posted(new Uint8Array([0x22, 0xff, 0x22])), '400 invalid-json'],
    [posted('{}', { 'Content-Type': 'Application/JSON; charset="UTF-8"' }), 'taken'],
  ])('is judged by its bytes and headers (%#)', async (request, expected) => {
    expect(await refusal(request)).toBe(expected)
  })
})
