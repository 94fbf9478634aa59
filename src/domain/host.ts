import { domainToASCII } from 'node:url'

/** A seller host in canonical form: lower-case ASCII DNS name, no trailing dot, `:port` only when not the scheme's own. */
export type SellerHost = string

/** Patterns of otherwise refused names that this operator allows: exact names, or `*.` and a suffix. */
export type AllowHosts = readonly string[]

export type HostReading =
  | { readonly ok: true; readonly host: SellerHost }
  | { readonly ok: false; readonly reason: string }

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/
const SPECIAL_USE = ['localhost', 'local', 'internal', 'test', 'invalid', 'onion', 'alt', 'arpa']
const MOST_CHARACTERS = 253

const refused = (reason: string): HostReading => ({ ok: false, reason })

const ANY = '*'
/** Of what was taken before: an operator may have allowed it then and does no more. No setting says this. */
export const EVERY_HOST: AllowHosts = [ANY]

const matches = (name: string, pattern: string): boolean =>
  pattern === ANY || (pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === pattern)

/**
 * Reads `name` or `name:port` as somebody wrote it. `defaultPort` is the scheme's own port, dropped from the canonical
 * form; without one (a name in an address of ours) every port stays.
 */
export function parseHost(text: string, allow: AllowHosts = [], defaultPort?: number): HostReading {
  if (text.length > 1000) return refused('the host name is too long')
  const [, written = '', port] = /^([^:]*)(?::(\d{1,5}))?$/.exec(text) ?? []
  if (written === '') return refused('not a host name')
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return refused('the port is out of range')
  // domainToASCII also reads 0x7f.1, 2130706433 and percent-encoding; none of these survives the label rules below.
  const name = /[%@[\]\\/?#\s]/.test(written) ? '' : domainToASCII(written).replace(/\.$/, '')
  if (name === '') return refused('not a DNS host name')
  if (name.length > MOST_CHARACTERS) return refused('the host name is too long')
  const labels = name.split('.')
  if (!labels.every((label) => LABEL.test(label))) return refused('not a DNS host name')
  const top = labels.at(-1) ?? ''
  if (!allow.some((pattern) => matches(name, pattern))) {
    if (/^\d+$/.test(top) || /^0x[0-9a-f]*$/.test(top)) return refused('an IP address is not a seller host')
    if (labels.length === 1) return refused('a single label is not a public host name')
    if (SPECIAL_USE.includes(top)) return refused(`names under .${top} are not public`)
  }
  const kept = port === undefined || Number(port) === defaultPort ? '' : `:${Number(port)}`
  return { ok: true, host: `${name}${kept}` }
}
