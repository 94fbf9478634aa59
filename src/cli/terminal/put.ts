import { once } from 'node:events'
import type { Writable } from 'node:stream'

/** Writes, and waits while the reader is behind. Rejects when writing fails; leaves no listener behind either way. */
export async function put(out: Writable, text: string): Promise<void> {
  if (!out.write(text)) await once(out, 'drain')
}
