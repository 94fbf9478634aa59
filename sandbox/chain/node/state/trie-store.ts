import type { BatchDBOp, DB } from '@ethereumjs/util'

export type TrieNode = [key: string, value: string]

/**
 * The nodes of all state there ever was, and code, under the hashes of their content. Nothing is taken out: older
 * blocks still point to it. What is new since it was last kept is known, so that it can be written down.
 */
export class TrieStore implements DB<string, string | Uint8Array> {
  readonly #nodes = new Map<string, string>()
  #fresh: TrieNode[] = []

  get fresh(): TrieNode[] {
    return this.#fresh
  }

  /** What was new is written down. */
  keepFresh(): void {
    this.#fresh = []
  }

  /** What was new could not be written down, so it never was. */
  dropFresh(): void {
    for (const [key] of this.#fresh) this.#nodes.delete(key)
    this.#fresh = []
  }

  restore(nodes: readonly TrieNode[]): void {
    for (const [key, value] of nodes) this.#nodes.set(key, value)
  }

  async get(key: string): Promise<string | undefined> {
    return this.#nodes.get(key)
  }

  async put(key: string, value: string | Uint8Array): Promise<void> {
    // What was only read comes back with what is written.
    if (this.#nodes.has(key)) return
    const text = typeof value === 'string' ? value : Buffer.from(value).toString('hex')
    this.#nodes.set(key, text)
    this.#fresh.push([key, text])
  }

  async del(): Promise<void> {}

  async batch(operations: BatchDBOp<string, string | Uint8Array>[]): Promise<void> {
    for (const operation of operations) if (operation.type === 'put') await this.put(operation.key, operation.value)
  }

  shallowCopy(): this {
    return this
  }

  async open(): Promise<void> {}
}

/** Another's store for one who only tries things: what comes of that is its own, until it is forgotten. */
export class ScratchStore extends TrieStore {
  constructor(private readonly kept: TrieStore) {
    super()
  }

  override async get(key: string): Promise<string | undefined> {
    return (await super.get(key)) ?? this.kept.get(key)
  }
}
