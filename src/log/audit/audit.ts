import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sleep } from '../../async/sleep.ts'
import { PATHS } from '../../wire/paths.ts'
import { MalformedError, newVerifier, type OpenedCheckpoint, openCheckpoint, UntrustedError } from '../tlog/index.ts'
import { HostComparison } from './compare.ts'
import { EntriesByHost } from './entries-by-host.ts'
import { type Look, lookAgain } from './look-again.ts'
import { Reading, UnreadableError } from './reading.ts'
import { type Difference, isShown, listIn, pagesOf } from './shown.ts'
import { BrokenLogError, TreeReader } from './tree-reader.ts'

const HOSTS_AT_ONCE = 4

export interface AuditOptions {
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
  /** Where what was read and seen is kept for the next time. */
  readonly folder: string
  /** The key that is trusted; unset: the one that was seen the first time. */
  readonly vkey?: string | undefined
  readonly onProgress?: (what: 'entries' | 'hosts', done: number, of: number) => void
  readonly sleep?: (ms: number) => Promise<void>
}

/** The directory signs by another key than the one that was seen last, and nobody said that it may. */
export class KeyChangedError extends Error {
  override readonly name = 'KeyChangedError'
  constructor(
    readonly seen: string,
    /** The directory's word for it. Untrusted. */
    readonly served: string,
  ) {
    super(`the key changed: ${served} is served, ${seen} was seen last`)
  }
}

export interface Audited {
  readonly vkey: string
  readonly size: number
  readonly hosts: number
  /** Of the checkpoint that was seen last time; `null`: this was the first. */
  readonly before: number | null
  readonly differences: readonly Difference[]
  /** Entries of a later version, which this one cannot replay. */
  readonly unread: number
  readonly bytes: number
}

/**
 * Reads a log from its beginning, checks every hash and its signature, replays it host by host, and holds what the directory
 * shows of every host against that. Rejects with `BrokenLogError` when the log itself is not what it says, with
 * `KeyChangedError` when it has another key than the one of the first time and none is given.
 */
export async function audit(options: AuditOptions): Promise<Audited> {
  const { baseUrl, fetch, folder, onProgress, sleep } = options
  const state = await openState(folder)
  const reading = new Reading({ baseUrl, fetch, folder, sleep })
  const served = async (): Promise<string> => (await reading.text(PATHS.logVkey)).trim()
  const vkey = options.vkey ?? state.vkey ?? (await served())
  const tree = new TreeReader(reading, vkey, (done, of) => onProgress?.('entries', done, of))
  const seen = state.note === null ? null : await openSeen(state.note, [state.vkey ?? vkey, vkey])
  const checkpoint = await tree.checkpoint().catch(async (error: unknown) => {
    if (!(error instanceof BrokenLogError) || options.vkey !== undefined) throw error
    const named = await served().catch(() => vkey)
    throw named === vkey || !isVkey(named) ? error : new KeyChangedError(vkey, named)
  })
  if (seen !== null && checkpoint.size < seen.size)
    throw new BrokenLogError(
      `${PATHS.logCheckpoint}: it has ${checkpoint.size} entries, after one with ${seen.size} was seen`,
    )
  const entries = new EntriesByHost(folder, checkpoint.size)
  try {
    await tree.readTo(checkpoint, entries, seen)
    await saveState(folder, vkey, checkpoint.note)
    const readOn = async (): Promise<number> => {
      const newest = await tree.checkpoint()
      await tree.readTo(newest, entries)
      await saveState(folder, vkey, newest.note)
      return newest.size
    }
    const differences = await compareAll(options, reading, entries, readOn)
    return {
      ...{ vkey, size: tree.size, hosts: entries.hosts, before: seen?.size ?? null },
      ...{ differences, unread: entries.unread, bytes: reading.bytes },
    }
  } finally {
    entries.close()
  }
}

async function compareAll(
  options: AuditOptions,
  reading: Reading,
  entries: EntriesByHost,
  readOn: () => Promise<number>,
): Promise<Difference[]> {
  const { onProgress, sleep: pause = sleep } = options
  const shown = await hostsShown(reading)
  const replays = entries.replays(shown)
  const total = Math.max(entries.hosts, shown.size)
  const doubtful: Look[] = []
  let done = 0
  const worker = async (): Promise<void> => {
    for (let next = await replays.next(); next.done !== true; next = await replays.next()) {
      const [host, replay] = next.value
      const found = await new HostComparison(reading, host, replay).run()
      // A directory that answers nothing at all is not asked for every host.
      if (found.isUnreadable) await reading.text(PATHS.logCheckpoint)
      if (found.all.length > 0)
        doubtful.push(async (documents, since) => {
          const again = new HostComparison(documents, host, await entries.replayOf(host, since))
          return (await again.run()).all
        })
      onProgress?.('hosts', ++done, total)
    }
  }
  await Promise.all(Array.from({ length: HOSTS_AT_ONCE }, worker))
  if ((await entries.sweeps.compare(reading)).length > 0)
    doubtful.unshift((documents) => entries.sweeps.compare(documents))
  return lookAgain(doubtful, { reading, readOn, pause })
}

/** Every host that the directory lists. */
async function hostsShown(reading: Reading): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  for await (const document of pagesOf(reading, `${PATHS.apiHosts}?sort=host`)) {
    if (!isShown(document) || !Array.isArray(document.hosts))
      throw new UnreadableError(`${PATHS.apiHosts} is no list of hosts`)
    for (const row of listIn(document, 'hosts')) names.add(String(row.host))
  }
  return names
}

const STATE_FILE = 'checkpoint'
const KEY_FILE = 'vkey'

async function openState(folder: string): Promise<{ vkey: string | null; note: string | null }> {
  const kept = (name: string): Promise<string | null> => readFile(join(folder, name), 'utf8').catch(() => null)
  const [vkey, note] = await Promise.all([kept(KEY_FILE), kept(STATE_FILE)])
  return { vkey: vkey?.trim() ?? null, note }
}

function isVkey(text: string): boolean {
  try {
    newVerifier(text)
    return true
  } catch {
    return false
  }
}

/** By the key of then, which may have been changed for another since. */
async function openSeen(note: string, [known, ...others]: readonly [string, ...string[]]): Promise<OpenedCheckpoint> {
  try {
    return await openCheckpoint(note, newVerifier(known))
  } catch (error) {
    if (!(error instanceof UntrustedError || error instanceof MalformedError)) throw error
    const [next, ...rest] = others
    if (next !== undefined) return openSeen(note, [next, ...rest])
    throw new BrokenLogError(`the checkpoint that was seen last is of another key: ${error.message}`)
  }
}

/** The checkpoint first: when nothing comes after it, the key that is given the next time opens it. */
async function saveState(folder: string, vkey: string, note: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [name, text] of [[STATE_FILE, note] as const, [KEY_FILE, `${vkey}\n`] as const]) {
    await writeFile(join(folder, `${name}.part`), text)
    await rename(join(folder, `${name}.part`), join(folder, name))
  }
}
