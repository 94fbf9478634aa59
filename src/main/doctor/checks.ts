import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import type { Check, Finding } from '../../cli/doctor.ts'
import { RAILS } from '../../domain/route.ts'
import { type SourceConfig, sourceOf } from '../../ingest/source.ts'
import { clockOffMs } from '../../probe/clock-watch.ts'
import type { Egress } from '../../probe/egress.ts'
import { isRecoveredNatively } from '../../wire/recovery/recover-key.mjs'
import { baseUrlOf } from '../base-url.ts'
import type { Config } from '../config.ts'
import { egressOf } from '../egress.ts'
import { archiveFinding } from './archive-findings.ts'
import { DEADLINE_MS, fail, ok, warn } from './finding.ts'
import { logFinding } from './log-findings.ts'
import { nodeFinding, RAIL_FINDINGS } from './payment-findings.ts'
import { replicaFinding } from './replica-findings.ts'
import { databaseFinding, diskFinding } from './store-findings.ts'
import { workersFinding } from './worker-findings.ts'

const MOST_CLOCK_MS = 30_000

/** Everything that can be looked at from here. Nothing is changed by looking. */
export function checksOf(config: Config): readonly Check[] {
  const egress = egressOf(config, baseUrlOf(config))
  return [
    { name: 'configuration', run: async () => addressFinding(config) },
    ...config.misspelt.map(({ name, meant }) => ({
      name: `variable ${name}`,
      run: async () => warn('nothing reads it', `did you mean ${meant}?`),
    })),
    { name: 'database', run: () => databaseFinding(config) },
    ...archiveChecks(config),
    ...(config.readUrls.length > 0 ? [{ name: 'replicas', run: () => replicaFinding(config) }] : []),
    ...(config.databaseUrl === undefined ? [{ name: 'disk', run: () => diskFinding(config.dataDir) }] : []),
    ...(config.webWorkers > 1 ? [{ name: 'web workers', run: () => workersFinding(config) }] : []),
    { name: 'evidence log', run: () => logFinding(config) },
    { name: 'signatures', run: async () => signatureFinding() },
    ...RAILS.map((rail) => ({ name: rail, run: () => RAIL_FINDINGS[rail](config) })),
    ...[...config.payments.rpcUrls.keys()].map((network) => ({
      name: `node ${network}`,
      run: () => nodeFinding(config, network),
    })),
    ...config.sources.flatMap((source) => sourceChecks(egress, source)),
    { name: 'clock', run: () => clockFinding(egress, config) },
  ]
}

function archiveChecks(config: Config): Check[] {
  const { archive } = config
  return archive === undefined ? [] : [{ name: 'archive', run: () => archiveFinding(archive, config) }]
}

/** Sellers' own documents are asked of a thousand hosts, none of which says anything about this instance. */
function sourceChecks(egress: Egress, config: SourceConfig): Check[] {
  const source = sourceOf(config)
  const name = `source ${config.name}`
  switch (source.shape) {
    case 'pages':
      return [{ name, run: () => sourceFinding(egress, source.pageUrl(0)) }]
    case 'file':
      return [{ name, run: () => fileFinding(source.path) }]
    default:
      return []
  }
}

async function fileFinding(path: string): Promise<Finding> {
  try {
    await access(path, constants.R_OK)
    return ok(`the file ${path}`)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    return fail(`the file ${path} cannot be read (${code})`, 'put it there, or leave the source out of SOURCES')
  }
}

function addressFinding({ baseUrl }: Config): Finding {
  if (baseUrl === undefined) return warn('BASE_URL is not set', 'set BASE_URL to the address that others use')
  return baseUrl.startsWith('https://')
    ? ok(baseUrl)
    : warn(`${baseUrl} is not https`, 'put a reverse proxy with a certificate in front')
}

/** Not every platform has a native part of it. */
function signatureFinding(): Finding {
  try {
    return ok(
      isRecoveredNatively() ? 'checked by native code' : 'checked in WebAssembly, a third as fast as native code',
    )
  } catch {
    return fail('the packages that check them are not installed', 'install again: npm ci, or npm install tollbook')
  }
}

async function sourceFinding(egress: Egress, url: string): Promise<Finding> {
  const answer = await egress.fetch({ method: 'GET', url, deadlineMs: DEADLINE_MS, maxBodyBytes: 4096 })
  const fix = 'nothing, when it passes; otherwise leave the source out of SOURCES'
  if (!answer.ok) return warn(`does not answer: ${answer.error}`, fix)
  return answer.status === 200 ? ok('answers') : warn(`answers HTTP ${answer.status}`, fix)
}

/** Signatures count for ten minutes: a clock that is far off refuses all of them. */
export async function clockFinding(egress: Egress, { probing }: Pick<Config, 'probing'>): Promise<Finding> {
  if (probing.checkAddresses.length === 0) {
    return warn(
      'nothing guards it: with PROBE_CHECK=none entries are recorded, swept and folded by a clock that is wrong, too',
      'set PROBE_CHECK to addresses that are always there',
    )
  }
  const offMs = await clockOffMs(egress, probing.checkAddresses, Date.now())
  if (offMs !== null) {
    const seconds = `${Math.round(offMs / 1000)} s from others' clocks`
    return offMs <= MOST_CLOCK_MS ? ok(seconds) : fail(seconds, 'set the clock, for example with an NTP service')
  }
  return warn(
    'nobody to compare with: no address of PROBE_CHECK answers',
    'set PROBE_CHECK to addresses that are always there',
  )
}
