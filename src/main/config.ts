import type { AllowHosts } from '../domain/host.ts'
import type { RateLimits } from '../http/limits/rates.ts'
import type { LoggedClient, TrustedProxies } from '../http/server/client-address.ts'
import { DEFAULT_SOURCES, type SourceConfig } from '../ingest/source.ts'
import type { SweepIntervals } from '../ingest/source-settings.ts'
import type { WitnessAddress } from '../log/witnesses.ts'
import type { PaymentConfig } from '../payment/settings.ts'
import type { ConnectTo } from '../probe/egress.ts'
import type { ProberSettings } from '../probe/settings.ts'
import { type ArchiveConfig, archiveOf } from './settings/archive.ts'
import { configurationProblem } from './settings/configuration-problem.ts'
import { ENVIRONMENT } from './settings/environment.ts'
import { intervalsOf } from './settings/intervals.ts'
import type { LogLevel } from './settings/log-level.ts'
import { type Misspelt, misspeltIn } from './settings/misspelt.ts'

export interface Config {
  readonly port: number
  readonly bind: string | undefined
  /** How many web processes share the port. */
  readonly webWorkers: number
  /** For cached pages. */
  readonly cacheBytes: number
  /** Without a trailing slash. */
  readonly baseUrl: string | undefined
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  /** Replicas to read from. */
  readonly readUrls: readonly string[]
  readonly allowHosts: AllowHosts
  readonly sources: readonly SourceConfig[]
  readonly sweepIntervals: SweepIntervals
  readonly connectTo: readonly ConnectTo[]
  readonly probing: Pick<ProberSettings, 'vantage' | 'intervalMs' | 'manners' | 'methods' | 'checkAddresses'>
  readonly keepDays: number
  /** Where old months go; `undefined`: they are folded and gone. */
  readonly archive: ArchiveConfig | undefined
  /** In the form of `parseWallet`. */
  readonly founderWallets: readonly string[]
  readonly payments: PaymentConfig
  readonly securityContact: string | undefined
  readonly rateLimits: RateLimits | null
  readonly trustedProxies: TrustedProxies | null
  readonly metricsPort: number | undefined
  readonly metricsBind: string
  /** Stands on top of every page. */
  readonly notice: string | undefined
  readonly logLevel: LogLevel
  /** Signs the evidence log. */
  readonly logKey: Uint8Array | undefined
  readonly logWitnesses: readonly WitnessAddress[]
  readonly logClients: LoggedClient
  /** Variables that nothing reads and that look like ones that are. */
  readonly misspelt: readonly Misspelt[]
}

/** Rejects with one line that names every variable at fault, and never repeats a value: some are secrets. */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  // An empty variable is how a compose file or unit leaves one unset.
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''))
  const read = ENVIRONMENT.safeParse(set)
  if (!read.success) {
    const faults = read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    const names = [...new Set(read.error.issues.map((issue) => issue.path.join('.')))]
    throw configurationProblem(faults.join('; '), `correct or unset ${names.join(', ')}`)
  }
  const values = read.data
  if (values.DATABASE_READ_URL !== undefined && values.DATABASE_URL === undefined) {
    const detail = 'DATABASE_READ_URL: there is no DATABASE_URL that it could copy'
    throw configurationProblem(detail, 'set DATABASE_URL or unset DATABASE_READ_URL')
  }
  const sources = values.SOURCES ?? DEFAULT_SOURCES
  return {
    port: values.PORT,
    bind: values.BIND,
    webWorkers: values.WEB_WORKERS,
    cacheBytes: values.CACHE_MB * 1024 * 1024,
    baseUrl: values.BASE_URL,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    readUrls: values.DATABASE_READ_URL ?? [],
    allowHosts: values.ALLOW_HOSTS ?? [],
    sources,
    sweepIntervals: intervalsOf(values.SWEEP_INTERVAL, sources),
    connectTo: values.CONNECT_TO ?? [],
    probing: {
      vantage: values.VANTAGE ?? null,
      intervalMs: values.PROBE_INTERVAL,
      manners: { gapMs: values.PROBE_GAP, optOut: values.PROBE_OPT_OUT ?? [] },
      methods: values.PROBE_METHODS,
      checkAddresses: values.PROBE_CHECK,
    },
    keepDays: values.KEEP_ENTRIES,
    archive: archiveOf(values.ARCHIVE_TO, values),
    founderWallets: values.FOUNDER_WALLETS ?? [],
    payments: {
      x402: {
        payTo: values.X402_PAY_TO ?? [],
        networks: values.X402_NETWORKS,
        facilitatorUrl: values.X402_FACILITATOR_URL,
        facilitatorHeaders: values.X402_FACILITATOR_HEADERS ?? {},
      },
      mpp: {
        recipient: values.MPP_RECIPIENT,
        currency: values.MPP_CURRENCY,
        rpcUrl: values.MPP_RPC_URL,
        secretKey: values.MPP_SECRET_KEY,
      },
      rpcUrls: values.RPC_URLS ?? new Map(),
    },
    securityContact: values.SECURITY_CONTACT,
    rateLimits: values.RATE_LIMITS,
    trustedProxies: values.TRUSTED_PROXIES ?? null,
    metricsPort: values.METRICS_PORT,
    metricsBind: values.METRICS_BIND,
    notice: values.NOTICE,
    logLevel: values.LOG_LEVEL,
    logKey: values.LOG_KEY,
    logWitnesses: values.LOG_WITNESSES ?? [],
    logClients: values.LOG_CLIENTS,
    misspelt: misspeltIn(Object.keys(set), Object.keys(ENVIRONMENT.shape)),
  }
}
