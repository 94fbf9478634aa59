import { straight } from '../wire/straight.ts'
import {
  COSIGNATURE_TYPE,
  concat,
  consistencyProof,
  cosignedAtS,
  formatAddCheckpoint,
  type NoteVerifier,
  newCosignatureVerifier,
  openNote,
  parseCheckpoint,
  parseNote,
  parseSize,
  parseVkey,
  type ReadTile,
  signatureLine,
  textOf,
} from './tlog/index.ts'

/** A witness as `LOG_WITNESSES` names it: its key, and where its `add-checkpoint` is. */
export interface WitnessAddress {
  readonly vkey: string
  readonly address: string
}

const isSpokenWith = ({ vkey }: WitnessAddress): boolean => parseVkey(vkey).type === COSIGNATURE_TYPE

/** Of those that are asked. */
export const witnessNames = (addresses: readonly WitnessAddress[]): string[] =>
  addresses.filter(isSpokenWith).map(({ vkey }) => parseVkey(vkey).name)

/** What one witness made of a checkpoint. */
export type WitnessOutcome = { readonly vkey: string } & (
  | { readonly kind: 'cosigned'; readonly line: string; readonly timeS: number }
  /** It has cosigned a larger tree than this one: somebody else has signed for this log, or it was put back. */
  | { readonly kind: 'ahead'; readonly size: number }
  | { readonly kind: 'failed'; readonly reason: string }
)

export interface WitnessesOptions {
  readonly fetch: typeof globalThis.fetch
  /** Each of them gets so long, all at once. */
  readonly mostMs: number
}

const MOST_BYTES = 100_000
/** A witness that names another size each time is not followed any further. */
const MOST_TRIES = 3

interface Known {
  readonly vkey: string
  readonly url: string
  readonly verifier: NoteVerifier
  /** What it has cosigned last, as far as is known. */
  size: number
}

/** Asks witnesses for their cosignatures. What one of them does, or leaves undone, is its own outcome and nobody else's. */
export class Witnesses {
  readonly #known: readonly Known[]
  readonly #options: WitnessesOptions

  /** Keys of types that are not spoken here are passed over. */
  constructor(addresses: readonly WitnessAddress[], options: WitnessesOptions) {
    this.#options = options
    this.#known = addresses.filter(isSpokenWith).map(({ vkey, address }) => ({
      vkey,
      url: `${address.replace(/\/+$/, '')}/add-checkpoint`,
      verifier: newCosignatureVerifier(vkey),
      size: 0,
    }))
  }

  get vkeys(): string[] {
    return this.#known.map(({ vkey }) => vkey)
  }

  /** Asks all of them at once about a signed checkpoint, whose tree the tiles hold. Never rejects. */
  cosign(checkpoint: string, readTile: ReadTile): Promise<WitnessOutcome[]> {
    return Promise.all(this.#known.map((witness) => this.#ask(witness, checkpoint, readTile)))
  }

  async #ask(witness: Known, checkpoint: string, readTile: ReadTile): Promise<WitnessOutcome> {
    const { vkey } = witness
    const signal = AbortSignal.timeout(this.#options.mostMs)
    try {
      const { text } = parseNote(checkpoint)
      const { size } = parseCheckpoint(text)
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        if (witness.size > size) return { vkey, kind: 'ahead', size: witness.size }
        const proof = await consistencyProof(readTile, witness.size, size)
        const body = formatAddCheckpoint({ oldSize: witness.size, proof, checkpoint })
        const { status, answer } = await this.#post(witness.url, body, signal)
        if (status === 200) {
          const cosigned = await cosignatureIn(answer, text, witness.verifier)
          witness.size = size
          return { vkey, kind: 'cosigned', ...cosigned }
        }
        if (status !== 409) return { vkey, kind: 'failed', reason: `it answers ${status}` }
        witness.size = parseSize(answer)
      }
      return { vkey, kind: 'failed', reason: 'it names another size each time' }
    } catch (error) {
      return { vkey, kind: 'failed', reason: signal.aborted ? 'it did not answer in time' : messageOf(error) }
    }
  }

  async #post(url: string, body: string, signal: AbortSignal): Promise<{ status: number; answer: string }> {
    const response = await straight(this.#options.fetch, url, { method: 'POST', body, signal })
    return { status: response.status, answer: await textIn(response) }
  }
}

async function textIn({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body ?? []) {
    parts.push(part)
    length += part.length
    if (length > MOST_BYTES) throw new Error(`it sends more than ${MOST_BYTES} bytes`)
  }
  return textOf(concat(parts))
}

async function cosignatureIn(answer: string, text: string, verifier: NoteVerifier) {
  const { signatures } = await openNote(`${text}\n${answer}`, [verifier])
  const [signature] = signatures
  const timeS = signature === undefined ? undefined : cosignedAtS(signature.signature)
  if (signature === undefined || timeS === undefined) throw new Error('it sends no cosignature')
  return { line: signatureLine(signature), timeS }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
