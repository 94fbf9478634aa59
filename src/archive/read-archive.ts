import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Problem } from '../domain/problem.ts'
import { archiveProblem } from './archive-problem.ts'
import { digestOf } from './digest.ts'
import { MANIFEST, parseManifest } from './manifest.ts'

/** The files of an archive in a folder, in the order of their months. Rejects unless each is, byte by byte, what the manifest says. */
export async function archivedFilesIn(folder: string): Promise<string[]> {
  const manifest = join(folder, MANIFEST)
  if (!(await isFile(manifest)))
    throw refused(`there is no ${manifest}`, 'name the folder of an archive, or one of its files')
  const paths: string[] = []
  for (const { file, sha256 } of parseManifest(await readFile(manifest, 'utf8'), manifest)) {
    const path = join(folder, file)
    if (!(await isFile(path))) throw refused(`${path} is missing`, 'copy all files that the manifest names')
    if ((await digestOf(path)).sha256 !== sha256) throw refused(`${path} is not what was archived`, 'copy it again')
    paths.push(path)
  }
  return paths
}

/** Files of months that lie in the folder and that its manifest does not name: nobody knows whether they are whole. */
export async function unnamedFilesIn(folder: string): Promise<string[]> {
  const manifest = join(folder, MANIFEST)
  const named = new Set(parseManifest(await readFile(manifest, 'utf8'), manifest).map(({ file }) => file))
  const found = await readdir(folder)
  return found.filter((name) => /^probes-.*\.ndjson\.gz$/.test(name) && !named.has(name)).toSorted()
}

const isFile = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined))?.isFile() === true

const refused = (detail: string, hint: string): Problem => archiveProblem(`${detail}; nothing was imported`, hint)
