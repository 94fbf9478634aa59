import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { KeyQuestion } from '../wire/eip191.ts'
import { KEY_BYTES, packed } from '../wire/recovery/recover-key.mjs'
import { RECOVERING_THREAD } from '../wire/recovery/recover-thread-file.mjs'

/** What else a signed review costs the program's own thread is twice what its key takes in native code. */
const MOST_THREADS = 2

/** As many as there are processors beside the one of the program's own thread. */
const THREADS = Math.min(MOST_THREADS, availableParallelism() - 1)

/** Whether keys can be found elsewhere than in the program's own thread. */
export const HAS_THREADS = THREADS > 0

type Keys = readonly (Uint8Array | undefined)[]

/** Finds keys for others. Its answers come in the order in which it is asked. */
export class RecoveringThread {
  readonly #worker: Worker
  readonly #waiting: ((keys: Keys) => void)[] = []
  #hasEnded = false

  constructor(file: URL) {
    this.#worker = new Worker(file)
    this.#worker.on('message', (answer: Uint8Array) => {
      this.#waiting.shift()?.(keysIn(answer))
      // An idle one keeps no program alive.
      if (this.#waiting.length === 0) this.#worker.unref()
    })
    this.#worker.on('error', () => this.#end())
    this.#worker.on('exit', () => this.#end())
    this.#worker.unref()
  }

  /** Finds none once it has ended: whoever asks then finds them, or learns why not. */
  async recover(questions: readonly KeyQuestion[]): Promise<Keys> {
    if (this.#hasEnded || questions.length === 0) return []
    return new Promise((resolve) => {
      if (this.#waiting.length === 0) this.#worker.ref()
      this.#waiting.push(resolve)
      this.#worker.postMessage(packed(questions))
    })
  }

  #end(): void {
    this.#hasEnded = true
    for (const resolve of this.#waiting.splice(0)) resolve([])
  }
}

/** No key begins with a zero. */
const keysIn = (answer: Uint8Array): Keys =>
  Array.from({ length: answer.length / KEY_BYTES }, (_, index) => {
    const key = answer.subarray(index * KEY_BYTES, (index + 1) * KEY_BYTES)
    return key[0] === 0 ? undefined : key
  })

let started: readonly RecoveringThread[] | undefined

/**
 * The keys that made these signatures, by the question; none of one that nobody made. Found by threads that are started by
 * the first who asks and end with the program.
 */
export async function recoverTogether<Q extends KeyQuestion>(
  questions: readonly Q[],
): Promise<ReadonlyMap<Q, Uint8Array>> {
  started ??= Array.from({ length: THREADS }, () => new RecoveringThread(RECOVERING_THREAD))
  const share = Math.ceil(questions.length / started.length)
  const found = new Map<Q, Uint8Array>()
  await Promise.all(
    started.map(async (thread, index) => {
      const part = questions.slice(index * share, (index + 1) * share)
      for (const [place, key] of (await thread.recover(part)).entries()) {
        const question = part[place]
        if (key && question) found.set(question, key)
      }
    }),
  )
  return found
}
