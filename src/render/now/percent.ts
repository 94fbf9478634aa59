/** Whole percent; never 100 while one was of another kind, never 0 while one was of this. */
export function percentOf(part: number, whole: number): number {
  const rounded = Math.round((part / whole) * 100)
  if (part < whole && rounded === 100) return 99
  return part > 0 && rounded === 0 ? 1 : rounded
}

/** `99.2 %`: to a tenth, and never all or nothing while that is not so. */
export function percentText(part: number, whole: number): string {
  const tenths = Math.round((part / whole) * 1000)
  const least = part > 0 ? 1 : 0
  const most = part < whole ? 999 : 1000
  const shown = Math.min(most, Math.max(least, tenths)) / 10
  return `${shown} %`
}
