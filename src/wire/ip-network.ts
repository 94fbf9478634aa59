/** `::ffff:192.0.2.1` is the IPv4 address that it maps. */
export const unmapped = (address: string): string =>
  /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(address) ? address.slice(7) : address

/** The network of an IPv4 address (`/24`, say 192.0.2.0/24), or so many bits of an IPv6 one; anything else is itself. */
export function networkOf(address: string, ipv6Bits: 48 | 64): string {
  const plain = unmapped(address)
  if (plain.includes(':'))
    return `${groupsOf(plain)
      .slice(0, ipv6Bits / 16)
      .join(':')}::/${ipv6Bits}`
  return /^\d+\.\d+\.\d+\.\d+$/.test(plain) ? `${plain.slice(0, plain.lastIndexOf('.'))}.0/24` : plain
}

/** The groups of an IPv6 address, without leading zeros; at least the first four of them are right. */
function groupsOf(address: string): string[] {
  const [left = '', right] = address.replace(/%.*$/, '').split('::')
  const head = left === '' ? [] : left.split(':')
  const tail = right === undefined || right === '' ? [] : right.split(':')
  // A dotted tail stands for two groups; it never reaches into the first four unless zeros do not fill the middle.
  const groups = tail.length + (right?.includes('.') ? 1 : 0)
  const middle = right === undefined ? 0 : Math.max(0, 8 - head.length - groups)
  const all = [...head, ...Array<string>(middle).fill('0'), ...tail]
  return all.map((group) => Number.parseInt(group, 16).toString(16))
}
