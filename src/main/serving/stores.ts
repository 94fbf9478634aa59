import type { Logger } from 'pino'
import { tally } from '../../async/tally.ts'
import { reasonOf } from '../../domain/store-trouble.ts'
import type { SchemaStep } from '../../store/migrate.ts'
import { openReplicas, openStore, readingFrom, seenByReaders } from '../../store/open.ts'
import type { ReadReplicas, Store } from '../../store/store.ts'
import type { Config } from '../config.ts'
import type { Part } from './part.ts'

/** The store as the parts of a process have it: one and the same where no replicas are read. */
export interface Stores {
  readonly store: Store
  /** Where readers write, who are to see it at once. */
  readonly written: Store
  /** What pages are made from. */
  readonly reading: Store
  readonly replicas: ReadReplicas | undefined
  close(): Promise<void>
}

/** `isWeb`: it makes pages, here or in the workers that it leads. */
export async function openStores(
  config: Config,
  isWeb: boolean,
  { leads, member }: Part,
  log: Logger,
): Promise<Stores> {
  const { dataDir, databaseUrl } = config
  const onTrouble = tally<Error>((connections, error) =>
    log.error({ connections, reason: reasonOf(error) }, 'connections to the store were lost'),
  )
  const onStep = ({ step, from, to }: SchemaStep): void =>
    log.info({ step, from, to }, 'the store is brought up to date')
  const store = await openStore({ dataDir, databaseUrl, onTrouble, onStep })
  const replicas = await openReplicas({ databaseUrl, readUrls: isWeb ? config.readUrls : [], onTrouble })
  const close = async (): Promise<void> => {
    await replicas?.close()
    await store.close()
  }
  if (replicas === undefined) return { store, written: store, reading: store, replicas, close }
  if (member !== undefined) {
    replicas.onWrote = (place) => member.wrote(place)
    member.onWrote = (place) => replicas.wroteElsewhere(place)
  }
  const written = leads === true ? store : seenByReaders(store, replicas)
  return { store, written, reading: readingFrom(store, replicas), replicas, close }
}
