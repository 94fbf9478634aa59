import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Problem } from '../../domain/problem.ts'
import { reasonOf } from '../../domain/store-trouble.ts'

/** What ends a program that does not listen for it. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

const aside = new Set<string>()

/** What a command needs on disk while it works. */
export interface Aside {
  readonly path: string
  /** Also happens when the program ends before, by itself or by a signal. */
  remove(): void
}

/** A new folder with a name that begins so. */
export const folderAside = (prefix: string): Aside => keep(() => mkdtempSync(prefix))

/** The same where the system keeps what is for a while. */
export function temporaryAside(prefix: string): Aside {
  const place = tmpdir()
  try {
    return folderAside(join(place, prefix))
  } catch (error) {
    const detail = `nothing can be put into the temporary folder ${place}: ${reasonOf(error)}`
    throw new Problem('temporary', 500, 'Temporary folder', detail, 'set TMPDIR to a folder that this user can write')
  }
}

/** A file that is yet to be written. */
export const fileAside = (path: string): Aside => keep(() => path)

/** Listens first: a signal that comes while it is made is heard when it is known. */
function keep(make: () => string): Aside {
  if (aside.size === 0) listen()
  try {
    const path = make()
    aside.add(path)
    return { path, remove: () => forget(path) }
  } catch (error) {
    if (aside.size === 0) stopListening()
    throw error
  }
}

function forget(path: string): void {
  remove(path)
  aside.delete(path)
  if (aside.size === 0) stopListening()
}

/** Where somebody else listens, the program comes to its end in its own way. */
function leave(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return
  removeAll()
  stopListening()
  process.kill(process.pid, signal)
  // The first process of a container is ended by none that it does not listen for.
  process.exit(1)
}

function removeAll(): void {
  for (const path of aside) remove(path)
}

/** Another thread may write a last file into it meanwhile. What cannot be removed, or never came to be, keeps nobody from the rest. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 })
  } catch {
    // As where a part of its path is no folder.
  }
}

/** Before everybody who listens already: whether somebody does is asked when they have not stopped yet. */
function listen(): void {
  for (const signal of SIGNALS) process.prependListener(signal, leave)
  process.on('exit', removeAll)
}

function stopListening(): void {
  for (const signal of SIGNALS) process.off(signal, leave)
  process.off('exit', removeAll)
}
