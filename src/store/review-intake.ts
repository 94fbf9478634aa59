import type { TimestampUs } from '../domain/timestamp.ts'
import { type Added, type Arrival, addReviews } from './add-review.ts'
import type { Store } from './store.ts'

/** Reviews of one transaction. */
const MOST = 64

interface Waiting {
  readonly arrival: Arrival
  resolve(added: Added): void
  reject(error: unknown): void
}

/**
 * Stores reviews as they come. What arrives while a transaction is under way shares the next one, so that many reviews
 * cost few commits; each is answered once it is durable. One for each store of a program.
 */
export class ReviewIntake {
  readonly #waiting: Waiting[] = []
  #isRunning = false

  constructor(
    private readonly store: Store,
    private readonly nowUs: () => TimestampUs,
  ) {}

  add(arrival: Arrival): Promise<Added> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ arrival, resolve, reject })
      if (!this.#isRunning) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#waiting.length > 0) await this.#save(this.#waiting.splice(0, MOST))
    this.#isRunning = false
  }

  /** One that cannot be stored must not take the others with it: after a failure each goes alone. */
  async #save(batch: readonly Waiting[]): Promise<void> {
    try {
      const arrivals = batch.map(({ arrival }) => arrival)
      const added = await addReviews(this.store, arrivals, this.nowUs())
      for (const [index, one] of added.entries()) batch[index]?.resolve(one)
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error)
      else for (const one of batch) await this.#save([one])
    }
  }
}
