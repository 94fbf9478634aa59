import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { Problem } from '../../domain/problem.ts'

/** The newest checkpoint of a log that was cosigned: its note with the cosignature, and what stands in it. */
export interface Seen {
  readonly size: number
  /** In Base 64. */
  readonly root: string
  readonly checkpoint: string
}

const FILE = 'witness.json'
const document = z.strictObject({
  logs: z.record(z.string(), z.strictObject({ size: z.int().nonnegative(), root: z.string(), checkpoint: z.string() })),
})

/** What a witness has cosigned last, by origin, in a file that is whole after whatever interrupts its writing. */
export class WitnessMemory {
  #logs: ReadonlyMap<string, Seen>
  /** What the file says as long as nobody else writes it. */
  #text: string

  private constructor(
    readonly folder: string,
    logs: Readonly<Record<string, Seen>>,
    text: string,
  ) {
    this.#logs = new Map(Object.entries(logs))
    this.#text = text
  }

  /** Reads the file; one that cannot be read is never taken for an empty one. `undefined`: there is none. */
  static async read(folder: string): Promise<WitnessMemory | undefined> {
    const text = await textIn(folder)
    if (text === undefined) return undefined
    try {
      return new WitnessMemory(folder, document.parse(JSON.parse(text)).logs, text)
    } catch {
      throw forgotten(folder, 'cannot be read')
    }
  }

  static async create(folder: string): Promise<WitnessMemory> {
    const memory = new WitnessMemory(folder, {}, '')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await memory.#write(memory.#logs)
    return memory
  }

  of(origin: string): Seen | undefined {
    return this.#logs.get(origin)
  }

  /** Resolves when it is on disk. Rejects, and remembers what it did before, when it cannot be. */
  async keep(origin: string, seen: Seen): Promise<void> {
    if ((await textIn(this.folder)) !== this.#text) throw forgotten(this.folder, 'is not as this program left it')
    await this.#write(new Map([...this.#logs, [origin, seen]]))
  }

  async #write(logs: ReadonlyMap<string, Seen>): Promise<void> {
    const file = join(this.folder, FILE)
    const draft = `${file}.new`
    const text = `${JSON.stringify({ logs: Object.fromEntries(logs) }, null, 2)}\n`
    await synced(draft, 'w', text)
    await rename(draft, file)
    // The name is on disk only when the folder is.
    await synced(this.folder, 'r')
    this.#logs = logs
    this.#text = text
  }
}

async function textIn(folder: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, FILE), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

export const forgotten = (folder: string, why: string): Problem =>
  new Problem(
    'witness-memory',
    500,
    'Witness without memory',
    `${join(folder, FILE)} ${why}: a witness that forgets could cosign two histories of one log`,
    'put the file back as it was, or begin with an empty folder, and thereby with a new key',
  )

async function synced(path: string, flags: 'w' | 'r', text?: string): Promise<void> {
  const handle = await open(path, flags, 0o600)
  try {
    if (text !== undefined) await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
