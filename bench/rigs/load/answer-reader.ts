const HEAD_END = Buffer.from('\r\n\r\n')
/** As Node's own answers write it, and as those made from a `Response` do. */
const LENGTHS = [Buffer.from('Content-Length: '), Buffer.from('content-length: ')]
const STATUS_AT = 'HTTP/1.1 '.length
const [ZERO, NINE] = [0x30, 0x39]

/**
 * Counts whole answers in the bytes of one keep-alive connection, looking at nothing but their ends: the client must
 * not be what is measured. Every answer must have the same status and, unless it is a 304, a length.
 */
export class AnswerReader {
  /** Of the body under way, still to come. */
  #left = 0
  /** A head whose end has not come yet. */
  #begun: Buffer | undefined

  constructor(private readonly status: number) {}

  /** How many answers end in the first `length` bytes, which are not kept. */
  take(bytes: Buffer, length: number): number {
    if (this.#begun !== undefined) {
      const joined = Buffer.concat([this.#begun, bytes.subarray(0, length)])
      this.#begun = undefined
      return this.take(joined, joined.length)
    }
    let answers = 0
    let at = Math.min(this.#left, length)
    this.#left -= at
    if (at > 0 && this.#left === 0) answers += 1
    while (at < length) {
      const end = bytes.indexOf(HEAD_END, at) + HEAD_END.length
      if (end < HEAD_END.length || end > length) {
        this.#begun = Buffer.from(bytes.subarray(at, length))
        return answers
      }
      const whole = end + this.#bodyLength(bytes, at, end)
      this.#left = Math.max(0, whole - length)
      at = Math.min(whole, length)
      if (this.#left === 0) answers += 1
    }
    return answers
  }

  #bodyLength(bytes: Buffer, at: number, end: number): number {
    const status = numberAt(bytes, at + STATUS_AT)
    if (status !== this.status) throw new Error(`answered ${status} where ${this.status} was expected`)
    if (status === 304) return 0
    for (const name of LENGTHS) {
      const found = bytes.indexOf(name, at)
      if (found !== -1 && found < end) return numberAt(bytes, found + name.length)
    }
    throw new Error('answered without a Content-Length')
  }
}

function numberAt(bytes: Buffer, start: number): number {
  let value = 0
  for (let at = start; ; at++) {
    const digit = bytes[at]
    if (digit === undefined || digit < ZERO || digit > NINE) return value
    value = value * 10 + digit - ZERO
  }
}
