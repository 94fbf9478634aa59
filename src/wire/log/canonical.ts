/**
 * JSON in its one canonical form (RFC 8785): members in the order of their UTF-16 code units, no white space, numbers and
 * strings as ECMAScript writes them. Members that are `undefined` are not there.
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError('JSON has no such number')
  return JSON.stringify(value) ?? 'null'
}
