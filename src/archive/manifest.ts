import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { archiveProblem } from './archive-problem.ts'
import { digestOf } from './digest.ts'
import type { ArchivePlace } from './place.ts'

/** Beside the files, which it names with their digests. */
export const MANIFEST = 'manifest.json'

const FILE = z.object({
  /** Of all its entries, `2025-09`. */
  month: z.string().regex(/^\d{4,6}-\d{2}$/),
  /** Never a path: nothing outside the archive is read because a manifest names it. */
  file: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/),
  records: z.int().min(0),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})
const SCHEMA = z.object({ kind: z.literal('tollbook-archive'), files: z.array(FILE) })

export type ArchivedFile = z.infer<typeof FILE>

/** The hint is for whoever named a folder, unless another is given. */
export function parseManifest(
  text: string,
  where: string,
  hint = 'name the folder of an archive',
): readonly ArchivedFile[] {
  try {
    return SCHEMA.parse(JSON.parse(text)).files
  } catch {
    throw archiveProblem(`${where} is no manifest of an archive`, hint)
  }
}

/** By month and name, so that equal archives have equal manifests. */
export function formatManifest(files: readonly ArchivedFile[]): string {
  const order = ({ month, file }: ArchivedFile): string => `${month.padStart(9, '0')} ${file}`
  const sorted = files.toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
  return `${JSON.stringify({ kind: 'tollbook-archive', files: sorted }, null, 2)}\n`
}

/** What was archived before is known by it alone, so that none is made anew in its place. */
const DAMAGED = 'put it back as it was, from a copy or an earlier version of it; nothing is archived until then'

export async function readManifest(place: ArchivePlace): Promise<readonly ArchivedFile[]> {
  const text = await place.read(MANIFEST)
  return text === undefined ? [] : parseManifest(text, `${place.name}/${MANIFEST}`, DAMAGED)
}

/** With these files, each once. */
export async function addToManifest(
  place: ArchivePlace,
  files: readonly ArchivedFile[],
  folder: string,
): Promise<void> {
  const names = new Set(files.map(({ file }) => file))
  const others = (await readManifest(place)).filter(({ file }) => !names.has(file))
  const local = join(folder, MANIFEST)
  await writeFile(local, formatManifest([...others, ...files]))
  await place.keep(MANIFEST, local, await digestOf(local))
}
