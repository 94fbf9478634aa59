import { z } from 'zod'
import { isVantage } from '../../domain/now/vantage.ts'
import { METHODS } from '../../domain/route.ts'
import { parseDuration } from '../../domain/time/duration.ts'
import { lineFault } from '../../domain/words/text.ts'
import { DEFAULT_RATE_LIMITS, parseRateLimits } from '../../http/limits/rates.ts'
import { LOGGED_CLIENTS, trustedProxies } from '../../http/server/client-address.ts'
import { DEFAULT_INTERVALS, DEFINITIONS } from '../../ingest/source.ts'
import { faultOfSources, parseIntervals, parseSources } from '../../ingest/source-settings.ts'
import { readSeed } from '../../log/key.ts'
import { SAFE_METHODS } from '../../probe/probe-route.ts'
import { faultOfArchiveTo, readArchiveTo } from './archive.ts'
import { LOG_LEVELS } from './log-level.ts'
import {
  list,
  readAddress,
  readBaseUrl,
  readBind,
  readCheckAddresses,
  readConnectTo,
  readDatabase,
  readDatabases,
  readEvmAddress,
  readHeaders,
  readPaidNetworks,
  readPatterns,
  readPause,
  readPort,
  readRpcUrls,
  readWallets,
  readWitnesses,
} from './readers.ts'

/** One environment variable. The documentation is generated from the same rows. */
interface Row<T> {
  readonly description: string
  readonly expected: string
  /** What the text says; `undefined` refuses it. */
  read(text: string): T | undefined
  /** What is wrong with a text that is refused, where more can be said than what is expected. Repeats nothing secret. */
  fault?(text: string): string | undefined
}

const text = <T>({ expected, read, fault }: Row<T>) =>
  z.string().transform((value, context): T => {
    const result = read(value.trim())
    if (result !== undefined) return result
    const more = fault?.(value.trim())
    context.addIssue({ code: 'custom', message: `expected ${expected}${more === undefined ? '' : `; ${more}`}` })
    return z.NEVER
  })

const variable = <T>(row: Row<T> & { readonly default: string }) =>
  text(row).prefault(row.default).meta({ description: row.description, expected: row.expected, default: row.default })

const optional = <T>(row: Row<T>) =>
  text(row).optional().meta({ description: row.description, expected: row.expected, default: null })

export const ENVIRONMENT = z.object({
  PORT: variable({
    description: 'TCP port of the web server; 0 takes any free one.',
    expected: 'a whole number from 0 to 65535',
    default: '8402',
    read: readPort,
  }),
  BIND: optional({
    description: 'Address to listen on; all addresses of the machine when unset.',
    expected: 'an address or host name of this machine',
    read: readBind,
  }),
  WEB_WORKERS: variable({
    description:
      'Web processes that share the port on this machine, with limits and caches as of one; sweeps, probes and all that is done once stay in the process that starts them.',
    expected: 'a whole number from 1 to 64',
    default: '1',
    read: (text) => (/^[1-9]\d?$/.test(text) && Number(text) <= 64 ? Number(text) : undefined),
  }),
  CACHE_MB: variable({
    description: 'Memory for pages as they were last sent (MB), of all web workers together; 0 keeps none.',
    expected: 'a whole number from 0 to 65536',
    default: '64',
    read: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_536 ? Number(text) : undefined),
  }),
  BASE_URL: optional({
    description:
      "The directory's own address, in links, problem types and the User-Agent of probes; http://localhost:<port> when unset.",
    expected: 'an http or https address without path or query: a directory has its host to itself',
    read: readBaseUrl,
  }),
  DATA_DIR: variable({
    description:
      "Folder of the SQLite store and, on either engine, of the evidence log's newest checkpoint; created when missing.",
    expected: 'a folder',
    default: './data',
    read: (text) => (text.includes('\0') ? undefined : text),
  }),
  DATABASE_URL: optional({
    description: 'Postgres instead of SQLite. A secret: never printed or logged.',
    expected: 'a postgres:// address',
    read: readDatabase,
  }),
  DATABASE_READ_URL: optional({
    description:
      'Replicas of DATABASE_URL that web processes read from, comma separated; one that is gone or 10 s late is left out until it is back. A secret: never printed or logged.',
    expected: 'postgres:// addresses, comma separated',
    read: readDatabases,
  }),
  ALLOW_HOSTS: optional({
    description: 'Seller hosts to take although they are not public: exact names or *.suffix, comma separated.',
    expected: 'host names or *.suffix, comma separated',
    read: readPatterns,
  }),
  SOURCES: optional({
    description: 'Listing sources, each under a name of your own; none for none; the public ones when unset.',
    expected: `name=kind:address, comma separated, or none (kinds: ${DEFINITIONS.map(({ kind }) => kind).join(', ')})`,
    read: parseSources,
    fault: faultOfSources,
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
  VANTAGE: optional({
    description:
      'From where this program probes, in a word of your own such as eu-1: probers of one vantage share the work, each vantage looks at every route.',
    expected: '1 to 32 of a-z, 0-9 and -',
    read: (text) => (isVantage(text) ? text : undefined),
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
      'Addresses that are always there: when nothing answers and these do not either, we are offline and record nothing; nor by a clock that is not theirs.',
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
  ARCHIVE_TO: optional({
    description:
      'Where months beyond KEEP_ENTRIES are written as compressed records before they are removed: a folder, or s3://bucket/prefix; nowhere when unset.',
    expected: 'a folder, or s3://bucket/prefix',
    read: readArchiveTo,
    fault: faultOfArchiveTo,
  }),
  ARCHIVE_S3_ENDPOINT: optional({
    description: 'Address of the S3-compatible service of ARCHIVE_TO; that of AWS in ARCHIVE_S3_REGION when unset.',
    expected: 'an http or https address',
    read: readAddress,
  }),
  ARCHIVE_S3_REGION: variable({
    description: 'Region that requests to the service of ARCHIVE_TO are signed for.',
    expected: 'a region such as eu-central-1',
    default: 'us-east-1',
    read: (text) => (/^[a-z0-9-]{1,40}$/.test(text) ? text : undefined),
  }),
  ARCHIVE_S3_KEY_ID: optional({
    description: 'Access key id for the bucket of ARCHIVE_TO.',
    expected: 'an access key id',
    read: (text) => (/^[\w./+=-]{1,128}$/.test(text) ? text : undefined),
  }),
  ARCHIVE_S3_SECRET: optional({
    description: 'Secret access key for the bucket of ARCHIVE_TO. A secret: never printed or logged.',
    expected: 'a secret access key',
    read: (text) => text,
  }),
  FOUNDER_WALLETS: optional({
    description:
      'Wallets of the people behind this directory, comma separated: published, and their reviews never count.',
    expected: 'wallets, comma separated',
    read: readWallets,
  }),
  X402_PAY_TO: optional({
    description: 'Who is paid for posts through x402: one wallet per kind of network (EVM, Solana), comma separated.',
    expected: 'an EVM wallet, a Solana wallet or both, comma separated',
    read: readWallets,
  }),
  X402_NETWORKS: variable({
    description:
      'Networks on which posts are paid through x402, comma separated: base, base-sepolia, solana or CAIP-2; one without a known dollar as network=asset/decimals/name/version.',
    expected: 'networks, comma separated, each once, such as base or eip155:1337=0x…/6/USDC/2',
    default: 'base',
    read: readPaidNetworks,
  }),
  X402_FACILITATOR_URL: optional({
    description: 'Facilitator that verifies and settles payments through x402.',
    expected: 'an http or https address',
    read: readAddress,
  }),
  X402_FACILITATOR_HEADERS: optional({
    description: 'Headers for the facilitator, as a JSON object. A secret: never printed or logged.',
    expected: 'a JSON object of header names and values',
    read: readHeaders,
  }),
  MPP_RECIPIENT: optional({
    description: 'Who is paid for posts through mpp.',
    expected: 'an EVM wallet',
    read: readEvmAddress,
  }),
  MPP_CURRENCY: optional({
    description: 'Token in which posts are paid through mpp: a dollar on Tempo with 6 decimals.',
    expected: 'the address of a token',
    read: readEvmAddress,
  }),
  MPP_RPC_URL: optional({
    description: 'Tempo node for payments through mpp. A secret: never printed or logged.',
    expected: 'an http or https address',
    read: readAddress,
  }),
  MPP_SECRET_KEY: optional({
    description:
      'Binds mpp challenges to this directory; the same for all its processes. A secret: never printed or logged.',
    expected: 'at least 32 bytes',
    read: (text) => (Buffer.byteLength(text) >= 32 ? text : undefined),
  }),
  RPC_URLS: optional({
    description:
      'Nodes that payments and smart wallets are checked with, as network=address, comma separated (eip155:8453=https://…). A secret: never printed or logged.',
    expected: 'network=address, comma separated, each network once',
    read: readRpcUrls,
  }),
  SECURITY_CONTACT: optional({
    description:
      'Where the operator is reached and weaknesses are reported; on /policy and in /.well-known/security.txt.',
    expected: 'a mailto: or https: address',
    read: (text) => (/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(text) && URL.canParse(text) ? text : undefined),
  }),
  RATE_LIMITS: variable({
    description:
      'Limits per IPv4 address or IPv6 /64 as name=count/unit (s, m, h, d), comma separated; or off. Each program counts for itself, its web workers together.',
    expected: `${DEFAULT_RATE_LIMITS} or off`,
    default: DEFAULT_RATE_LIMITS,
    read: parseRateLimits,
  }),
  TRUSTED_PROXIES: optional({
    description: 'Reverse proxies whose X-Forwarded-For tells the client address: addresses or CIDR, comma separated.',
    expected: 'IP addresses or CIDR networks, comma separated',
    read: (text) => trustedProxies(list(text)),
  }),
  METRICS_PORT: optional({
    description: 'TCP port on which /metrics, /healthz and /readyz are served, for every role; not served when unset.',
    expected: 'a whole number from 0 to 65535',
    read: readPort,
  }),
  METRICS_BIND: variable({
    description: 'Address on which METRICS_PORT is opened; 0.0.0.0 for all addresses of the machine.',
    expected: 'an address or host name of this machine',
    default: '127.0.0.1',
    read: readBind,
  }),
  NOTICE: optional({
    description: 'One line that stands on top of every page, for example that an instance is a test.',
    expected: 'a line of at most 200 characters',
    read: (text) => (lineFault(text, 200) === undefined ? text : undefined),
  }),
  LOG_CLIENTS: variable({
    description:
      'Whether lines of requests say where they came from: not at all, the network (IPv4 /24, IPv6 /48), or the address.',
    expected: `one of ${LOGGED_CLIENTS.join(', ')}`,
    default: 'none',
    read: (text) => LOGGED_CLIENTS.find((known) => known === text),
  }),
  LOG_KEY: optional({
    description:
      'Ed25519 seed that signs the evidence log, the same for all processes; on SQLite made in DATA_DIR when unset, on Postgres nothing is signed without it. A secret: never printed or logged.',
    expected: '32 bytes in hex or Base 64',
    read: readSeed,
  }),
  LOG_WITNESSES: optional({
    description:
      'Witnesses that cosign the evidence log, each as its verifier key, a space and its address, comma separated.',
    expected: 'verifier keys and addresses such as witness.example+5d0e1b6a+BP… https://witness.example',
    read: readWitnesses,
  }),
  LOG_LEVEL: variable({
    description: 'Least severity that is logged; debug also logs answers from the cache.',
    expected: `one of ${LOG_LEVELS.join(', ')}`,
    default: 'info',
    read: (text) => LOG_LEVELS.find((level) => level === text),
  }),
})
