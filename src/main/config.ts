import { z } from 'zod'
import type { AllowHosts } from '../domain/host.ts'
import { Problem } from '../domain/problem.ts'
import { type TrustedProxies, trustedProxies } from '../http/client-address.ts'
import { DEFAULT_RATE_LIMITS, parseRateLimits, type RateLimits } from '../http/rates.ts'
import { LOG_LEVELS, type LogLevel } from './log.ts'

/**
 * One environment variable: what it is for, what it may be, and how its text is read (`undefined` refuses it). The
 * documentation is generated from the same rows.
 */
function variable<T>(row: {
  readonly description: string
  readonly expected: string
  readonly default?: string
  read(text: string): T | undefined
}) {
  const { description, expected } = row
  const text = z.string().transform((value, context): T => {
    const read = row.read(value.trim())
    if (read !== undefined) return read
    context.addIssue({ code: 'custom', message: `expected ${expected}` })
    return z.NEVER
  })
  return text.meta({ description, expected, default: row.default ?? null })
}

const list = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

const ALLOWED = /^(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/

function readBaseUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined
  const extra = url.search + url.hash + url.username + url.password
  return extra === '' ? url.href.replace(/\/+$/, '') : undefined
}

export const ENVIRONMENT = z.object({
  PORT: variable({
    description: 'TCP port of the web server; 0 takes any free one.',
    expected: 'a whole number from 0 to 65535',
    default: '8402',
    read: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined),
  }).prefault('8402'),
  BIND: variable({
    description: 'Address to listen on; all addresses of the machine when unset.',
    expected: 'an address or host name of this machine',
    read: (text) => (/^[A-Za-z0-9.:_-]+$/.test(text) ? text : undefined),
  }).optional(),
  BASE_URL: variable({
    description: "The directory's own address in links and problem types; http://localhost:<port> when unset.",
    expected: 'an http or https address without query',
    read: readBaseUrl,
  }).optional(),
  DATA_DIR: variable({
    description: 'Folder of the SQLite store; created when missing.',
    expected: 'a folder',
    default: './data',
    read: (text) => (text.includes('\0') ? undefined : text),
  }).prefault('./data'),
  DATABASE_URL: variable({
    description: 'Postgres instead of SQLite. A secret: never printed or logged.',
    expected: 'a postgres:// address',
    read: (text) => (/^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text) ? text : undefined),
  }).optional(),
  ALLOW_HOSTS: variable({
    description: 'Seller hosts to take although they are not public: exact names or *.suffix, comma separated.',
    expected: 'host names or *.suffix, comma separated',
    read: (text) => {
      const names = list(text.toLowerCase())
      return names.every((name) => ALLOWED.test(name)) ? names : undefined
    },
  }).optional(),
  RATE_LIMITS: variable({
    description: 'Limits per IPv4 address or IPv6 /64 as name=count/unit (s, m, h, d), comma separated; or off.',
    expected: `${DEFAULT_RATE_LIMITS} or off`,
    default: DEFAULT_RATE_LIMITS,
    read: parseRateLimits,
  }).prefault(DEFAULT_RATE_LIMITS),
  TRUSTED_PROXIES: variable({
    description: 'Reverse proxies whose X-Forwarded-For tells the client address: addresses or CIDR, comma separated.',
    expected: 'IP addresses or CIDR networks, comma separated',
    read: (text) => trustedProxies(list(text)),
  }).optional(),
  LOG_LEVEL: variable({
    description: 'Least severity that is logged; debug also logs answers from the cache.',
    expected: `one of ${LOG_LEVELS.join(', ')}`,
    default: 'info',
    read: (text) => LOG_LEVELS.find((level) => level === text),
  }).prefault('info'),
})

export interface Config {
  readonly port: number
  readonly bind: string | undefined
  /** Without a trailing slash. */
  readonly baseUrl: string | undefined
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly allowHosts: AllowHosts
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
    rateLimits: values.RATE_LIMITS,
    trustedProxies: values.TRUSTED_PROXIES ?? null,
    logLevel: values.LOG_LEVEL,
  }
}
