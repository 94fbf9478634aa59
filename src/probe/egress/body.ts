const FIRST_BYTES = 1024

/** A body while it arrives. Copied together, because a seller that sends single bytes would otherwise fill memory with their wrappings. */
export class Body {
  #bytes = new Uint8Array(0)
  #size = 0

  append(chunk: Uint8Array): void {
    const size = this.#size + chunk.length
    if (size > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(FIRST_BYTES, size, 2 * this.#bytes.length))
      grown.set(this.#bytes)
      this.#bytes = grown
    }
    this.#bytes.set(chunk, this.#size)
    this.#size = size
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#size)
  }
}
