import type { Found } from '../found.ts'
import type { NumberedLine } from '../read/context.ts'
import type { FileSource } from '../source.ts'
import { PARSER_BROKE, readWith } from './read-with.ts'
import { withFound } from './sweep-counts.ts'
import type { Ending, SweepRun } from './sweep-run.ts'

/** The lines of a file, without their ends. */
export type OpenLines = (path: string) => AsyncIterable<string>

const LINES_AT_ONCE = 500
/** Longer ones are cut, and then refused as no JSON. In characters. */
const LONGEST_LINE = 65_536

async function save(found: Found, run: SweepRun): Promise<void> {
  const { listings, proofs, refused } = found
  const page = { atUs: run.deps.now(), listings, proofs, refused, documents: [], read: [], unchanged: [] }
  await run.save(page, '', withFound(run.counts, found))
}

async function* groupsOf(lines: AsyncIterable<string>): AsyncGenerator<NumberedLine[]> {
  let group: NumberedLine[] = []
  let number = 0
  for await (const text of lines) {
    number += 1
    group.push({ number, text: text.slice(0, LONGEST_LINE) })
    if (group.length < LINES_AT_ONCE) continue
    yield group
    group = []
  }
  if (group.length > 0 || number === 0) yield group
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unreadable'

/** Reads the operator's file from its beginning to its end. */
export async function sweepFile(source: FileSource, openLines: OpenLines, run: SweepRun): Promise<Ending> {
  const groups = groupsOf(openLines(source.path))
  for (;;) {
    const stop = run.stopped(0)
    if (stop !== undefined) return { kind: 'stop', error: stop, resume: false }
    let group: IteratorResult<NumberedLine[]>
    try {
      group = await groups.next()
    } catch (error) {
      return { kind: 'stop', error: `file_${codeOf(error)}`, resume: false }
    }
    if (group.done) return { kind: 'end', of: 'source' }
    const found = readWith(() => source.parse(group.value, { allow: run.deps.allow }))
    if (found === undefined) return { kind: 'stop', error: PARSER_BROKE, resume: false }
    await save(found.read, run)
  }
}
