import { createHash } from 'node:crypto'
import { z } from 'zod'
import { linesOf } from './lines.ts'

/** A key that has signed the log of the store, which the records do not hold, and the head that it may have signed last. */
const KEY = z.strictObject({ vkey: z.string(), size: z.int(), root: z.string() })

export type SealedKey = Readonly<z.infer<typeof KEY>>

/**
 * The last line of a backup that holds records: how many stand before it, who signed the log, and the digest of all of it. A
 * file that was cut short or changed on its way has another, or none. Backups of earlier versions name no key.
 */
const SEAL = z.strictObject({
  kind: z.literal('end'),
  records: z.int(),
  log: z.array(KEY).optional(),
  sha256: z.string(),
})

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
  end(log?: readonly SealedKey[]): string {
    if (log !== undefined) this.#hash.update(JSON.stringify(log))
    const sealed = { kind: 'end', records: this.#records, log, sha256: this.#hash.digest('hex') }
    return `${JSON.stringify(sealed)}\n`
  }
}

/** The lines of a sealed file, some at a time, each with its end and without the seal. Rejects at the end when it is not whole. */
export async function* unsealed(
  file: string,
  onKeys: (keys: readonly SealedKey[]) => void = () => undefined,
): AsyncGenerator<string> {
  const written = new Seal()
  let last: string | undefined
  for await (const lines of linesOf(file, LONGEST_LINE)) {
    const before: string[] = last === undefined ? [...lines] : [last, ...lines]
    last = before.pop()
    if (before.length > 0) yield written.add(before)
  }
  const seal = sealIn(last)
  if (seal === undefined) throw new Error('its end is missing')
  if (`${last}\n` !== written.end(seal.log)) throw new Error('it was changed since it was written')
  onKeys(seal.log ?? [])
}

function sealIn(line: string | undefined): z.infer<typeof SEAL> | undefined {
  try {
    return SEAL.safeParse(JSON.parse(line ?? '')).data
  } catch {
    return undefined
  }
}
