import { generateKeyPairSync, sign } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromBase64 } from './bytes.ts'
import { MalformedError, UntrustedError } from './errors.ts'
import { formatNote, openNote, parseNote, signNote } from './note.ts'
import { formatVkey, NOTE_TYPE, newSigner, newVerifier, parseVkey } from './note-key.ts'
import { EXAMPLE_NOTE, EXAMPLE_VKEY, PETER, POEM } from './testing/published.ts'

const seed = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const names = fc.stringMatching(/^[a-zé—][a-z0-9./é—-]{0,20}$/u)
/** Lines without control characters, the last of them ended as well. */
const texts = fc
  .array(
    fc.string({ unit: 'binary' }).map((line) => line.replace(/[\u0000-\u001f]/g, '')),
    { minLength: 1 },
  )
  .map((lines) => `${lines.join('\n')}\n`)

describe('a verifier key', () => {
  it('is read and written as the example', () => {
    const { name, id, type, publicKey } = parseVkey(EXAMPLE_VKEY)
    expect({ name, id, type }).toEqual({ name: 'example.com/foo', id: '530d903a', type: NOTE_TYPE })
    expect(formatVkey(name, type, publicKey)).toBe(EXAMPLE_VKEY)
  })

  it('comes from a seed as in Go', async () => {
    expect((await newSigner(fromBase64(PETER.seed), PETER.name)).vkey).toBe(PETER.vkey)
  })

  it('is refused when a character of it is another', () => {
    fc.assert(
      fc.property(fc.nat(EXAMPLE_VKEY.length - 1), fc.constantFrom(...'aZ9+/ ='), (at, char) => {
        const other = EXAMPLE_VKEY.slice(0, at) + char + EXAMPLE_VKEY.slice(at + 1)
        if (other !== EXAMPLE_VKEY) expect(() => newVerifier(other)).toThrow(MalformedError)
      }),
    )
    for (const wrong of [
      '',
      'x',
      'a+b',
      'a b+530d903a+AQ==',
      'a+530d903a+',
      'PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    ])
      expect(() => newVerifier(wrong), wrong).toThrow(MalformedError)
  })

  it('of a type that is not spoken here is read, so that it can be passed over', () => {
    expect(parseVkey('PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW').type).toBe(0x65)
  })
})

describe('a signed note', () => {
  it('opens as the example, and as that of Go, which is signed here to the same byte', async () => {
    const { text, signatures } = await openNote(EXAMPLE_NOTE, [newVerifier(EXAMPLE_VKEY)])
    expect(text).toBe('This is an example message.\n')
    expect(signatures).toHaveLength(1)
    const note = await signNote(PETER.text, await newSigner(fromBase64(PETER.seed), PETER.name))
    expect(note).toBe(`${PETER.text}\n${PETER.signature}`)
    expect((await openNote(note, [newVerifier(PETER.vkey)])).text).toBe(PETER.text)
  })

  it('may have empty lines in its text', () => {
    const { text, signatures } = parseNote(POEM)
    expect(text.split('\n')).toHaveLength(5)
    expect(signatures.map(({ name }) => name)).toEqual(['quasimodo.example/salvatore'])
    expect(formatNote({ text, signatures })).toBe(POEM)
  })

  it('is read back, whatever it says and whoever signs', async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.uniqueArray(names, { minLength: 1, maxLength: 4 }), async (text, signing) => {
        const signers = await Promise.all(signing.map((name, at) => newSigner(seed(at), name)))
        const note = await signNote(text, ...signers)
        const verifiers = signers.map(({ vkey }) => newVerifier(vkey))
        const opened = await openNote(note, verifiers)
        expect(opened.text).toBe(text)
        expect(opened.signatures.map(({ name }) => name)).toEqual(signing)
        expect((await openNote(note, verifiers.slice(-1))).signatures).toHaveLength(1)
        expect(formatNote(parseNote(note))).toBe(note)
      }),
      { numRuns: 40 },
    )
  })

  it('is not believed with another text, a wrong signature of a known key, or none of any', async () => {
    const verifier = newVerifier(EXAMPLE_VKEY)
    await expect(openNote(EXAMPLE_NOTE.replace('example message', 'exemplary lie'), [verifier])).rejects.toThrow(
      UntrustedError,
    )
    await expect(openNote(EXAMPLE_NOTE.replace('IneyaQM=', 'IneyaQI='), [verifier])).rejects.toThrow(UntrustedError)
    await expect(openNote(EXAMPLE_NOTE, [newVerifier(PETER.vkey)])).rejects.toThrow('no known key')
    const other = await newSigner(seed(9), 'example.com/foo')
    const [line = ''] = (await signNote('This is an example message.\n', other)).split('\n').slice(2)
    const both = `${EXAMPLE_NOTE}${line}\n`
    expect((await openNote(both, [verifier])).signatures.map(({ id }) => id)).toEqual(['530d903a'])
    expect((await openNote(both, [newVerifier(other.vkey)])).signatures.map(({ id }) => id)).toEqual([other.id])
  })

  it('is malformed without signatures, with control characters, broken off or with lines that are none', () => {
    for (const wrong of [
      '',
      'text\n',
      'text\n\n',
      EXAMPLE_NOTE.slice(0, -1),
      EXAMPLE_NOTE.replace('—', '-'),
      EXAMPLE_NOTE.replace('example message', 'example\tmessage'),
      `${EXAMPLE_NOTE}\n`,
      `${EXAMPLE_NOTE}— x AAAAAA==\n`,
      `${EXAMPLE_NOTE}— x+y AAAAAAA=\n`,
      `${EXAMPLE_NOTE}—  AAAAAAA=\n`,
      EXAMPLE_NOTE.replace('IneyaQM=', 'IneyaQN='),
      `text\n\n${'— x AAAAAAA=\n'.repeat(101)}`,
      `${'x'.repeat(1_000_000)}\n${EXAMPLE_NOTE}`,
    ])
      expect(() => parseNote(wrong), wrong.slice(0, 200)).toThrow(MalformedError)
    expect(parseNote(`text\n\n${'— x AAAAAAA=\n'.repeat(16)}`).signatures).toHaveLength(16)
  })

  it('takes the signature of any program that knows Ed25519', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const vkey = formatVkey('elsewhere', NOTE_TYPE, publicKey.export({ format: 'der', type: 'spki' }).subarray(-32))
    const verifier = newVerifier(vkey)
    const signature = sign(null, Buffer.from('Said elsewhere: é\n'), privateKey)
    const note = formatNote({ text: 'Said elsewhere: é\n', signatures: [{ ...verifier, signature }] })
    expect((await openNote(note, [verifier])).text).toBe('Said elsewhere: é\n')
  })
})
