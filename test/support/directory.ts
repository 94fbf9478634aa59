import type { Store } from '../../src/store/store.ts'
import type { Directory } from '../../src/views/directory.ts'
import { createDirectory } from '../../src/views/open-directory.ts'
import type { ListedSource } from '../../src/views/sources/sources-view.ts'
import { NOON_US } from './samples.ts'

/** The reading side over a store at noon, unless a test tells the time. */
export const directoryOf = (
  store: Store,
  sources: readonly ListedSource[] = [],
  nowUs: () => number = () => NOON_US,
): Directory => createDirectory({ store, sources, nowUs })
