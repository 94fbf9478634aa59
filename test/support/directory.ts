import type { Store } from '../../src/store/store.ts'
import type { Directory } from '../../src/views/directory.ts'
import type { HostQuery } from '../../src/views/host/hosts-view.ts'
import { createDirectory } from '../../src/views/open-directory.ts'
import type { ListedSource } from '../../src/views/sources/sources-view.ts'
import { NOON_US } from './samples.ts'

/** The reading side over a store at noon, unless a test tells the time. */
export const directoryOf = (
  store: Store,
  sources: readonly ListedSource[] = [],
  nowUs: () => number = () => NOON_US,
): Directory => createDirectory({ store, sources, nowUs })

/** The list of all hosts, by name. */
export const ALL_HOSTS: HostQuery = {
  ...{ q: null, rail: null, network: null, maxPrice: null, result: null },
  ...{ sort: 'host', limit: 50, cursor: null },
}
