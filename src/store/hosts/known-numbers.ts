import type { SellerHost } from '../../domain/host.ts'
import type { Store } from '../store.ts'
import type { RouteId, RouteRef } from './route-ref.ts'

/** Of each kind; some ten megabytes. */
const MOST = 50_000

/** Numbers that are never less than what they count: whoever is far from a bound by them need not count. */
export class UpperBounds {
  readonly #most = new Map<string, number>()

  /** After so many more of a kind; `undefined`: nobody has counted it. */
  after(key: string, more: number): number | undefined {
    const before = this.#most.get(key)
    return before === undefined ? undefined : before + more
  }

  set(key: string, most: number): void {
    if (this.#most.size >= MOST) this.#most.clear()
    this.#most.set(key, most)
  }
}

/**
 * The numbers of hosts and routes that are committed. They never change and no host or route is ever taken away, so what
 * was seen once need not be looked up again.
 */
export class KnownNumbers {
  readonly #hosts = new Map<SellerHost, number>()
  readonly #routes = new Map<string, RouteId>()
  /** Payees of a route that one source has named, or its own challenges have. */
  readonly payees = new UpperBounds()

  get hosts(): ReadonlyMap<SellerHost, number> {
    return this.#hosts
  }

  /** By `refText`. */
  get routes(): ReadonlyMap<string, RouteId> {
    return this.#routes
  }

  /** Only after the transaction that saw or made them has been committed. */
  remember(hosts: ReadonlyMap<SellerHost, number>, routes: ReadonlyMap<string, RouteId>): void {
    add(this.#hosts, hosts)
    add(this.#routes, routes)
  }
}

function add<K, V>(known: Map<K, V>, more: ReadonlyMap<K, V>): void {
  if (known.size + more.size > MOST) known.clear()
  for (const [key, value] of more) known.set(key, value)
}

/** One text for each route as it is named, host and all. */
export const refText = ({ host, scheme, method, rail, path }: RouteRef): string =>
  `${host}\n${scheme}\n${method}\n${rail}\n${path}`

const known = new WeakMap<Store, KnownNumbers>()

export function knownNumbers(store: Store): KnownNumbers {
  const there = known.get(store)
  if (there !== undefined) return there
  const numbers = new KnownNumbers()
  known.set(store, numbers)
  return numbers
}
