import { BlockList, isIP } from 'node:net'

/**
 * Which addresses a stranger may have: an allow-list, so that a range nobody thought of is refused. IANA's special
 * purpose registries of both families, also where they are globally reachable (AS112, AMT): no seller lives there.
 */
const SPECIAL_V4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Azure's host: a public address that every virtual machine there reaches as its own metadata and DNS server.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** Within 2000::/3. Mapped, NAT64, unique local, link local and multicast addresses lie outside of it. */
const SPECIAL_V6: readonly (readonly [network: string, prefix: number])[] = [
  // IETF assignments: Teredo, ORCHID, benchmarking and the rest.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4 carries an IPv4 address of anybody's choice.
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
]

const specialV4 = new BlockList()
for (const [network, prefix] of SPECIAL_V4) specialV4.addSubnet(network, prefix, 'ipv4')

const globalV6 = new BlockList()
globalV6.addSubnet('2000::', 3, 'ipv6')

const specialV6 = new BlockList()
for (const [network, prefix] of SPECIAL_V6) specialV6.addSubnet(network, prefix, 'ipv6')

/** Whether `address` is an IP address that may be called at all. Anything else, a zone identifier too, may not. */
export function isGlobalUnicast(address: string): boolean {
  if (address.includes('%')) return false
  const family = isIP(address)
  if (family === 4) return !specialV4.check(address, 'ipv4')
  return family === 6 && globalV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6')
}

const SYNTHESIZED = /^64:ff9b::(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4})$/i

/** The IPv4 address behind one that a name server of a network with NAT64 puts together for it. */
function behindNat64(address: string): string | undefined {
  const [, high = '0', low] = SYNTHESIZED.exec(address) ?? []
  if (low === undefined) return undefined
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [a >> 8, a & 255, b >> 8, b & 255].join('.')
}

/** Without those that only say again, for NAT64, what stands among them: such networks add one to every name that has none of its own. */
export const withoutSynthesized = (addresses: readonly string[]): readonly string[] =>
  addresses.filter((address) => !addresses.includes(behindNat64(address) ?? ''))
