const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `90s`, `15m`, `6h`, `1d` in milliseconds; `undefined` for anything else, or nothing, or over a year. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,9})([smhd])$/.exec(text)
  const ms = Number(match?.[1]) * (UNIT_MS[match?.[2] ?? ''] ?? Number.NaN)
  return ms > 0 && ms <= 366 * 86_400_000 ? ms : undefined
}
