import { type EntryRecord, parseEntry } from '../../wire/log/entry.ts'
import { PATHS } from '../../wire/paths.ts'
import { type Difference, Differences, type Documents, isShown, listIn, type Shown } from './shown.ts'

const SWEEP = ['ended', 'status', 'seen', 'stored', 'refused', 'error']
/** What stands before a difference that is no host's. */
const SOURCES = 'sources'

/** The sweeps that the log has. They are about no host. */
export class Sweeps {
  readonly #records = new Map<string, EntryRecord>()
  #beganAt: string | null = null

  /** From every entry: of sweeps before the log began it says nothing. */
  began(at: string): void {
    this.#beganAt ??= at
  }

  /** Answers whether the entry could be read. */
  take(text: string): boolean {
    const entry = parseEntry(text)
    for (const record of entry?.records ?? [])
      if (record.kind === 'sweep') this.#records.set(`${record.source}\n${record.started}`, record)
    return entry !== undefined
  }

  /** Holds the sweeps that are shown against these. */
  async compare(documents: Documents): Promise<readonly Difference[]> {
    const found = new Differences(SOURCES)
    await found.read(async () => {
      for (const source of listIn(await documents.json(PATHS.apiSources), 'sources')) {
        const sweeps: unknown[] = [source.last_sweep, ...listIn(source, 'earlier_sweeps'), source.last_complete_sweep]
        for (const sweep of sweeps) if (isShown(sweep)) this.#sweep(String(source.name), sweep, found)
      }
    })
    return found.all
  }

  #sweep(source: string, sweep: Shown, found: Differences): void {
    const what = `sweep of ${source} from ${sweep.started}`
    const logged = this.#records.get(`${source}\n${sweep.started}`)
    if (logged !== undefined) found.sameMembers(what, sweep, logged, SWEEP)
    else if (String(sweep.ended) >= (this.#beganAt ?? '')) found.notLogged(what)
  }
}
