import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import pg from 'pg'
import { isAway } from '../../domain/store-trouble.ts'
import { RenewedPool } from './postgres/renewed-pool.ts'
import { AskingClient } from './postgres-pool.ts'
import { preparing } from './prepared.ts'

/** A replica ends a statement that what it replays is in the way of. */
const RECOVERY_CONFLICT = '40001'

/**
 * A connection of whoever is to answer. The first statement on one that turns out to be lost, or in the way of what a
 * replica replays, is asked again elsewhere; later ones belong together and are not.
 */
export class RoutedClient extends AskingClient {
  #client: PostgresPoolClient | undefined
  #isFresh = true

  constructor(
    private readonly connect: () => Promise<PostgresPoolClient>,
    private readonly elsewhere: () => Promise<PostgresPoolClient>,
  ) {
    super()
  }

  override release(): void {
    this.#client?.release()
    this.#client = undefined
  }

  protected override async ask<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    this.#client ??= await this.connect()
    try {
      const result = await this.#client.query<R>(text, parameters)
      this.#isFresh = false
      return result
    } catch (error) {
      const isLost = isAway(error) || (error instanceof Error && 'code' in error && error.code === RECOVERY_CONFLICT)
      if (!this.#isFresh || !isLost) throw error
      this.#isFresh = false
      this.release()
      this.#client = await this.elsewhere()
      return this.#client.query<R>(text, parameters)
    }
  }
}

/** Connections to a server that may fall silent: what waits there is then told that it is lost, and goes elsewhere. */
export class LeavablePool implements PostgresPool {
  readonly #renewed: RenewedPool
  readonly #pool: PostgresPool
  readonly #clients = new Set<pg.PoolClient>()
  /** Those that wait for a connection. */
  readonly #waiting = new Set<(error: Error) => void>()

  constructor(pool: pg.Pool) {
    this.#renewed = new RenewedPool(pool)
    this.#pool = preparing(this.#renewed)
    pool.on('connect', (client) => this.#clients.add(client))
    pool.on('remove', (client) => this.#clients.delete(client))
  }

  connect(): Promise<PostgresPoolClient> {
    const connecting = this.#pool.connect()
    return new Promise((resolve, reject) => {
      const giveUp = (error: Error): void => {
        reject(error)
        connecting.then(
          (client) => client.release(),
          () => undefined,
        )
      }
      this.#waiting.add(giveUp)
      connecting.then(resolve, reject).finally(() => this.#waiting.delete(giveUp))
    })
  }

  /** The driver cuts a connection at which somebody waits, and says goodbye on the others. */
  leave(): void {
    for (const client of this.#clients) if (client instanceof pg.Client) void client.end()
    for (const giveUp of this.#waiting) giveUp(new Error('Connection terminated: the server does not answer'))
    this.#waiting.clear()
  }

  /** Another server may be meant by now. */
  renew(): void {
    this.#renewed.renew()
  }

  end(): Promise<void> {
    return this.#pool.end()
  }
}
