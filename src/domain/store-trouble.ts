import { Problem } from './problem.ts'

const POSTGRES_DISK_FULL = '53100'
/** Errors of SQLite lose their code on the way from the writing thread. */
const SQLITE_FULL = /database or disk is full/

/** Whether something could not be written because no room is left. */
export const isFull = (error: unknown): boolean =>
  isCausedBy(error, ({ code, message }) => [POSTGRES_DISK_FULL, 'ENOSPC'].includes(code) || SQLITE_FULL.test(message))

/** `SQLITE_CORRUPT` and `SQLITE_NOTADB`, in its words. */
const SQLITE_DAMAGED = /database disk image is malformed|file is not a database/

/** Whether the file of a store cannot be read as one any more. */
export const isDamaged = (error: unknown): boolean => isCausedBy(error, ({ message }) => SQLITE_DAMAGED.test(message))

export const damaged = (reason: string): Problem =>
  new Problem('damaged', 500, 'Damaged store', `the store is damaged: ${reason}`, RESTORE_HINT)

export const RESTORE_HINT = 'stop what runs on it and restore a backup into another DATA_DIR: docs/operating.md'

/** `SQLITE_IOERR`, in its words. */
const SQLITE_FAILED = /disk I\/O error/

const isOfDisk = (error: unknown): boolean => isCausedBy(error, ({ message }) => SQLITE_FAILED.test(message))

/** `SQLITE_CANTOPEN` and `SQLITE_READONLY`, in its words. */
const SQLITE_NOT_OPENED = /unable to open database file|attempt to write a readonly database/

/** Whether a file cannot be opened as one that others write to, as where nothing more can be put beside it. */
export const isNotOpened = (error: unknown): boolean =>
  isCausedBy(error, ({ message }) => SQLITE_NOT_OPENED.test(message))

/** The data that a newer program brought up to its own version while this one ran, which would write it by rules of before. */
export class NewerData extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail)
  }
}

/**
 * What whoever runs a command can put right about the store or its disk, as one line; any other error as it is. `hint` says
 * what to do where there was no room, and all that was written before stays.
 */
export function storeProblem(error: unknown, hint = 'make room, and do it again'): unknown {
  if (error instanceof Problem) return error
  if (error instanceof NewerData) return error.problem
  const reason = reasonOf(error)
  if (isDamaged(error)) return damaged(reason)
  if (isFull(error)) return new Problem('full', 503, 'No room left', `no room is left on the disk: ${reason}`, hint)
  if (isOfDisk(error))
    return new Problem(
      'disk',
      503,
      'Disk',
      `the disk of the store fails: ${reason}`,
      'look at the disk, and do it again',
    )
  if (isNotOpened(error))
    return new Problem(
      'not-opened',
      500,
      'Store not opened',
      `the store cannot be opened: ${reason}`,
      'let this user write its folder, or copy tollbook.db and tollbook.db-wal to one that can be written',
    )
  return refusedBy(error) ?? error
}

/** Why a Postgres does not take what it is asked, whatever it is, until its operator changes something there. */
function refusedBy(error: unknown): Problem | undefined {
  const { code, message } = error instanceof Error ? wordsOf(error) : { code: '', message: '' }
  const fault = (detail: string, hint: string): Problem =>
    new Problem('database', 503, 'Database not usable', `${detail}: ${message}`, hint)
  switch (code) {
    case '25006':
      return fault('the database of DATABASE_URL takes no writes', 'name the primary in DATABASE_URL')
    case '3F000':
      return fault('the search_path of the user of DATABASE_URL names no schema', 'name one that is there')
    case '42501':
      return message.includes('for schema')
        ? fault('the user of DATABASE_URL may make no tables', 'make it the owner of the database')
        : fault('the user of DATABASE_URL may not use what is there', 'make it the owner of all tables')
    case '42P07':
      return fault('the database of DATABASE_URL is not for tollbook alone', 'name an empty database in DATABASE_URL')
    default:
      return undefined
  }
}

const LOST_CODES = ['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']
/** Connection exceptions, the ends and beginnings of a server, and no connection left. */
const POSTGRES_AWAY = /^(?:08...|57P0[1-3]|53300)$/
/** What the driver of Postgres says in words alone. */
const LOST_WORDS =
  /^(?:Connection terminated|Client (?:was closed|has encountered a connection error)|timeout exceeded when trying to connect)/

/** Whether a store could not be asked, or did not answer in time. */
export const isAway = (error: unknown): boolean =>
  isCausedBy(
    error,
    ({ code, message, syscall }) =>
      syscall === 'connect' || LOST_CODES.includes(code) || POSTGRES_AWAY.test(code) || LOST_WORDS.test(message),
  )

const POSTGRES_READ_ONLY = '25006'

/** Whether a server takes no writes: it is a standby, or was made read-only. */
export const isReadOnly = (error: unknown): boolean => isCausedBy(error, ({ code }) => code === POSTGRES_READ_ONLY)

const GIVEN_UP_CODES = ['40P01', '40001']

/** Two transactions waited for each other, or one saw what another has changed since: nothing of it was written. */
export const isGivenUp = (error: unknown): boolean => isCausedBy(error, ({ code }) => GIVEN_UP_CODES.includes(code))

/** Cancelled, in vain for a lock or too long idle; no writes while another server takes over; no memory left. */
const POSTGRES_BUSY = /^(?:57014|55P03|57P05|25P0[34]|25006|53[024]00)$/
const SQLITE_BUSY = /database (?:\w+ )?is locked/

/**
 * Whether a store takes nothing for now, whatever it is given: it is away, has no room, its disk fails, or its operator has
 * to change something. What it was given is not the reason.
 */
export const takesNothing = (error: unknown): boolean =>
  isAway(error) || isFull(error) || isOfDisk(error) || isNewer(error) || refusedBy(error) !== undefined

const isNewer = (error: unknown): boolean =>
  error instanceof NewerData || (error instanceof Error && isNewer(error.cause))

/**
 * Whether a store is away, too busy for what it was asked, or a newer program's by now: the same may be done when it is
 * asked again.
 */
export const isUnready = (error: unknown): boolean =>
  isNewer(error) ||
  isAway(error) ||
  isGivenUp(error) ||
  isCausedBy(error, ({ code, message }) => POSTGRES_BUSY.test(code) || SQLITE_BUSY.test(message))

/** The reason in one line, without where it happened. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message, code } = wordsOf(error)
  return message || code || error.name
}

/** What a log line says of a failure: of a store that is away, busy, full or damaged the reason alone, else where it happened too. */
export const failureFields = (error: unknown): { readonly reason: string } | { readonly err: unknown } =>
  isUnready(error) || isFull(error) || isDamaged(error) ? { reason: reasonOf(error) } : { err: error }

interface ErrorWords {
  readonly message: string
  readonly code: string
  readonly syscall: string
}

const wordsOf = (error: Error): ErrorWords => ({
  message: error.message,
  code: 'code' in error ? String(error.code) : '',
  syscall: 'syscall' in error ? String(error.syscall) : '',
})

function isCausedBy(error: unknown, fits: (words: ErrorWords) => boolean): boolean {
  return error instanceof Error && (fits(wordsOf(error)) || isCausedBy(error.cause, fits))
}
