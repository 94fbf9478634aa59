import { createKeccak } from 'hash-wasm'

const hasher = await createKeccak(256)

/** Keccak-256, 32 bytes. WebAssembly: JavaScript takes twenty times as long, longer than recovering the key of a signature. */
export const keccak = (bytes: Uint8Array): Uint8Array => hasher.init().update(bytes).digest('binary')
