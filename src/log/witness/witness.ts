import {
  type AddCheckpoint,
  type Checkpoint,
  type Cosigner,
  EMPTY_ROOT,
  equal,
  formatSize,
  fromBase64,
  MalformedError,
  type NoteVerifier,
  openNote,
  parseAddCheckpoint,
  parseCheckpoint,
  parseNote,
  SIZE_TYPE,
  signatureLine,
  toBase64,
  UntrustedError,
  verifyConsistency,
} from '../tlog/index.ts'
import type { WitnessMemory } from './memory.ts'

/** What a witness says: a cosignature, the size it knows, or why not. */
export type Verdict =
  | { readonly status: 200; readonly cosignature: string }
  | { readonly status: 409; readonly size: string; readonly type: typeof SIZE_TYPE }
  | { readonly status: 400 | 403 | 404 | 422; readonly detail: string }

export interface WitnessOptions {
  readonly cosigner: Cosigner
  /** The keys of the logs that are watched; a log may have several while it changes from one to another. */
  readonly logs: readonly NoteVerifier[]
  readonly memory: WitnessMemory
  readonly nowS: () => number
}

/** Cosigns checkpoints of the logs it watches, each of them only as what it has seen before and more. */
export class Witness {
  readonly #options: WitnessOptions
  /** One at a time: between looking at what is remembered and remembering more nobody else may do either. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: WitnessOptions) {
    this.#options = options
  }

  /** The answer to `add-checkpoint` (`c2sp.org/tlog-witness`). Rejects when what it has seen cannot be kept. */
  addCheckpoint(body: string): Promise<Verdict> {
    const answering = this.#last.then(() => this.#judge(body))
    this.#last = answering.catch(() => undefined)
    return answering
  }

  async #judge(body: string): Promise<Verdict> {
    try {
      const request = parseAddCheckpoint(body)
      const { text } = parseNote(request.checkpoint)
      const checkpoint = parseCheckpoint(text)
      const keys = this.#options.logs.filter(({ name }) => name === checkpoint.origin)
      if (keys.length === 0) return { status: 404, detail: `no log ${checkpoint.origin} is watched here` }
      const { signatures } = await openNote(request.checkpoint, keys)
      const signed = `${text}\n${signatures.map((signature) => signatureLine(signature)).join('')}`
      return this.#refusal(request, checkpoint) ?? (await this.#cosign(checkpoint, text, signed))
    } catch (error) {
      if (error instanceof MalformedError) return { status: 400, detail: error.message }
      if (error instanceof UntrustedError) return { status: 403, detail: error.message }
      throw error
    }
  }

  #refusal({ oldSize, proof }: AddCheckpoint, { origin, size, root }: Checkpoint): Verdict | undefined {
    if (oldSize > size) return { status: 400, detail: `the old size ${oldSize} is beyond the checkpoint's ${size}` }
    const seen = this.#options.memory.of(origin)
    const known = seen?.size ?? 0
    if (oldSize !== known) return { status: 409, size: formatSize(known), type: SIZE_TYPE }
    if (size === 0 && !equal(root, EMPTY_ROOT)) return { status: 422, detail: 'the root is not that of an empty tree' }
    const before = seen === undefined ? EMPTY_ROOT : fromBase64(seen.root)
    if (verifyConsistency(oldSize, size, proof, before, root)) return undefined
    return { status: 422, detail: `the tree does not go on from the ${oldSize} entries that were seen before` }
  }

  /** What is given out was remembered before. */
  async #cosign({ origin, size, root }: Checkpoint, text: string, signed: string): Promise<Verdict> {
    const { cosigner, memory, nowS } = this.#options
    const cosignature = signatureLine(await cosigner.cosign(text, nowS()))
    await memory.keep(origin, { size, root: toBase64(root), checkpoint: `${signed}${cosignature}` })
    return { status: 200, cosignature }
  }
}
