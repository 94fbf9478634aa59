import { z } from 'zod'
import { parseDuration } from '../domain/duration.ts'
import type { AllowHosts } from '../domain/host.ts'
import { Problem } from '../domain/problem.ts'
import { METHODS } from '../domain/route.ts'
import { type TrustedProxies, trustedProxies } from '../http/client-address.ts'
import { DEFAULT_RATE_LIMITS, parseRateLimits, type RateLimits } from '../http/rates.ts'
import { DEFAULT_SOURCES, type SourceConfig } from '../ingest/source.ts'
import { parseIntervals, parseSources, type SweepIntervals } from '../ingest/source-list.ts'
import { type ConnectTo, parseConnectTo } from '../probe/egress.ts'
import { SAFE_METHODS } from '../probe/one.ts'
import type { ProberSettings } from '../probe/settings.ts'
import { LOG_LEVELS, type LogLevel } from './log.ts'

/** One environment variable. The documentation is generated from the same rows. */
interface Row<T> {
  readonly description: string
  readonly expected: string
  /** What the text says; `undefined` refuses it. */
  read(text: string): T | undefined
}

const text = <T>({ expected, read }: Row<T>) =>
  z.string().transform((value, context): T => {
    const result = read(value.trim())
    if (result !== undefined) return result
    context.addIssue({ code: 'custom', message: `expected ${expected}` })
    return z.NEVER
  })

const variable = <T>(row: Row<T> & { readonly default: string }) =>
  text(row).prefault(row.default).meta({ description: row.description, expected: row.expected, default: row.default })

const optional = <T>(row: Row<T>) =>
  text(row).optional().meta({ description: row.description, expected: row.expected, default: null })

const list = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

const ALLOWED = /^(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/

function readPatterns(text: string): readonly string[] | undefined {
  const names = list(text.toLowerCase())
  return names.every((name) => ALLOWED.test(name)) ? names : undefined
}

const readPause = (text: string): number | undefined =>
  /^\d{1,6}ms$/.test(text) ? Number(text.slice(0, -2)) : parseDuration(text)

function readCheckAddresses(text: string): readonly string[] | undefined {
  if (text === 'none') return []
  const addresses = list(text)
  return addresses.every((address) => /^https?:\/\//.test(address) && URL.canParse(address)) ? addresses : undefined
}

function readBaseUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined
  const extra = url.search + url.hash + url.username + url.password
  return extra === '' ? url.href.replace(/\/+$/, '') : undefined
}

const DEFAULT_INTERVALS = '1h,openapi=24h,well-known=24h'

function readConnectTo(text: string): readonly ConnectTo[] | undefined {
  try {
    return parseConnectTo(text)
  } catch {
    return undefined
  }
}

export const ENVIRONMENT = z.object({
  PORT: variable({
    description: 'TCP port of the web server; 0 takes any free one.',
    expected: 'a whole number from 0 to 65535',
    default: '8402',
    read: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined),
  }),
  BIND: optional({
    description: 'Address to listen on; all addresses of the machine when unset.',
    expected: 'an address or host name of this machine',
    read: (text) => (/^[A-Za-z0-9.:_-]+$/.test(text) ? text : undefined),
  }),
  BASE_URL: optional({
    description: "The directory's own address in links and problem types; http://localhost:<port> when unset.",
    expected: 'an http or https address without query',
    read: readBaseUrl,
  }),
  DATA_DIR: variable({
    description: 'Folder of the SQLite store; created when missing.',
    expected: 'a folder',
    default: './data',
    read: (text) => (text.includes('\0') ? undefined : text),
  }),
  DATABASE_URL: optional({
    description: 'Postgres instead of SQLite. A secret: never printed or logged.',
    expected: 'a postgres:// address',
    read: (text) => (/^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text) ? text : undefined),
  }),
  ALLOW_HOSTS: optional({
    description: 'Seller hosts to take although they are not public: exact names or *.suffix, comma separated.',
    expected: 'host names or *.suffix, comma separated',
    read: readPatterns,
  }),
  SOURCES: optional({
    description:
      'Listing sources as name=kind:address, comma separated (kinds: bazaar, mpp-directory, openapi, well-known, 402index, file); none for none; the public ones when unset.',
    expected: 'name=kind:address, comma separated, or none',
    read: parseSources,
  }),
  SWEEP_INTERVAL: variable({
    description: 'How often sources are swept (s, m, h, d), then single ones as name=interval, comma separated.',
    expected: 'an interval such as 1h, then name=interval, comma separated',
    default: DEFAULT_INTERVALS,
    read: parseIntervals,
  }),
  CONNECT_TO: optional({
    description:
      "Where calls to strangers really go, like curl's --connect-to: host:port:address:port, comma separated; the only way to an address that is not public.",
    expected: 'host:port:address:port, comma separated',
    read: readConnectTo,
  }),
  PROBE_INTERVAL: variable({
    description: 'How often each route is probed (s, m, h, d).',
    expected: 'an interval such as 6h',
    default: '6h',
    read: parseDuration,
  }),
  PROBE_GAP: variable({
    description: 'Rest between two requests to one host (ms, s); 0ms for sellers of your own only.',
    expected: 'a pause such as 1s or 250ms',
    default: '1s',
    read: readPause,
  }),
  PROBE_METHODS: variable({
    description: 'Methods that probes send; PUT, PATCH and DELETE may change things at the seller.',
    expected: `some of ${METHODS.join(', ')}, comma separated`,
    default: SAFE_METHODS.join(','),
    read: (text) => {
      const named = list(text.toUpperCase())
      const methods = METHODS.filter((method) => named.includes(method))
      return methods.length === new Set(named).size && methods.length > 0 ? methods : undefined
    },
  }),
  PROBE_OPT_OUT: optional({
    description: 'Hosts that are never probed: exact names or *.suffix, comma separated.',
    expected: 'host names or *.suffix, comma separated',
    read: readPatterns,
  }),
  PROBE_CHECK: variable({
    description:
      'Addresses that are always there: when nothing answers and these do not either, we are offline and record nothing.',
    expected: 'http or https addresses, comma separated, or none',
    default: 'https://one.one.one.one/,https://dns.google/',
    read: readCheckAddresses,
  }),
  KEEP_ENTRIES: variable({
    description: 'How long single probe entries are kept (d); counters and histogram count everything ever seen.',
    expected: 'a number of days such as 400d',
    default: '400d',
    read: (text) => (/^[1-9]\d{0,4}d$/.test(text) ? Number(text.slice(0, -1)) : undefined),
  }),
  RATE_LIMITS: variable({
    description: 'Limits per IPv4 address or IPv6 /64 as name=count/unit (s, m, h, d), comma separated; or off.',
    expected: `${DEFAULT_RATE_LIMITS} or off`,
    default: DEFAULT_RATE_LIMITS,
    read: parseRateLimits,
  }),
  TRUSTED_PROXIES: optional({
    description: 'Reverse proxies whose X-Forwarded-For tells the client address: addresses or CIDR, comma separated.',
    expected: 'IP addresses or CIDR networks, comma separated',
    read: (text) => trustedProxies(list(text)),
  }),
  LOG_LEVEL: variable({
    description: 'Least severity that is logged; debug also logs answers from the cache.',
    expected: `one of ${LOG_LEVELS.join(', ')}`,
    default: 'info',
    read: (text) => LOG_LEVELS.find((level) => level === text),
  }),
})

export interface Config {
  readonly port: number
  readonly bind: string | undefined
  /** Without a trailing slash. */
  readonly baseUrl: string | undefined
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly allowHosts: AllowHosts
  readonly sources: readonly SourceConfig[]
  readonly sweepIntervals: SweepIntervals
  readonly connectTo: readonly ConnectTo[]
  readonly probing: Pick<ProberSettings, 'intervalMs' | 'manners' | 'methods' | 'checkAddresses'>
  readonly keepDays: number
  readonly rateLimits: RateLimits | null
  readonly trustedProxies: TrustedProxies | null
  readonly logLevel: LogLevel
}

/** Rejects with one line that names every variable at fault, and never repeats a value: some are secrets. */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  // An empty variable is how a compose file or unit leaves one unset.
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''))
  const read = ENVIRONMENT.safeParse(set)
  if (!read.success) {
    const faults = read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    const names = [...new Set(read.error.issues.map((issue) => issue.path.join('.')))]
    throw new Problem(
      'configuration',
      500,
      'Invalid configuration',
      faults.join('; '),
      `correct or unset ${names.join(', ')}`,
    )
  }
  const values = read.data
  return {
    port: values.PORT,
    bind: values.BIND,
    baseUrl: values.BASE_URL,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    allowHosts: values.ALLOW_HOSTS ?? [],
    sources: values.SOURCES ?? DEFAULT_SOURCES,
    sweepIntervals: values.SWEEP_INTERVAL,
    connectTo: values.CONNECT_TO ?? [],
    probing: {
      intervalMs: values.PROBE_INTERVAL,
      manners: { gapMs: values.PROBE_GAP, optOut: values.PROBE_OPT_OUT ?? [] },
      methods: values.PROBE_METHODS,
      checkAddresses: values.PROBE_CHECK,
    },
    keepDays: values.KEEP_ENTRIES,
    rateLimits: values.RATE_LIMITS,
    trustedProxies: values.TRUSTED_PROXIES ?? null,
    logLevel: values.LOG_LEVEL,
  }
}
