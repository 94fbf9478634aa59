import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { createGzip, type Gzip } from 'node:zlib'
import type { WrittenRecord } from '../wire/records.ts'
import { digestOf } from './digest.ts'
import type { ArchivedFile } from './manifest.ts'

/** So many records are in one file at most: services take a few gigabytes in one piece. */
const MOST_RECORDS = 5_000_000

interface Part {
  readonly month: string
  readonly local: string
  readonly gzip: Gzip
  readonly file: WriteStream
  readonly written: Promise<void>
  records: number
}

export interface LocalFile extends Omit<ArchivedFile, 'file'> {
  readonly local: string
}

/** Records by month, each month in compressed files of a local folder. */
export class MonthFiles {
  readonly #open = new Map<string, Part>()
  readonly #full: Part[] = []

  constructor(private readonly folder: string) {}

  async add(month: string, records: readonly WrittenRecord[]): Promise<void> {
    const known = this.#open.get(month)
    if (known !== undefined && known.records + records.length > MOST_RECORDS) this.#full.push(known)
    const part = known === undefined || this.#full.includes(known) ? this.#begin(month) : known
    part.records += records.length
    const hasRoom = part.gzip.write(records.map((record) => `${JSON.stringify(record)}\n`).join(''))
    if (!hasRoom) await Promise.race([once(part.gzip, 'drain'), part.written])
  }

  /** All files, whole, with what they are known by. */
  async end(): Promise<LocalFile[]> {
    const parts = [...this.#full, ...this.#open.values()]
    const files: LocalFile[] = []
    for (const { month, local, gzip, written, records } of parts) {
      gzip.end()
      await written
      files.push({ month, local, records, ...(await digestOf(local)) })
    }
    return files
  }

  /** Lets go of what is still open: a file that is removed while it is open keeps its room on the disk. */
  close(): void {
    for (const { gzip, file } of [...this.#full, ...this.#open.values()]) {
      gzip.destroy()
      file.destroy()
    }
  }

  #begin(month: string): Part {
    const local = join(this.folder, `${month}-${this.#full.length}.gz`)
    const gzip = createGzip()
    const file = createWriteStream(local, { mode: 0o600 })
    gzip.on('error', (error) => file.destroy(error))
    const part = { month, local, gzip, file, written: finished(gzip.pipe(file)), records: 0 }
    // Looked at when it ends; until then nobody waits for it.
    part.written.catch(() => undefined)
    this.#open.set(month, part)
    return part
  }
}
