import type { Random } from './moving-list.ts'

const ODD = [null, true, -1, 0, 7, '7', '0.5', 'soon', '$', '', '1e5', [], {}, 'EUR', 'free', '0x10', 12.5, '$0.20']

/** A copy with a value replaced or a field left out, here and there. */
export function broken(value: unknown, random: Random): unknown {
  if (random() < 0.05) return ODD[Math.floor(random() * ODD.length)]
  if (Array.isArray(value)) return value.map((entry) => broken(entry, random))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(() => random() > 0.05)
  return Object.fromEntries(kept.map(([name, field]) => [name, broken(field, random)]))
}

function scalarsIn(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(scalarsIn) : [value]
}

const inMillionths = (units: number, places: number): number =>
  places <= 6 ? units * 10 ** (6 - places) : Math.ceil(units / 10 ** (places - 6))

/**
 * Whether some value of the document says so: as dollars, or as base units of decimals that it names, or of `asset`, which has
 * six. A bare whole number is dollars only where `isDollar` says so.
 */
export function isStated(
  price: number,
  document: unknown,
  asset: string,
  isDollar: (text: string) => boolean,
): boolean {
  const scalars = scalarsIn(document)
  const text = JSON.stringify(document) ?? ''
  const named = scalars.filter((value) => typeof value === 'number' || /^\d{1,2}$/.test(String(value))).map(Number)
  const decimals = [text.includes(asset) ? 6 : -1, ...named]
  return scalars.some((value) => {
    if (value === 'free' || (value === true && text.includes('free'))) return price === 0
    const number = Number(String(value).replace('$', ''))
    if (!Number.isFinite(number) || value === '' || value === null) return false
    const isWhole = /^\d+$/.test(String(value))
    const asDollars = Math.ceil(number * 1_000_000 - 1e-6) === price
    if (asDollars && (!isWhole || number === 0 || isDollar(text))) return true
    return isWhole && decimals.some((places) => places >= 0 && inMillionths(number, places) === price)
  })
}
