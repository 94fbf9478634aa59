/**
 * SHA-256 that answers at once. Node's own takes long messages. Short ones, which are most of a tree, are done here sooner
 * than Node's is reached; and of what browsers have, everything makes its caller wait.
 */
const BLOCK = 64
/** From this many bytes on Node's own is the sooner one. */
const LONG = 100

const node = globalThis.process?.getBuiltinModule?.('node:crypto')

function primes(count: number): number[] {
  const found: number[] = []
  for (let candidate = 2; found.length < count; candidate++)
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate)
  return found
}

/** The first 32 bits behind the point. */
const fractionOf = (root: number): number => Math.floor((root % 1) * 2 ** 32) | 0
const PRIMES = primes(64)
const START = Int32Array.from(PRIMES.slice(0, 8), (prime) => fractionOf(Math.sqrt(prime)))
const CONSTANTS = Int32Array.from(PRIMES, (prime) => fractionOf(Math.cbrt(prime)))

const schedule = new Int32Array(64)
const state = new Int32Array(8)
const last = new Uint8Array(2 * BLOCK)
const lastView = new DataView(last.buffer)

const word = (words: Int32Array, at: number): number => words[at] ?? 0
const rotated = (value: number, by: number): number => (value >>> by) | (value << (32 - by))

function compress(block: DataView, from: number): void {
  for (let t = 0; t < 16; t++) schedule[t] = block.getInt32(from + 4 * t)
  for (let t = 16; t < 64; t++) {
    const far = word(schedule, t - 15)
    const near = word(schedule, t - 2)
    const s0 = rotated(far, 7) ^ rotated(far, 18) ^ (far >>> 3)
    const s1 = rotated(near, 17) ^ rotated(near, 19) ^ (near >>> 10)
    schedule[t] = (word(schedule, t - 16) + s0 + word(schedule, t - 7) + s1) | 0
  }
  let a = word(state, 0)
  let b = word(state, 1)
  let c = word(state, 2)
  let d = word(state, 3)
  let e = word(state, 4)
  let f = word(state, 5)
  let g = word(state, 6)
  let h = word(state, 7)
  for (let t = 0; t < 64; t++) {
    const s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + word(CONSTANTS, t) + word(schedule, t)) | 0
    const s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  state[0] = word(state, 0) + a
  state[1] = word(state, 1) + b
  state[2] = word(state, 2) + c
  state[3] = word(state, 3) + d
  state[4] = word(state, 4) + e
  state[5] = word(state, 5) + f
  state[6] = word(state, 6) + g
  state[7] = word(state, 7) + h
}

function digestHere(message: Uint8Array, out: Uint8Array, at: number): void {
  state.set(START)
  const view = new DataView(message.buffer, message.byteOffset, message.length)
  const whole = message.length - (message.length % BLOCK)
  for (let from = 0; from < whole; from += BLOCK) compress(view, from)
  const rest = message.length - whole
  last.fill(0)
  for (let from = 0; from < rest; from++) last[from] = message[whole + from] ?? 0
  last[rest] = 0x80
  const end = rest + 9 > BLOCK ? 2 * BLOCK : BLOCK
  lastView.setUint32(end - 8, Math.floor(message.length / 2 ** 29))
  lastView.setUint32(end - 4, (message.length * 8) % 2 ** 32)
  for (let from = 0; from < end; from += BLOCK) compress(lastView, from)
  for (let from = 0; from < 8; from++) {
    const value = word(state, from)
    out[at + 4 * from] = value >>> 24
    out[at + 4 * from + 1] = value >>> 16
    out[at + 4 * from + 2] = value >>> 8
    out[at + 4 * from + 3] = value
  }
}

/** The 32 bytes, written into `out` from `at` on where it is given. */
export function sha256(message: Uint8Array, out: Uint8Array = new Uint8Array(32), at = 0): Uint8Array {
  if (node === undefined || message.length < LONG) digestHere(message, out, at)
  else out.set(node.hash('sha256', message, 'buffer'), at)
  return out
}
