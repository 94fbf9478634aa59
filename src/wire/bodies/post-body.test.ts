import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Problem } from '../../domain/problem.ts'
import { parsePostBody } from './post-body.ts'

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'
const body = (more: object = {}): object => ({
  text: 'Does it keep its limits?',
  wallet: WALLET,
  signature: '0x11',
  signed_at: '2026-11-14T12:34:56Z',
  ...more,
})

/** The problem that a body is refused with. */
function refusal(value: unknown): Pick<Problem, 'slug' | 'detail' | 'more'> | undefined {
  try {
    parsePostBody(value)
    return undefined
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { slug, detail, more } = error
    return { slug, detail, more }
  }
}

describe('parsePostBody', () => {
  it('reads the four fields and brings the wallet into its one form', () => {
    expect(parsePostBody(body({ wallet: WALLET.toLowerCase() }))).toEqual({
      text: 'Does it keep its limits?',
      wallet: WALLET,
      signature: '0x11',
      signedAt: '2026-11-14T12:34:56Z',
    })
  })

  it.each([
    [{ text: undefined }, 'invalid-field', 'text is missing.', 'text'],
    [{ text: 7 }, 'invalid-field', 'text is not a string.', 'text'],
    [{ text: '' }, 'invalid-text', 'The text is empty.', 'text'],
    [{ wallet: null }, 'invalid-field', 'wallet is not a string.', 'wallet'],
    [{ wallet: WALLET.replace('E', 'e') }, 'invalid-field', expect.stringContaining('checksum'), 'wallet'],
    [{ signature: '' }, 'invalid-field', expect.stringContaining('signature is empty'), 'signature'],
    [{ signature: '0x1\n1' }, 'invalid-field', expect.stringContaining('signature'), 'signature'],
    [{ signature: undefined }, 'invalid-field', 'signature is missing.', 'signature'],
    [{ signed_at: 1 }, 'invalid-field', 'signed_at is not a string.', 'signed_at'],
    [{ signed_at: '2026-02-30T12:00:00Z' }, 'invalid-signed-at', expect.stringContaining('form'), 'signed_at'],
    [{ signed_at: '2026-11-14T12:34:56.000Z' }, 'invalid-signed-at', expect.stringContaining('form'), 'signed_at'],
  ])('names the field that is wrong: %j', (change, slug, detail, field) => {
    expect(refusal(JSON.parse(JSON.stringify(body(change))))).toEqual({ slug, detail, more: { field } })
  })

  it('counts the characters of the text', () => {
    expect(refusal(body({ text: '👍'.repeat(4000) }))).toBeUndefined()
    expect(refusal(body({ text: '👍'.repeat(4001) }))?.detail).toBe('The text is longer than 4000 characters.')
  })

  it('refuses what nobody knows, by its name', () => {
    expect(refusal(body({ 'rating"': 5 }))).toMatchObject({
      slug: 'invalid-field',
      detail: 'The field "rating\\"" is not one of text, wallet, signature and signed_at.',
    })
    expect(refusal(JSON.parse('{"__proto__": {}, "text": "x"}'))).toMatchObject({ slug: 'invalid-field' })
    for (const value of [null, [], 'text', 7, undefined]) {
      expect(refusal(value)?.detail).toBe('The body is not a JSON object with text, wallet, signature and signed_at.')
    }
  })

  it('gives a problem or four strings, whatever JSON comes', () => {
    const field = fc.oneof(fc.string({ unit: 'binary' }), fc.constant(WALLET), fc.constant('2026-11-14T12:34:56Z'))
    const shaped = fc.record({ text: field, wallet: field, signature: field, signed_at: field })
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), shaped), (value) => {
        const refused = refusal(value)
        if (refused === undefined) expect(Object.values(parsePostBody(value))).toHaveLength(4)
        else expect(refused.detail.isWellFormed()).toBe(true)
      }),
    )
  })
})
