import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { sleep } from '../../async/sleep.ts'
import { UNSAFE } from '../../domain/words/text.ts'
import { bounded } from '../../wire/bounded.ts'
import { PATHS } from '../../wire/paths.ts'
import { retryAfterMs } from '../../wire/retry-after.ts'
import { straight } from '../../wire/straight.ts'
import { TILE_WIDTH, type TileAddress, tilePath } from '../tlog/index.ts'

/** What a directory answers cannot be read, or is not what its address promises. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError'
  constructor(
    message: string,
    /** The directory's own. Untrusted. */
    readonly hint?: string,
  ) {
    super(message)
  }
}

const DEADLINE_MS = 30_000
const MOST_TRIES = 5
/** Whoever limits reads is waited for so long at most. */
const LONGEST_WAIT_MS = 120_000
/** In bytes; no more of an answer is read. */
const LONGEST_ANSWER = 20_000_000

export interface ReadingOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
  /** Where full tiles and bundles are kept, so that they are read once; `null`: nowhere. */
  readonly folder: string | null
  readonly sleep?: ((ms: number) => Promise<void>) | undefined
}

/** Reads a directory over HTTP, politely: it waits where it is told to, and keeps what never changes. */
export class Reading {
  /** Bytes that came over the wire. */
  bytes = 0

  constructor(readonly options: ReadingOptions) {}

  async text(path: string): Promise<string> {
    const bytes = await this.#get(path)
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    } catch {
      throw new UnreadableError(`${path} is no text`)
    }
  }

  /** A document of the API; `undefined` where there is none. */
  async json(path: string): Promise<unknown> {
    const bytes = await this.#get(path, [404])
    if (bytes.length === 0) return undefined
    try {
      return JSON.parse(new TextDecoder().decode(bytes))
    } catch {
      throw new UnreadableError(`${path} is not JSON`)
    }
  }

  async tile(address: TileAddress): Promise<Uint8Array> {
    const path = tilePath(address)
    const { folder } = this.options
    // Partial ones are prefixes of what they become.
    if (folder === null || address.width < TILE_WIDTH) return this.#get(`${PATHS.log}/${path}`)
    const file = join(folder, path)
    const kept = await readFile(file).catch(() => undefined)
    if (kept !== undefined) return new Uint8Array(kept)
    const bytes = await this.#get(`${PATHS.log}/${path}`)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(`${file}.part`, bytes)
    await rename(`${file}.part`, file)
    return bytes
  }

  async #get(path: string, absent: readonly number[] = []): Promise<Uint8Array> {
    const { baseUrl, fetch, sleep: pause = sleep } = this.options
    for (let tries = 1; ; tries += 1) {
      const { status, bytes, waitMs } = await this.#ask(`${baseUrl}${path}`, fetch)
      this.bytes += bytes.length
      if (status === 200) return bytes
      if (absent.includes(status)) return new Uint8Array(0)
      const isPassing = status === 0 || status === 429 || status >= 500
      if (!isPassing || tries === MOST_TRIES)
        throw status === 0 ? new UnreadableError(`${path} does not answer`) : refusalOf(path, status, bytes)
      await pause(Math.min(LONGEST_WAIT_MS, waitMs ?? 500 * tries))
    }
  }

  async #ask(url: string, fetch: typeof globalThis.fetch) {
    try {
      const headers = { Accept: 'application/json, */*;q=0.5' }
      const answer = await straight(fetch, url, { headers, signal: AbortSignal.timeout(DEADLINE_MS) })
      const bytes = new Uint8Array(await bounded(answer, LONGEST_ANSWER).arrayBuffer())
      return { status: answer.status, bytes, waitMs: retryAfterMs(answer.headers.get('retry-after'), Date.now()) }
    } catch (error) {
      if (error instanceof RangeError) throw new UnreadableError(`${url} sends too much`)
      return { status: 0, bytes: new Uint8Array(0), waitMs: undefined }
    }
  }
}

const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').replace(UNSAFE, '')

const PROBLEM = z.object({ detail: z.string().max(1000), hint: z.string().max(1000).optional() })

/** In the words of the directory, where it has some. */
function refusalOf(path: string, status: number, bytes: Uint8Array): UnreadableError {
  const answers = `${path} answers ${status}`
  try {
    const { detail, hint } = PROBLEM.parse(JSON.parse(new TextDecoder().decode(bytes)))
    return new UnreadableError(`${answers}: ${oneLine(detail)}`, hint && oneLine(hint))
  } catch {
    return new UnreadableError(answers)
  }
}
