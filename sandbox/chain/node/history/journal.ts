import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  statSync,
} from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { Problem } from '../../../../src/domain/problem.ts'
import { type Entry, entry } from './entry.ts'

/**
 * A file of lines to which a chain appends what happens to it, before anybody is told. A line counts when it is whole:
 * one that was cut short when its writer was killed is dropped by the next, so that no chain is half written.
 *
 * It has one owner and no lock that a killed program could leave behind: a file that grows is somebody's, and one that
 * has grown under its owner's hands is not the owner's any more.
 */
export class Journal {
  #size: number

  private constructor(private readonly fd: number) {
    this.#size = fstatSync(fd).size
  }

  /** Also what happened before. */
  static async open(file: string): Promise<{ journal: Journal; entries: readonly Entry[] }> {
    const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0)
    if (bytes.length > 0 && !bytes.subarray(-CLOSED.length).equals(CLOSED)) await untilQuiet(file, bytes.length)
    const { entries, size } = entriesIn(bytes, file)
    const fd = openSync(file, 'a', 0o600)
    if (size < bytes.length) ftruncateSync(fd, size)
    return { journal: new Journal(fd), entries }
  }

  /** On return the entries are with the operating system, where a killed program does not lose them. When it throws, none is. */
  append(entries: readonly Entry[]): void {
    if (fstatSync(this.fd).size !== this.#size) throw new Error('another program has written to the file of this chain')
    const bytes = bytesOf(entries)
    try {
      appendFileSync(this.fd, bytes)
    } catch (error) {
      ftruncateSync(this.fd, this.#size)
      throw error
    }
    this.#size += bytes.length
  }

  close(): void {
    this.append([{ kind: 'closed' }])
    closeSync(this.fd)
  }
}

const bytesOf = (entries: readonly Entry[]): Buffer =>
  Buffer.from(entries.map((one) => `${JSON.stringify(one)}\n`).join(''))
const CLOSED = bytesOf([{ kind: 'closed' }])

/** A chain of a running program closes a block every second or so; when nothing comes for longer, the program is gone. */
const QUIET_MS = 2_500
const LOOK_MS = 100

async function untilQuiet(file: string, size: number): Promise<void> {
  const isWritten = (): boolean => statSync(file).size !== size
  const isRecent = (): boolean => Date.now() - statSync(file).mtimeMs < QUIET_MS
  for (let waitedMs = 0; waitedMs < QUIET_MS && isRecent() && !isWritten(); waitedMs += LOOK_MS) await wait(LOOK_MS)
  if (isWritten()) throw refusal(`another program uses the chain in ${file}`, 'stop it, or set another DATA_DIR')
}

function entriesIn(bytes: Buffer, file: string): { entries: Entry[]; size: number } {
  const whole = bytes.lastIndexOf('\n') + 1
  const lines = bytes.toString('utf8', 0, whole).split('\n').slice(0, -1)
  const entries: Entry[] = []
  for (const [index, line] of lines.entries()) {
    const read = entryIn(line)
    if (read !== undefined) entries.push(read)
    else if (index < lines.length - 1) {
      throw refusal(`${file} is damaged in line ${index + 1}`, 'npm start -- --fresh starts over')
    } else return { entries, size: whole - Buffer.byteLength(line) - 1 }
  }
  return { entries, size: whole }
}

function entryIn(line: string): Entry | undefined {
  try {
    return entry.parse(JSON.parse(line))
  } catch {
    return undefined
  }
}

const refusal = (detail: string, hint: string): Problem => new Problem('chain', 500, 'No chain', detail, hint)
