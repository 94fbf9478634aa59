// Which SQLite this program has, decided once: the one of @photostructure/sqlite, which is the same on every Node; where
// its native part is missing, the one that is built into Node 22.16 and newer and speaks the same language.

/** @typedef {Pick<typeof import('@photostructure/sqlite'), 'DatabaseSync'>} SqliteModule */

/** The `code` by which `open.ts` knows that there is no SQLite here at all. */
const NO_SQLITE = 'TOLLBOOK_NO_SQLITE'

/** @returns {Promise<SqliteModule>} */
async function load() {
  try {
    return await import('@photostructure/sqlite')
  } catch (error) {
    const builtIn = process.getBuiltinModule('node:sqlite')
    if (hasWhatWeNeed(builtIn)) return builtIn
    // Not installed at all: whoever started the program says so.
    if (error instanceof Error && error.message.startsWith("Cannot find package '@photostructure/sqlite'")) throw error
    throw Object.assign(new Error('no SQLite for this machine', { cause: error }), { code: NO_SQLITE })
  }
}

/**
 * Older ones tell neither a statement's columns nor how long to wait for a lock.
 *
 * @param {object | undefined} module
 * @returns {module is SqliteModule}
 */
function hasWhatWeNeed(module) {
  if (module === undefined || !('DatabaseSync' in module) || !('StatementSync' in module)) return false
  return typeof module.StatementSync === 'function' && 'columns' in module.StatementSync.prototype
}

export const { DatabaseSync } = await load()
