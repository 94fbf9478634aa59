import { type EntryRecord, parseEntry } from '../../wire/log/entry.ts'
import { fillPath, PATHS } from '../../wire/paths.ts'
import {
  decodeBundle,
  hashLeaf,
  MalformedError,
  newVerifier,
  openCheckpoint,
  parseProof,
  TILE_WIDTH,
  textOf,
  UntrustedError,
  verifyInclusion,
  widthAt,
} from '../tlog/index.ts'
import type { Reading } from './reading.ts'

/** What came of looking for a piece of evidence in a log. */
export interface Inclusion {
  readonly ok: boolean
  readonly finding: string
}

/** The record of an entry of a log, after its proof was checked; a finding where it does not hold. */
export async function provenRecord(
  reading: Reading,
  index: number,
  isIt: (record: EntryRecord) => boolean,
): Promise<Inclusion & { readonly record?: EntryRecord }> {
  try {
    const vkey = (await reading.text(PATHS.logVkey)).trim()
    const proof = parseProof(await reading.text(fillPath(PATHS.logProof, { index: String(index) })))
    const { size, root } = await openCheckpoint(proof.checkpoint, newVerifier(vkey))
    const bundle = Math.floor(index / TILE_WIDTH)
    const width = widthAt('entries', bundle, size)
    const entries = decodeBundle(await reading.tile({ level: 'entries', index: bundle, width }), width)
    const entry = entries[index - bundle * TILE_WIDTH]
    if (entry === undefined || proof.index !== index) return no(index, 'the log does not have it there')
    if (!verifyInclusion(hashLeaf(entry), index, size, proof.hashes, root))
      return no(index, 'the proof does not lead to the signed root')
    const record = parseEntry(textOf(entry))?.records.find(isIt)
    if (record === undefined) return no(index, 'the entry there says nothing of it')
    return {
      ok: true,
      record,
      finding: `In the log at ${index}: proven for the checkpoint of ${size} entries by ${vkey}`,
    }
  } catch (error) {
    if (error instanceof MalformedError || error instanceof UntrustedError) return no(index, error.message)
    throw error
  }
}

const no = (index: number, reason: string): Inclusion => ({
  ok: false,
  finding: `Not proven to be in the log at ${index}: ${reason}`,
})
