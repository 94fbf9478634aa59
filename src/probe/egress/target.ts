import { isIP } from 'node:net'
import { EgressFault } from './errors.ts'

/** Where a call goes, read from its address once; nothing else parses the address again. */
export interface Target {
  readonly secure: boolean
  /** Lower-case ASCII without trailing dot or brackets: a name, or an IP address in canonical form. */
  readonly hostname: string
  readonly isLiteral: boolean
  readonly port: number
  /** Scheme, host and port for the HTTP client; gives the `Host` header. */
  readonly origin: string
  /** Path and query. */
  readonly path: string
}

const refused = (why: string): EgressFault => new EgressFault('blocked_address', why)

/**
 * The WHATWG parser turns `2130706433`, `0x7f.1`, `0177.0.0.1`, `127.1`, full-width digits, percent-encoding and a
 * trailing dot into the one address that they mean, so that the checks see it. Throws `blocked_address`.
 */
export function readTarget(address: string): Target {
  if (!URL.canParse(address)) throw refused('not an address')
  const url = new URL(address)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refused('neither http nor https')
  if (url.username !== '' || url.password !== '') throw refused('an address with user information')
  const secure = url.protocol === 'https:'
  const host = url.hostname.replace(/\.$/, '')
  const hostname = host.replace(/^\[(.*)\]$/, '$1')
  if (hostname === '') throw refused('an address without a host')
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port)
  return {
    secure,
    hostname,
    isLiteral: isIP(hostname) !== 0,
    port,
    origin: `${url.protocol}//${host}${url.port === '' ? '' : `:${url.port}`}`,
    path: `${url.pathname}${url.search}`,
  }
}

/**
 * Ports of other protocols, from the Fetch standard's list of bad ports: a listing must not be able to make us speak
 * HTTP to somebody's mail server.
 */
const OTHER_PROTOCOLS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
  // Not browsers' concern, ours: databases, caches and message queues, shared folders, desktops and machines' controls.
  88, 445, 464, 623, 873, 1194, 1433, 1521, 1701, 1883, 2181, 2375, 2376, 2379, 2380, 3128, 3260, 3268, 3306, 3389,
  4369, 5432, 5672, 5900, 5901, 5902, 5985, 5986, 6379, 6443, 8883, 9042, 9092, 9200, 9300, 10250, 11211, 27017, 27018,
  50000,
])

/** 80 and 443; those the operator allows; and a listed route's own, unless another protocol lives there. */
export function isPortAllowed(port: number, allowPorts: readonly number[], isListed: boolean): boolean {
  if (port === 80 || port === 443 || allowPorts.includes(port)) return true
  return isListed && !OTHER_PROTOCOLS.has(port)
}
