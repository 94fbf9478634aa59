import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'

/** Writes, and waits while the reader is behind. Rejects when writing fails; leaves no listener behind either way. */
export async function put(out: Writable, text: string): Promise<void> {
  if (!out.write(text)) await once(out, 'drain')
}

/** Resolves when all that was written is where it goes. Rejects when writing fails, or has failed since the last `put`. */
export const end = (out: Writable): Promise<void> => finished(out.end())
