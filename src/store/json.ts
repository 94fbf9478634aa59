/** An aggregate of rows. Postgres's driver has parsed it already. */
export const fromJson = <T>(value: unknown): T => (typeof value === 'string' ? JSON.parse(value) : (value as T))
