import { RAILS, type Rail } from '../../domain/route.ts'
import { type Fields, fieldsOf, isFields, isOff, listOf, textOf } from './guards.ts'

/** How an entry of a list of protocols names its own, where it is no key. */
const NAMES = ['name', 'protocol', 'type', 'id', 'scheme']

/** `["x402"]`, `[{ "name": "x402" }]`, `[{ "x402": {} }, { "mpp": { … } }]` or `{ "x402": {}, "mpp": false }`: each with its own terms. */
export function protocolsIn(named: unknown): [string, Fields][] {
  const entries = isFields(named) || typeof named === 'string' ? [named] : listOf(named)
  return entries.flatMap((entry): [string, Fields][] => {
    if (isOff(entry)) return []
    if (typeof entry === 'string') return [[entry.trim().toLowerCase(), {}]]
    const terms = fieldsOf(entry)
    const isKeyed = Object.keys(terms).some((key) => RAILS.some((rail) => rail === key.toLowerCase()))
    const name = isKeyed ? undefined : textOf(terms, ...NAMES)
    if (name !== undefined) return [[name.toLowerCase(), terms]]
    return Object.entries(terms).flatMap(([key, inside]) =>
      isOff(inside) ? [] : [[key.toLowerCase(), fieldsOf(inside)]],
    )
  })
}

/** With its version or without: `x402`, `x402 v2`, `x402/2`. */
export function railNamed(protocol: string): Rail | undefined {
  const [, name] = /^([a-z0-9]+?)(?:(?:[\s/_-]+v?|v)\d(?:\.\d+)?)$/.exec(protocol) ?? []
  return RAILS.find((rail) => rail === protocol || rail === name)
}
