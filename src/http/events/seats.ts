import { problem } from '../../domain/problem-kinds.ts'

/** Somebody who may be asked to leave. */
export interface Sitter {
  /** Who shares a cap: an IPv4 address or an IPv6 /64. */
  readonly address: string
  /** Who shares what is fair when all seats are taken: an IPv4 /24 or an IPv6 /48. */
  readonly network: string
  end(): void
}

export interface SeatLimits {
  readonly mostClients: number
  readonly mostPerAddress: number
}

/** What several processes behind one port tell each other of the streams that they hold. */
export interface SharedSeats {
  /** Streams of an address that other processes hold. */
  elsewhere(address: string): number
  /** So many are held here now. */
  tell(address: string, held: number): void
}

/** Who has a stream open, in the order in which they came. */
export class Seats<Client extends Sitter> {
  readonly #clients = new Set<Client>()

  constructor(
    private readonly limits: SeatLimits,
    private readonly shared?: SharedSeats,
  ) {}

  get size(): number {
    return this.#clients.size
  }

  [Symbol.iterator](): IterableIterator<Client> {
    return [...this.#clients].values()
  }

  /**
   * Throws a `Problem` when there is no room for one more from there. When all seats are taken, the network that holds
   * most of them gives up the one that it has had for the longest, to whoever would still hold fewer.
   */
  makeRoom({ address, network }: Pick<Sitter, 'address' | 'network'>): void {
    const own = this.#heldBy(address) + (this.shared?.elsewhere(address) ?? 0)
    if (own >= this.limits.mostPerAddress) throw noSeat(`${own} streams are open from this address already.`)
    if (this.#clients.size < this.limits.mostClients) return
    const held = new Map<string, Client[]>()
    for (const client of this.#clients) held.set(client.network, [...(held.get(client.network) ?? []), client])
    const greediest = [...held.values()].reduce((most, one) => (one.length > most.length ? one : most))
    const after = (held.get(network)?.length ?? 0) + 1
    if (greediest.length <= after) throw noSeat(`${this.#clients.size} streams are open already.`)
    greediest[0]?.end()
  }

  add(client: Client): void {
    this.#clients.add(client)
    this.shared?.tell(client.address, this.#heldBy(client.address))
  }

  delete(client: Client): void {
    if (this.#clients.delete(client)) this.shared?.tell(client.address, this.#heldBy(client.address))
  }

  #heldBy(address: string): number {
    return [...this.#clients].filter((client) => client.address === address).length
  }
}

const noSeat = (detail: string) => problem('too-many-streams', detail, { headers: { 'Retry-After': '30' } })
