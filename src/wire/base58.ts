const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Bytes of a base58 text; `undefined` when it is none, or longer than anything signed. */
export function bytes58(text: string): Uint8Array | undefined {
  if (text === '' || text.length > 100) return undefined
  let value = 0n
  for (const letter of text) {
    const digit = ALPHABET.indexOf(letter)
    if (digit < 0) return undefined
    value = value * 58n + BigInt(digit)
  }
  const hex = value === 0n ? '' : value.toString(16)
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  return Buffer.concat([Buffer.alloc(zeros), Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')])
}

/** The base58 text of bytes. */
export function text58(bytes: Uint8Array): string {
  const zeros = bytes.findIndex((byte) => byte !== 0)
  if (zeros < 0) return '1'.repeat(bytes.length)
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (; value > 0n; value /= 58n) text = `${ALPHABET[Number(value % 58n)]}${text}`
  return `${'1'.repeat(zeros)}${text}`
}
