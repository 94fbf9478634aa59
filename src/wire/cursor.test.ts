import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LONGEST_PATH } from '../domain/route.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'

const anyText = fc.string({ unit: fc.integer({ min: 1, max: 0x10ffff }).map((point) => String.fromCodePoint(point)) })
const whole = fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER })
const values = fc.array(fc.oneof(anyText, whole, fc.constant(null)), { maxLength: 6 })
const kind = fc.stringMatching(/^[a-z-]{1,12}$/)

const REFUSAL = { slug: 'invalid-cursor', status: 400, detail: 'The cursor does not belong to this list.' }
const refusing = (...cursor: Parameters<typeof decodeCursor>): unknown => {
  try {
    return { taken: decodeCursor(...cursor) }
  } catch (error) {
    return error
  }
}

describe('a cursor', () => {
  it('gives back the values it was made of', () => {
    fc.assert(
      fc.property(kind, values, (list, held) => {
        expect(decodeCursor(list, held.length, encodeCursor(list, held))).toEqual(held)
      }),
      { numRuns: 1000 },
    )
  })

  it('needs no escaping inside an address', () => {
    fc.assert(
      fc.property(kind, values, (list, held) => {
        const cursor = encodeCursor(list, held)
        expect(encodeURIComponent(cursor)).toBe(cursor)
      }),
    )
  })

  it('holds the longest path there is, even of letters that JSON writes as two', () => {
    for (const letter of ['"', '\\', 'é', '𐀀']) {
      const path = `/${letter.repeat(Math.floor((LONGEST_PATH - 1) / Buffer.byteLength(letter)))}`
      const held = [path, 'DELETE', 'x402', 'https', Number.MAX_SAFE_INTEGER]
      expect(decodeCursor('routes', held.length, encodeCursor('routes', held))).toEqual(held)
    }
  })

  it('continues no other list and no list of another shape', () => {
    fc.assert(
      fc.property(kind, kind, values, (made, wanted, held) => {
        const cursor = encodeCursor(made, held)
        if (made !== wanted) expect(refusing(wanted, held.length, cursor)).toMatchObject(REFUSAL)
        expect(refusing(made, held.length + 1, cursor)).toMatchObject(REFUSAL)
        if (held.length > 0) expect(refusing(made, held.length - 1, cursor)).toMatchObject(REFUSAL)
      }),
    )
  })

  it('is refused with a hint when nobody here made it', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(refusing('routes', 2, text)).toMatchObject(REFUSAL)
      }),
    )
    expect(refusing('routes', 2, '')).toMatchObject({ hint: expect.stringContaining('start without a cursor') })
  })

  it.each([
    ['an object', '{"0":"routes","1":1,"2":2}'],
    ['a text', '"routes"'],
    ['a half', '["routes",1.5,2]'],
    ['an unsafe number', '["routes",9007199254740993,2]'],
    ['a number without end', '["routes",1e999,2]'],
    ['a boolean', '["routes",true,2]'],
    ['a list within', '["routes",[1],2]'],
    ['an object within', '["routes",{"toString":1},2]'],
    ['a NUL', '["routes","\\u0000",2]'],
    ['no JSON', '["routes",1,2'],
    ['nothing', ''],
    ['null', 'null'],
    ['10 MB', JSON.stringify(['routes', 'x'.repeat(10_000_000), 2])],
    ['a deep nest', '['.repeat(2000)],
  ])('is refused when it holds %s', (_what, json) => {
    expect(refusing('routes', 2, Buffer.from(json).toString('base64url'))).toMatchObject(REFUSAL)
  })
})
