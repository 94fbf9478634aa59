/** The store's file, in `DATA_DIR`. */
export const SQLITE_FILE = 'tollbook.db'
