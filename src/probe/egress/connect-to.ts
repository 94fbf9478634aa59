import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'

/** One entry of `CONNECT_TO`: calls to these hosts and ports go to exactly this address instead. */
export interface ConnectTo {
  /** A name, `*.` and a suffix, an IP address without brackets, or `''` for every host. */
  readonly host: string
  /** `null`: every port. */
  readonly port: number | null
  readonly address: string
  readonly addressPort: number
}

const FORM = /^(\[[^\]]*\]|[^:[\]]*):([^:]*):(\[[^\]]*\]|[^:[\]]*):([^:]*)$/
const EXAMPLE = '*.seller.test:443:127.0.0.1:8443'

const unbracketed = (text: string): string => text.replace(/^\[(.*)\]$/, '$1')

function readPort(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return port >= 1 && port <= 65_535 ? port : undefined
}

function readEntry(entry: string): ConnectTo {
  const wrong = (why: string): Error => new Error(`CONNECT_TO entry "${entry}": ${why}, for example ${EXAMPLE}`)
  const [whole, host = '', port = '', address = '', addressPort = ''] = FORM.exec(entry) ?? []
  if (whole === undefined) throw wrong('expected host:port:address:port with IPv6 addresses in brackets')
  const toPort = readPort(addressPort)
  if (toPort === undefined) throw wrong('the second port must be a number from 1 to 65535')
  const fromPort = port === '' ? null : readPort(port)
  if (fromPort === undefined) throw wrong('the first port must be empty or a number from 1 to 65535')
  const to = unbracketed(address)
  if (isIP(to) === 0 || (isIP(to) === 6) !== address.startsWith('['))
    throw wrong('the address must be an IP address, in brackets when IPv6')
  return { host: readHost(host, wrong), port: fromPort, address: to, addressPort: toPort }
}

function readHost(written: string, wrong: (why: string) => Error): string {
  const host = unbracketed(written)
  if (host === '' || host === '*') return ''
  if (isIP(host) === 6) return new URL(`http://[${host}]`).hostname.slice(1, -1)
  const name = host.startsWith('*.') ? host.slice(2) : host
  const ascii = /[*[\]\s/\\@?#%]/.test(name) ? '' : domainToASCII(name).replace(/\.$/, '')
  if (ascii === '') throw wrong('the host must be a name, *. and a name, an IP address or empty')
  return host.startsWith('*.') ? `*.${ascii}` : ascii
}

/** Reads the operator's `CONNECT_TO`: entries of curl's `--connect-to` form, comma separated. Throws with the entry and what is wrong. */
export function parseConnectTo(text: string): readonly ConnectTo[] {
  const entries = text.split(',').map((entry) => entry.trim())
  return entries.filter((entry) => entry !== '').map(readEntry)
}

const hostMatches = (pattern: string, hostname: string): boolean =>
  pattern === '' || (pattern.startsWith('*.') ? hostname.endsWith(pattern.slice(1)) : hostname === pattern)

/** The first entry for this host and port. `hostname` is canonical: lower-case ASCII, no trailing dot, no brackets. */
export function connectToFor(entries: readonly ConnectTo[], hostname: string, port: number): ConnectTo | undefined {
  return entries.find((entry) => (entry.port === null || entry.port === port) && hostMatches(entry.host, hostname))
}
