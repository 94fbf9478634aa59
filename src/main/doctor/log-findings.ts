import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from '../../cli/doctor.ts'
import { Problem } from '../../domain/problem.ts'
import { reasonOf } from '../../domain/store-trouble.ts'
import { EvidenceLog } from '../../log/evidence-log.ts'
import { KEY_FILE, lookAtSeed, originOf } from '../../log/key.ts'
import { oversizedEntries } from '../../log/stored/bundles.ts'
import { LONGEST_ENTRY } from '../../log/tlog/index.ts'
import { isAbsent } from '../../store/engines/sqlite-file.ts'
import { SCHEMA_VERSION, schemaVersion } from '../../store/schema-version.ts'
import type { Store } from '../../store/store.ts'
import { baseUrlOf } from '../base-url.ts'
import type { Config } from '../config.ts'
import { fail, ok, warn } from './finding.ts'
import { withStore } from './store-findings.ts'

/** Whether the evidence log is signed, and goes on from what was published. Nothing is made or signed by looking. */
export async function logFinding(config: Config): Promise<Finding> {
  const { dataDir, databaseUrl, logKey } = config
  if (logKey === undefined && databaseUrl !== undefined)
    return warn(
      'the evidence log is not signed: LOG_KEY is not set',
      'set LOG_KEY to 32 random bytes (openssl rand -base64 32), the same for all processes',
    )
  try {
    if (logKey === undefined && isAbsent(join(dataDir, KEY_FILE)))
      return ok(`no key of the evidence log in ${dataDir} yet: the first start makes it`)
    const seed = logKey ?? lookAtSeed(dataDir)
    return await withStore(config, (store) => signingFinding(config, store, seed))
  } catch (error) {
    if (error instanceof Problem && error.slug === 'log-key') return fail(error.detail, error.hint)
    return warn(`the evidence log cannot be looked at: ${reasonOf(error)}`, 'see to the database first')
  }
}

async function signingFinding(config: Config, store: Store, seed: Uint8Array): Promise<Finding> {
  const version = await schemaVersion(store.read)
  if (version === null) return ok('the first start makes it')
  if (version !== SCHEMA_VERSION) return ok('looked at when the store is of the version of this program')
  const origin = originOf(baseUrlOf(config))
  const log = await EvidenceLog.open({ store, seed, origin, folder: config.dataDir })
  const fault = log === null ? null : await log.look()
  if (fault !== null)
    return fail(
      `the evidence log is not signed any more: ${fault}`,
      'restore a newer backup or begin a new log: docs/log.md',
    )
  const [long] = (await oversizedEntries(store.read)).filter(({ index }) => index !== null)
  if (long !== undefined)
    return fail(
      `entry ${long.index} of the evidence log has ${long.bytes} bytes, and no bundle holds more than ${LONGEST_ENTRY}: the log cannot be verified`,
      'begin a new log: docs/log.md',
    )
  return keptFinding(config, origin)
}

/** Who else can read the key, and who watches what it signs. */
function keptFinding({ dataDir, logKey, logWitnesses }: Config, origin: string): Finding {
  const file = join(dataDir, KEY_FILE)
  const open = logKey === undefined ? openedTo(file) : undefined
  if (open !== undefined) return warn(`${file} is open to others (mode ${open})`, 'take it from them: chmod 600')
  if (logWitnesses.length === 0)
    return warn(`signed as ${origin}, and nobody watches it`, 'name a witness in LOG_WITNESSES: docs/log.md')
  return ok(`signed as ${origin}`)
}

/** The mode of a file that others than its owner may read or write; `undefined` where none may. */
function openedTo(file: string): string | undefined {
  const mode = statSync(file).mode & 0o777
  return (mode & 0o077) === 0 ? undefined : mode.toString(8)
}
