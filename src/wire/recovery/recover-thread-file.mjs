/** Where a thread begins that recovers keys. A file of its own, as that of the thread which writes to SQLite is. */
export const RECOVERING_THREAD = new URL('./recover-thread.mjs', import.meta.url)
