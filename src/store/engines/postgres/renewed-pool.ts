import type pg from 'pg'

/** So often at most: of a server that is read-only for good, reading goes on. */
const RENEW_EVERY_MS = 2_000

/**
 * Connections that are made anew when told so: after a failover the address may lead to another server, and those to the
 * old one, which takes no writes any more, would be kept for as long as they are used.
 */
export class RenewedPool {
  readonly #madeMs = new WeakMap<pg.PoolClient, number>()
  #renewedMs = Number.NEGATIVE_INFINITY

  constructor(private readonly pool: pg.Pool) {
    pool.on('connect', (client) => this.#madeMs.set(client, performance.now()))
  }

  async connect(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.pool.connect()
      if ((this.#madeMs.get(client) ?? 0) >= this.#renewedMs) return client
      client.release(true)
    }
  }

  /** From now on nothing is asked on a connection that was made before. */
  renew(): void {
    const nowMs = performance.now()
    if (nowMs - this.#renewedMs >= RENEW_EVERY_MS) this.#renewedMs = nowMs
  }

  end(): Promise<void> {
    return this.pool.end()
  }
}
