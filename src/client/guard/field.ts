/** What others hand over is read with these: whatever is not there, or of another kind, is `undefined`. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** The first of them that is a text. */
export const textOf = (...values: readonly unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === 'string' && value !== '')

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
