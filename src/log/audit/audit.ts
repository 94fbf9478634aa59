import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sleep } from '../../async/sleep.ts'
import { PATHS } from '../../wire/paths.ts'
import { MalformedError, newVerifier, openCheckpoint, UntrustedError } from '../tlog/index.ts'
import { HostComparison } from './compare.ts'
import { EntriesByHost } from './entries-by-host.ts'
import { Reading, UnreadableError } from './reading.ts'
import { type Difference, isShown, listIn, pagesOf } from './shown.ts'
import { BrokenLogError, TreeReader } from './tree-reader.ts'

/** What is shown may be so much newer than the log. */
const PROMISE_MS = 10_000
const LOOKS = 4
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
 * shows of every host against that. Rejects with `BrokenLogError` when the log itself is not what it says.
 */
export async function audit(options: AuditOptions): Promise<Audited> {
  const { baseUrl, fetch, folder, onProgress } = options
  const state = await openState(folder)
  const reading = new Reading({ baseUrl, fetch, folder })
  const vkey = options.vkey ?? state.vkey ?? (await reading.text(PATHS.logVkey)).trim()
  const tree = new TreeReader(reading, vkey, (done, of) => onProgress?.('entries', done, of))
  const seen = state.note === null ? null : await openSeen(state.note, vkey)
  const checkpoint = await tree.checkpoint()
  if (seen !== null && checkpoint.size < seen.size)
    throw new BrokenLogError(
      `${PATHS.logCheckpoint}: it has ${checkpoint.size} entries, after one with ${seen.size} was seen`,
    )
  const entries = new EntriesByHost(folder, checkpoint.size)
  try {
    await tree.readTo(checkpoint, entries, seen)
    await saveState(folder, vkey, checkpoint.note)
    const differences = await compareAll(options, reading, tree, entries)
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
  tree: TreeReader,
  entries: EntriesByHost,
): Promise<Difference[]> {
  const { onProgress, sleep: pause = sleep } = options
  const shown = await hostsShown(reading)
  const replays = entries.replays(shown)
  const total = Math.max(entries.hosts, shown.size)
  let doubtful: string[] = []
  let done = 0
  const worker = async (): Promise<void> => {
    for (let next = await replays.next(); next.done !== true; next = await replays.next()) {
      const [host, replay] = next.value
      if ((await new HostComparison(reading, host, replay).run()).length > 0) doubtful.push(host)
      onProgress?.('hosts', ++done, total)
    }
  }
  await Promise.all(Array.from({ length: HOSTS_AT_ONCE }, worker))
  let areSweepsDoubtful = (await entries.sweeps.compare(reading)).length > 0
  // Evidence comes in while it is audited: what differs is looked at again once the log must have it.
  let differences: Difference[] = []
  for (let look = 0; look < LOOKS && (doubtful.length > 0 || areSweepsDoubtful); look += 1) {
    await pause(PROMISE_MS / (LOOKS - 1))
    await tree.readTo(await tree.checkpoint(), entries)
    differences = areSweepsDoubtful ? [...(await entries.sweeps.compare(reading))] : []
    areSweepsDoubtful = differences.length > 0
    const still: string[] = []
    for (const host of doubtful) {
      const found = await new HostComparison(reading, host, await entries.replayOf(host)).run()
      if (found.length > 0) still.push(host)
      differences.push(...found)
    }
    doubtful = still
  }
  return differences
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

async function openSeen(note: string, vkey: string) {
  try {
    return await openCheckpoint(note, newVerifier(vkey))
  } catch (error) {
    if (error instanceof UntrustedError || error instanceof MalformedError)
      throw new BrokenLogError(`the checkpoint that was seen last is of another key: ${error.message}`)
    throw error
  }
}

async function saveState(folder: string, vkey: string, note: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [name, text] of [[KEY_FILE, `${vkey}\n`] as const, [STATE_FILE, note] as const]) {
    await writeFile(join(folder, `${name}.part`), text)
    await rename(join(folder, `${name}.part`), join(folder, name))
  }
}
