import { appendFileSync, createReadStream, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseEntry } from '../../wire/log/entry.ts'
import { HostReplay } from './replay.ts'
import { Sweeps } from './sweeps.ts'

/** Characters that wait in memory before they are put on disk. */
const MOST_WAITING = 32_000_000
/** Entries of one part, about. */
const PART = 16_384
const MOST_PARTS = 4096
/** Bytes that are read from disk at once. */
const CHUNK = 1_048_576

/** An entry in its canonical form begins so: whose it is is known without reading on. */
const HEAD = /^\{"at":"([^"\\]+)","host":(null|"[^"\\]+"),/

/**
 * The entries of a log by the hosts that they are about, on disk where they are many, so that whoever replays them holds a
 * part of the log at a time. What is on disk is for this run alone.
 */
export class EntriesByHost {
  readonly sweeps = new Sweeps()
  readonly #folder: string
  readonly #waiting: string[][]
  readonly #hosts: Set<string>[]
  #characters = 0
  /** Entries that this version cannot read. */
  unread = 0

  /** Of a log of about so many entries. */
  constructor(
    folder: string,
    entries: number,
    private readonly mostWaiting: number = MOST_WAITING,
  ) {
    this.#folder = join(folder, `.replay-${process.pid}`)
    const parts = Math.min(MOST_PARTS, Math.ceil(entries / PART) + 1)
    this.#waiting = Array.from({ length: parts }, () => [])
    this.#hosts = Array.from({ length: parts }, () => new Set())
  }

  get hosts(): number {
    return this.#hosts.reduce((sum, { size }) => sum + size, 0)
  }

  take(text: string, index: number): void {
    const [, at, host] = HEAD.exec(text) ?? []
    // Canonical JSON has no line feed.
    if (at === undefined || host === undefined || text.includes('\n')) {
      this.unread += 1
      return
    }
    this.sweeps.began(at)
    if (host === 'null') {
      if (!this.sweeps.take(text)) this.unread += 1
      return
    }
    const name = host.slice(1, -1)
    const part = this.#partOf(name)
    this.#hosts[part]?.add(name)
    this.#waiting[part]?.push(`${index} ${text}`)
    this.#characters += text.length
    if (this.#characters > this.mostWaiting) this.#putAway()
  }

  /** Every host of the log, and of these others, each as the log gives it. */
  async *replays(others: ReadonlySet<string>): AsyncGenerator<readonly [host: string, replay: HostReplay]> {
    const strangers = new Set(others)
    for (const [part, hosts] of this.#hosts.entries()) {
      for (const host of hosts) strangers.delete(host)
      yield* await this.#replay(part, hosts)
    }
    for (const host of strangers) yield [host, new HostReplay()]
  }

  /** One host as the log gives it by now, and gave it since a place. */
  async replayOf(host: string, since?: number): Promise<HostReplay> {
    return (await this.#replay(this.#partOf(host), new Set([host]), since)).get(host) ?? new HostReplay(since)
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** The same host is always in the same part. */
  #partOf(host: string): number {
    let sum = 0
    for (let at = 0; at < host.length; at += 1) sum = (sum * 31 + host.charCodeAt(at)) | 0
    return (sum >>> 0) % this.#waiting.length
  }

  #putAway(): void {
    mkdirSync(this.#folder, { recursive: true })
    for (const [part, lines] of this.#waiting.entries()) {
      if (lines.length > 0) appendFileSync(this.#fileOf(part), `${lines.join('\n')}\n`)
      this.#waiting[part] = []
    }
    this.#characters = 0
  }

  #fileOf = (part: number): string => join(this.#folder, String(part))

  async #replay(part: number, hosts: ReadonlySet<string>, since?: number): Promise<Map<string, HostReplay>> {
    const replays = new Map([...hosts].map((host) => [host, new HostReplay(since)]))
    const isAll = hosts === this.#hosts[part]
    for await (const lines of this.#linesOf(part)) {
      for (const line of lines) {
        const space = line.indexOf(' ')
        const text = line.slice(space + 1)
        if (!isAll && !hosts.has(HEAD.exec(text)?.[2]?.slice(1, -1) ?? '')) continue
        const entry = parseEntry(text)
        if (entry === undefined && isAll) this.unread += 1
        const replay = replays.get(entry?.host ?? '')
        for (const record of entry?.records ?? []) replay?.take(record, Number(line.slice(0, space)))
      }
    }
    return replays
  }

  /** Those on disk first, which came first. */
  async *#linesOf(part: number): AsyncGenerator<readonly string[]> {
    const file = this.#fileOf(part)
    let rest = ''
    if (existsSync(file)) {
      for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: CHUNK })) {
        const lines = `${rest}${chunk}`.split('\n')
        rest = lines.pop() ?? ''
        yield lines
      }
    }
    yield this.#waiting[part] ?? []
  }
}
