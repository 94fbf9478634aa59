import type { PostgresPoolClient, PostgresQueryResult } from 'kysely'
import { isAway } from '../../domain/store-trouble.ts'
import { AskingClient } from './postgres-pool.ts'

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
