const POSTGRES_DISK_FULL = '53100'
/** Errors of SQLite lose their code on the way from the writing thread. */
const SQLITE_FULL = /database or disk is full/

/** Whether something could not be written because no room is left. */
export const isFull = (error: unknown): boolean =>
  isCausedBy(error, ({ code, message }) => [POSTGRES_DISK_FULL, 'ENOSPC'].includes(code) || SQLITE_FULL.test(message))

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

/** The reason in one line, without where it happened. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message, code } = wordsOf(error)
  return message || code || error.name
}

/** What a log line says of a failure: of a store that is away or full the reason alone, else where it happened too. */
export const failureFields = (error: unknown): { readonly reason: string } | { readonly err: unknown } =>
  isAway(error) || isFull(error) ? { reason: reasonOf(error) } : { err: error }

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
