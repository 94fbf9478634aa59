const POSTGRES_DISK_FULL = '53100'
/** Errors of SQLite lose their code on the way from the writing thread. */
const SQLITE_FULL = /database or disk is full/

/** Whether something could not be written because no room is left. */
export function isFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : undefined
  if (code === POSTGRES_DISK_FULL || code === 'ENOSPC' || SQLITE_FULL.test(error.message)) return true
  return error.cause !== undefined && isFull(error.cause)
}
