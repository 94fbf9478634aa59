/** A number with a comma between thousands and at most one decimal: `1400` is `1,400`, `1400.5` is `1,400.5`. */
export function thousands(value: number): string {
  if (value >= 0 && value < 1000) return String(value)
  const [whole = '', fraction] = value.toString().split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** What text views print for anything unknown; JSON says `null`. */
export const NO_DATA = 'no data'

export const orNoData = (value: string | number | null): string => (value === null ? NO_DATA : String(value))

/** `1 route`, `1,400 routes` */
export const thousandsOf = (n: number, noun: string): string => `${thousands(n)} ${noun}${n === 1 ? '' : 's'}`

/** `1 entry`, `1,400 entries` */
export const entriesCounted = (n: number): string => `${thousands(n)} ${n === 1 ? 'entry' : 'entries'}`

/** `1 route`, `1400 routes` */
export const counted = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`
