import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants, gunzip } from 'node:zlib'
import { EVERY_ANSWER } from '../answer.ts'
import type { Coding } from '../negotiation.ts'
import { etagOf } from './etag.ts'
import { gzipped } from './gzip.ts'

/** Of what is there once and never changes. */
export const FOR_EVER = 'public, max-age=31536000, immutable'

/** What a route renders: a page before it has a coding, a tag or a place in the cache. */
export interface Rendered {
  readonly contentType: string
  readonly text: string | Uint8Array
  /** It never changes: it stands whatever is written, and others may keep it for ever. Of bytes that are no text. */
  readonly isImmutable?: true
  /** So long at most, of a page that says how long ago something was. */
  readonly standsForMs?: number | undefined
  /** Beyond those that every page has. */
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/** One coding of a page, ready to be sent any number of times. */
export interface Encoded {
  readonly bytes: Buffer
  readonly etag: string
  readonly ok: KnownHead
  readonly notModified: KnownHead
}

/** What a head holds that is the same for everybody. */
export interface KnownHead {
  readonly status: 200 | 304
  /** Flat list of names and values. */
  readonly headers: readonly string[]
  /** The same as it travels; written when first sent. */
  text: string | undefined
}

type Recoding<From> = Readonly<Record<Exclude<Coding, 'identity'>, (from: From) => Promise<Buffer>>>

export const compress: Recoding<string | Buffer> = {
  gzip: gzipped,
  br: (from) => {
    const bytes = asBytes(from)
    return promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength },
    })
  },
}

const asBytes = (from: string | Buffer): Buffer => (typeof from === 'string' ? Buffer.from(from) : from)

/** Bytes in room of their own: what a compressor answers is the beginning of the room it worked in, and keeps all of that. */
function apart(bytes: Buffer): Buffer {
  if (bytes.byteLength === bytes.buffer.byteLength) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.byteLength)
  own.set(bytes)
  return own
}

const decompress: Recoding<Buffer> = { gzip: promisify(gunzip), br: promisify(brotliDecompress) }

/**
 * One version of a page's bytes. Each coding is made once, on first use. Only what was asked for is kept: almost everybody takes
 * pages compressed, and the plain bytes are several times as many; whoever wants them has them unpacked.
 */
export class BytePage {
  /** Without the text: its bytes are what is kept. */
  readonly #rendered: Omit<Rendered, 'text'>
  /** Until some coding of it is kept. */
  #source: string | Buffer | undefined
  readonly #making = new Map<Coding, Promise<Encoded>>()
  readonly #made = new Map<Coding, Encoded>()

  constructor(
    rendered: Rendered,
    /** Told how many bytes more, or less, the page now holds. */
    private readonly onChanged: (bytes: number) => void = () => undefined,
  ) {
    const { text, ...kept } = rendered
    this.#rendered = kept
    this.#source = typeof text === 'string' ? text : Buffer.from(text)
  }

  /** What it holds, of all codings together; of a text about. */
  get byteLength(): number {
    const made = [...this.#made.values()].map(({ bytes }) => bytes.byteLength)
    return made.reduce((sum, bytes) => sum + bytes, this.#source?.length ?? 0)
  }

  get isImmutable(): boolean {
    return this.#rendered.isImmutable === true
  }

  /** Without waiting: `undefined` while this coding has not been made. */
  ready(coding: Coding): Encoded | undefined {
    return this.#made.get(coding)
  }

  encoded(coding: Coding): Promise<Encoded> {
    const ready = this.#made.get(coding)
    if (ready !== undefined) return Promise.resolve(ready)
    const under = this.#making.get(coding)
    if (under !== undefined) return under
    const making = this.#recoded(coding).finally(() => this.#making.delete(coding))
    this.#making.set(coding, making)
    return making
  }

  async #recoded(coding: Coding): Promise<Encoded> {
    const source = this.#source ?? (await this.#plainBytes())
    const bytes = apart(coding === 'identity' ? asBytes(source) : await compress[coding](source))
    const before = this.byteLength
    const encoded = this.#keep(coding, bytes)
    this.#source = undefined
    this.onChanged(this.byteLength - before)
    return encoded
  }

  async #plainBytes(): Promise<Buffer> {
    const kept = this.#made.get('identity')?.bytes
    if (kept !== undefined) return kept
    for (const [coding, { bytes }] of this.#made) if (coding !== 'identity') return decompress[coding](bytes)
    throw new Error('a page without bytes')
  }

  #keep(coding: Coding, bytes: Buffer): Encoded {
    const etag = etagOf(bytes)
    const { contentType, headers } = this.#rendered
    const caching = this.isImmutable ? FOR_EVER : 'no-cache'
    const validators = ['ETag', etag, 'Cache-Control', caching, ...headers.flat()]
    const type = this.isImmutable ? contentType : `${contentType}; charset=utf-8`
    const every = Object.entries(EVERY_ANSWER).flat()
    const encoded: Encoded = {
      bytes,
      etag,
      ok: headOf(200, [
        ...['Content-Type', type, 'Content-Length', String(bytes.byteLength)],
        ...(coding === 'identity' ? [] : ['Content-Encoding', coding]),
        ...validators,
        ...every,
      ]),
      notModified: headOf(304, [...validators, ...every]),
    }
    this.#made.set(coding, encoded)
    return encoded
  }
}

const headOf = (status: KnownHead['status'], headers: string[]): KnownHead => ({ status, headers, text: undefined })
