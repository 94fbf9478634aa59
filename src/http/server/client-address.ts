import { BlockList, isIP } from 'node:net'
import { networkOf, unmapped } from '../../wire/ip-network.ts'

/** Proxies of the operator, whose X-Forwarded-For is believed. */
export type TrustedProxies = Pick<BlockList, 'check'>

/** Single addresses and CIDR networks; `undefined` when one of them is neither. */
export function trustedProxies(list: readonly string[]): TrustedProxies | undefined {
  const trusted = new BlockList()
  for (const item of list) {
    const [address = '', bits] = item.split('/')
    const version = isIP(address)
    if (version === 0) return undefined
    const most = version === 4 ? 32 : 128
    if (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > most)) return undefined
    trusted.addSubnet(address, bits === undefined ? most : Number(bits), version === 4 ? 'ipv4' : 'ipv6')
  }
  return trusted
}

/** Some proxies write the port, too, and IPv6 addresses then in brackets. */
const hopOf = (written: string): string =>
  unmapped(written.trim().replace(/^(?:\[([^\]]*)\]|(\d+(?:\.\d+){3}))(?::\d+)?$/, '$1$2'))

/**
 * The nearest address that is not one of the operator's own proxies. Each proxy appended the address it saw, so the
 * list is read from its end, and nothing left of a stranger is believed.
 */
export function clientAddress(peer: string, forwardedFor: string | undefined, trusted: TrustedProxies | null): string {
  let address = unmapped(peer)
  if (trusted === null || forwardedFor === undefined) return address
  const hops = forwardedFor.split(',').map(hopOf)
  while (isIP(address) !== 0 && trusted.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')) {
    const hop = hops.pop()
    if (hop === undefined || isIP(hop) === 0) break
    address = hop
  }
  return address
}

/** Who shares one budget: an IPv4 address, or the /64 network that one IPv6 customer gets. */
export function addressKey(address: string): string {
  const plain = unmapped(address)
  return isIP(plain) === 6 ? networkOf(plain, 64) : plain
}

/** Who is likely to be one operator: an IPv4 /24, or the IPv6 /48 that one site gets. */
export const neighbourhood = (address: string): string => networkOf(address, 48)

export const LOGGED_CLIENTS = ['none', 'network', 'address'] as const
/** What lines of requests say of where they came from. */
export type LoggedClient = (typeof LOGGED_CLIENTS)[number]

/** As a field of such a line; nothing unless the operator has chosen so. */
export function loggedClient(how: LoggedClient, address: string): { readonly client?: string } {
  if (how === 'none') return {}
  return { client: how === 'network' ? neighbourhood(address) : address }
}
