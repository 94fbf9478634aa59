import { createHash } from 'node:crypto'
import { z } from 'zod'
import { linesOf } from './lines.ts'

/**
 * The last line of a backup that holds records: how many stand before it, and the digest of their lines. A file that was
 * cut short or changed on its way has another, or none.
 */
const seal = z.strictObject({ kind: z.literal('end'), records: z.int(), sha256: z.string() })

/** In characters, as an import reads them. */
const LONGEST_LINE = 1_000_000

/** Counts and digests lines as they are written. */
export class Seal {
  #records = 0
  readonly #hash = createHash('sha256')

  /** The lines with their ends. */
  add(lines: readonly string[]): string {
    const text = lines.map((line) => `${line}\n`).join('')
    this.#records += lines.length
    this.#hash.update(text)
    return text
  }

  /** The last line, with its end. */
  end(): string {
    return `${JSON.stringify({ kind: 'end', records: this.#records, sha256: this.#hash.digest('hex') })}\n`
  }
}

/** The lines of a sealed file, each with its end and without the seal. Rejects at the end when it is not whole. */
export async function* unsealed(file: string): AsyncGenerator<string> {
  const written = new Seal()
  let last: string | undefined
  for await (const line of linesOf(file, LONGEST_LINE)) {
    if (last !== undefined) yield written.add([last])
    last = line
  }
  if (!isSeal(last)) throw new Error('its end is missing')
  if (`${last}\n` !== written.end()) throw new Error('it was changed since it was written')
}

function isSeal(line: string | undefined): line is string {
  try {
    return seal.safeParse(JSON.parse(line ?? '')).success
  } catch {
    return false
  }
}
