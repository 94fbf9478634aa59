import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AnswerReader } from './answer-reader.ts'

const answer = (body: string): string => {
  const name = body.length % 2 === 0 ? 'Content-Length' : 'content-length'
  return `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n${name}: ${body.length}\r\nX-Last: 1\r\n\r\n${body}`
}

const cutAt = (bytes: Buffer, places: readonly number[]): Buffer[] => {
  const cuts = [...new Set([0, ...places.map((place) => place % (bytes.length + 1)), bytes.length])].sort(
    (a, b) => a - b,
  )
  return cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end))
}

const count = (reader: AnswerReader, parts: readonly Buffer[]): number =>
  parts.reduce((sum, part) => {
    // As sockets read: into a larger buffer that still holds what was read before.
    const buffer = Buffer.alloc(part.length + 200, answer('old'))
    part.copy(buffer)
    return sum + reader.take(buffer, part.length)
  }, 0)

describe('AnswerReader', () => {
  it('counts every answer once, wherever the network cuts the bytes', () => {
    const body = fc.string({ unit: fc.constantFrom('a', '\r', '\n', ':', '0'), maxLength: 40 })
    fc.assert(
      fc.property(fc.array(body, { minLength: 1, maxLength: 6 }), fc.array(fc.nat(1000)), (bodies, places) => {
        const parts = cutAt(Buffer.from(bodies.map(answer).join('')), places)
        expect(count(new AnswerReader(200), parts)).toBe(bodies.length)
      }),
    )
  })

  it('does not count an answer whose last byte has not come', () => {
    const bytes = Buffer.from(answer('abc'))
    const reader = new AnswerReader(200)
    expect(count(reader, [bytes.subarray(0, -1)])).toBe(0)
    expect(count(reader, [bytes.subarray(-1)])).toBe(1)
  })

  it('knows that a 304 has no body', () => {
    const bytes = Buffer.from('HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n'.repeat(3))
    expect(count(new AnswerReader(304), [bytes])).toBe(3)
  })

  it('refuses an answer of another status and one without a length', () => {
    expect(() => count(new AnswerReader(200), [Buffer.from('HTTP/1.1 429 Too Many\r\n\r\n')])).toThrow('answered 429')
    expect(() => count(new AnswerReader(200), [Buffer.from('HTTP/1.1 200 OK\r\n\r\n')])).toThrow('Content-Length')
  })
})
