import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatAddCheckpoint, formatSize, parseAddCheckpoint, parseSize } from './add-checkpoint.ts'
import { toBase64 } from './bytes.ts'
import { formatCheckpoint, openCheckpoint, parseCheckpoint } from './checkpoint.ts'
import { cosignedAtS, newCosignatureVerifier, newCosigner } from './cosignature.ts'
import { MalformedError, UntrustedError } from './errors.ts'
import { formatNote, openNote, parseNote, parseSignatureLines, signatureLine, signNote } from './note.ts'
import { COSIGNATURE_TYPE, formatVkey, NOTE_TYPE, newSigner, newVerifier } from './note-key.ts'
import { verifyConsistency } from './proof.ts'
import { formatProof, parseProof } from './proof-text.ts'
import { ADD_CHECKPOINT, COSIGNATURES, COSIGNED, GROWING } from './testing/published.ts'

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 })
const line = fc.stringMatching(/^[!-~é][ -~é]{0,20}$/u)
const checkpoints = fc.record({
  origin: line,
  size: fc.maxSafeNat(),
  root: hash,
  extensions: fc.array(line, { maxLength: 3 }),
})
const seed = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)

describe('a checkpoint', () => {
  it('is read and written as the example', () => {
    const { text } = parseNote(COSIGNED)
    const { origin, size, root } = parseCheckpoint(text)
    expect({ origin, size }).toEqual({ origin: 'example.com/behind-the-sofa', size: 20_852_163 })
    expect(toBase64(root)).toBe('CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=')
    expect(formatCheckpoint({ origin, size, root })).toBe(text)
  })

  it('is read back', () => {
    fc.assert(
      fc.property(checkpoints, (one) => {
        expect(parseCheckpoint(formatCheckpoint(one))).toEqual(one)
      }),
    )
  })

  it('is refused with other sizes, roots and lines', () => {
    const root = toBase64(seed(1))
    for (const wrong of [
      '',
      'x\n1\n',
      `\n1\n${root}\n`,
      `x\n01\n${root}\n`,
      `x\n-1\n${root}\n`,
      `x\n+1\n${root}\n`,
      `x\n9007199254740993\n${root}\n`,
      `x\n1\n${root}`,
      `x\n1\n${root}\n\n`,
      'x\n1\nAAAA\n',
      `x\n1\n${root.slice(0, -1)}\n`,
    ])
      expect(() => parseCheckpoint(wrong), wrong).toThrow(MalformedError)
    expect(() => formatCheckpoint({ origin: '', size: 1, root: seed(1) })).toThrow(RangeError)
    expect(() => formatCheckpoint({ origin: 'x', size: 1, root: seed(1), extensions: [''] })).toThrow(RangeError)
    expect(() => formatCheckpoint({ origin: 'x', size: -1, root: seed(1) })).toThrow(RangeError)
  })

  it("opens only with the log's own signature, under its own name", async () => {
    const log = await newSigner(seed(1), 'log.example')
    const witness = await newCosigner(seed(2), 'witness.example')
    const text = formatCheckpoint({ origin: 'log.example', size: 3, root: seed(3) })
    const note = await signNote(text, log)
    const cosigned = note + signatureLine(await witness.cosign(text, 1_700_000_000))
    const [logKey, witnessKey] = [newVerifier(log.vkey), newCosignatureVerifier(witness.vkey)]
    const opened = await openCheckpoint(cosigned, logKey, [witnessKey])
    expect(opened).toMatchObject({ size: 3, text })
    expect(opened.signatures.map(({ name }) => name)).toEqual(['log.example', 'witness.example'])
    expect((await openCheckpoint(cosigned, logKey)).signatures).toHaveLength(1)
    const onlyWitness = formatNote({ text, signatures: parseNote(cosigned).signatures.slice(1) })
    await expect(openCheckpoint(onlyWitness, logKey, [witnessKey])).rejects.toThrow(UntrustedError)
    const foreign = await signNote(formatCheckpoint({ origin: 'other.example', size: 3, root: seed(3) }), log)
    await expect(openCheckpoint(foreign, logKey)).rejects.toThrow('other.example')
  })
})

describe('a cosignature', () => {
  it('carries the time of the example', () => {
    const [, cosignature] = parseNote(COSIGNED).signatures
    expect(cosignedAtS(cosignature?.signature ?? seed(0))).toBe(1_679_315_147)
    expect(formatNote(parseNote(COSIGNED))).toBe(COSIGNED)
    expect(parseSignatureLines(COSIGNATURES).map(signatureLine).join('')).toBe(COSIGNATURES)
  })

  it('signs time and text, and is of another key than the log’s signature', async () => {
    const { name, id, vkey, cosign } = await newCosigner(seed(4), 'witness.example')
    const verifier = newCosignatureVerifier(vkey)
    await fc.assert(
      fc.asyncProperty(checkpoints, fc.nat(), fc.integer({ min: 1, max: 9 }), async (one, timeS, later) => {
        const text = formatCheckpoint(one)
        const { signature } = await cosign(text, timeS)
        expect(await verifier.verify(text, signature)).toBe(true)
        expect(cosignedAtS(signature)).toBe(timeS)
        expect(await verifier.verify(`${text}more\n`, signature)).toBe(false)
        const moved = signature.map((byte, at) => (at === 7 ? byte ^ later : byte))
        expect(await verifier.verify(text, moved)).toBe(false)
      }),
      { numRuns: 30 },
    )
    const log = await newSigner(seed(4), name)
    expect(log.id).not.toBe(id)
    expect(() => newVerifier(vkey)).toThrow(MalformedError)
    expect(() => newCosignatureVerifier(log.vkey)).toThrow(MalformedError)
    expect(vkey).toMatch(/^witness\.example\+[0-9a-f]{8}\+B/)
    expect(cosignedAtS(seed(0))).toBeUndefined()
    expect(formatVkey(name, COSIGNATURE_TYPE, seed(1))).not.toBe(formatVkey(name, NOTE_TYPE, seed(1)))
  })
})

describe('what a log sends to a witness', () => {
  it('is read and written as the example', () => {
    const request = parseAddCheckpoint(ADD_CHECKPOINT)
    expect(request.oldSize).toBe(20_852_014)
    expect(request.proof).toHaveLength(4)
    expect(parseNote(request.checkpoint).signatures).toHaveLength(2)
    expect(formatAddCheckpoint(request)).toBe(ADD_CHECKPOINT)
  })

  it('proves that another program’s log goes on from size 1', async () => {
    const verifier = newVerifier(formatVkey(GROWING.name, NOTE_TYPE, Buffer.from(GROWING.key, 'hex')))
    const first = await openCheckpoint(parseAddCheckpoint(GROWING.first).checkpoint, verifier)
    for (const body of GROWING.later) {
      const { oldSize, proof, checkpoint } = parseAddCheckpoint(body)
      const { size, root } = await openCheckpoint(checkpoint, verifier)
      expect(verifyConsistency(oldSize, size, proof, first.root, root)).toBe(true)
      expect(verifyConsistency(oldSize, size, proof.toReversed(), first.root, root)).toBe(false)
    }
  })

  it('is read back, also the size that a witness names', () => {
    const requests = fc.record({
      oldSize: fc.maxSafeNat(),
      proof: fc.array(hash, { maxLength: 63 }),
      checkpoint: line.map((text) => `${text}\n\n— x AAAAAAA=\n`),
    })
    fc.assert(
      fc.property(requests, (one) => {
        expect(parseAddCheckpoint(formatAddCheckpoint(one))).toEqual(one)
      }),
    )
    fc.assert(
      fc.property(fc.maxSafeNat(), (size) => {
        expect(parseSize(formatSize(size))).toBe(size)
      }),
    )
  })

  it('is refused otherwise', () => {
    const tooMany = formatAddCheckpoint({
      oldSize: 1,
      proof: Array.from({ length: 64 }, () => seed(1)),
      checkpoint: 'x',
    })
    for (const wrong of ['', 'old 1\n', 'old 01\n\nx', 'new 1\n\nx', 'old 1\nAAAA\n\nx', 'old  1\n\nx', tooMany])
      expect(() => parseAddCheckpoint(wrong), wrong.slice(0, 40)).toThrow(MalformedError)
    for (const wrong of ['', '1', '01\n', '1\n\n', 'x\n', '-1\n'])
      expect(() => parseSize(wrong)).toThrow(MalformedError)
  })
})

describe('the text of a proof', () => {
  it('has the form of the example', () => {
    const text = formatProof({
      index: 73_894,
      hashes: [seed(1), seed(2)],
      checkpoint: COSIGNED,
      extra: seed(3).subarray(0, 3),
    })
    expect(text.split('\n').slice(0, 6)).toEqual([
      'c2sp.org/tlog-proof@v1',
      'extra AwMD',
      'index 73894',
      toBase64(seed(1)),
      toBase64(seed(2)),
      '',
    ])
    expect(text.endsWith(`\n\n${COSIGNED}`)).toBe(true)
  })

  it('is read back', () => {
    const proofs = fc.record(
      {
        index: fc.maxSafeNat(),
        hashes: fc.array(hash, { maxLength: 63 }),
        checkpoint: fc.constant(COSIGNED),
        extra: fc.uint8Array({ minLength: 1 }),
      },
      { requiredKeys: ['index', 'hashes', 'checkpoint'] },
    )
    fc.assert(
      fc.property(proofs, (one) => {
        expect(parseProof(formatProof(one))).toEqual(one)
      }),
    )
  })

  it('is refused otherwise', async () => {
    const proof = formatProof({ index: 1, hashes: [seed(1)], checkpoint: COSIGNED })
    for (const wrong of [
      '',
      proof.replace('@v1', '@v2'),
      proof.replace('index 1', 'index 01'),
      proof.replace('index 1\n', ''),
      proof.replace('index 1', 'index 1\nextra AwMD'),
      proof.replace('\n\n', '\n'),
    ])
      expect(() => openedProof(wrong), wrong.slice(0, 60)).toThrow(MalformedError)
    await expect(openNote(parseProof(proof).checkpoint, [])).rejects.toThrow(UntrustedError)
  })
})

/** A proof without its empty line ends where the checkpoint's own is, and its checkpoint is none. */
const openedProof = (text: string) => parseNote(parseProof(text).checkpoint)
