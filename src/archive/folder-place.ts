import { copyFile, mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { reasonOf } from '../domain/store-trouble.ts'
import { fileAside } from '../store/transfer/aside.ts'
import { archiveProblem } from './archive-problem.ts'
import { digestOf } from './digest.ts'
import type { ArchivePlace, Digest } from './place.ts'

/** A folder of this machine. A file appears in it when all of its bytes are on the disk, and stays when power fails. */
export const folderPlace = (folder: string): ArchivePlace => ({
  name: folder,
  read: (name) =>
    readFile(join(folder, name), 'utf8').catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
      throw refused(`${folder} cannot be read`, error)
    }),
  keep: (name, local, digest) =>
    keepIn(folder, name, local, digest).catch((error: unknown) => {
      throw refused(`${folder} cannot be written`, error)
    }),
})

async function keepIn(folder: string, name: string, local: string, digest: Digest): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { path: partial, remove } = fileAside(join(folder, `${name}.${process.pid}.partial`))
  try {
    await copyFile(local, partial)
    await synced(partial)
    const { sha256 } = await digestOf(partial)
    if (sha256 !== digest.sha256) {
      const detail = `${partial} does not hold what was written to it`
      throw archiveProblem(detail, 'look at the disk; nothing was dropped')
    }
    await rename(partial, join(folder, name))
    await synced(folder)
  } finally {
    remove()
  }
}

/** What the system refuses, as one line for the operator; any other error as it is. */
function refused(what: string, error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error
  const hint = 'set ARCHIVE_TO to a folder that this user may write; nothing was dropped'
  return archiveProblem(`${what}: ${reasonOf(error)}`, hint)
}

async function synced(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}
