import { type Stats, statSync } from 'node:fs'
import { Problem } from '../../domain/problem.ts'
import { isFull } from '../../domain/store-trouble.ts'

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'a part of its path is no folder',
  EISDIR: 'it is a folder',
  ENOTEMPTY: 'it is a folder',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'that disk takes no writes',
  ENOSPC: 'no room is left on that disk',
  EDQUOT: 'no room is left on that disk',
  ENAMETOOLONG: 'its name is too long',
}

/** What the file system, or SQLite, says of a file that was to be written, for one line; any other error as it is. */
export function fileProblem(error: unknown, file: string): unknown {
  const code = error instanceof Error && 'code' in error && 'syscall' in error ? String(error.code) : ''
  if (isFull(error)) return unwritable(file, 'ENOSPC')
  return code in REASONS ? unwritable(file, code) : error
}

export function unwritable(file: string, code: string): Problem {
  const hint = 'name a file in a folder that this user can write'
  return new Problem('file', 400, 'File', `${file} cannot be written: ${REASONS[code] ?? code}`, hint)
}

/** What is at a path; `undefined` where nothing is, also where a part of it is no folder. */
export function foundAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined
    throw error
  }
}
