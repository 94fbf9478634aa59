/** `42431`, `eip155:42431` or `0xa5bf`. */
const CHAIN_ID = /^(?:(?:eip155:)?([1-9]\d{0,15})|0x0*[1-9a-f][\da-f]{0,12})$/i

/** A chain as mpp writes it, in decimal digits. `undefined`: none is stated; `null`: what is stated is not understood. */
export function chainIdIn(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return undefined
  const [hex, decimal] = CHAIN_ID.exec(typeof value === 'object' ? '' : String(value)) ?? []
  return decimal ?? (hex ? String(BigInt(hex)) : null)
}
