import { RAILS, type Rail } from '../../domain/route.ts'
import { type Fields, fieldsOf, firstFields, isFields, isOff, listOf, textOf } from './guards.ts'

/** How an entry of a list of protocols names its own, where it is no key. */
const NAMES = ['name', 'protocol', 'type', 'id', 'scheme']

/** No route has more; each may be a way to pay, and one more than a route may have of these is counted as too many. */
const MOST_PROTOCOLS = 65

/** `["x402"]`, `[{ "name": "x402" }]`, `[{ "x402": {} }, { "mpp": { … } }]` or `{ "x402": {}, "mpp": false }`: each with its own terms. */
export function protocolsIn(named: unknown): [string, Fields][] {
  const entries = isFields(named) || typeof named === 'string' ? [named] : listOf(named).slice(0, MOST_PROTOCOLS)
  const protocols = entries.flatMap((entry): [string, Fields][] => {
    if (isOff(entry)) return []
    if (typeof entry === 'string') return [[entry.trim().toLowerCase(), {}]]
    const terms = fieldsOf(entry)
    const isKeyed = Object.keys(terms).some((key) => RAILS.some((rail) => rail === key.toLowerCase()))
    const name = isKeyed ? undefined : textOf(terms, ...NAMES)
    if (name !== undefined) return [[name.toLowerCase(), terms]]
    return Object.entries(firstFields(terms, MOST_PROTOCOLS)).flatMap(([key, inside]) =>
      isOff(inside) ? [] : [[key.toLowerCase(), fieldsOf(inside)]],
    )
  })
  return protocols.slice(0, MOST_PROTOCOLS)
}

/** With its version or without: `x402`, `x402 v2`, `x402/2`. */
export function railNamed(protocol: string): Rail | undefined {
  const [, name] = /^([a-z0-9]+?)(?:(?:[\s/_-]+v?|v)\d(?:\.\d+)?)$/.exec(protocol) ?? []
  return RAILS.find((rail) => rail === protocol || rail === name)
}
