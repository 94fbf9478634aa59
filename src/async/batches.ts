import { setImmediate } from 'node:timers/promises'

interface Waiting<Item, Result> {
  readonly item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/** Answered in one turn of the event loop. */
const TURN = 8

/**
 * What the askers do next costs the one thread as much as a batch does: some at a time, so that the next batch begins
 * and goes on between them.
 */
async function answer<Item, Result>(
  batch: readonly Waiting<Item, Result>[],
  results: readonly Result[],
): Promise<void> {
  for (const [index, result] of results.entries()) {
    if (index % TURN === 0) await setImmediate()
    batch[index]?.resolve(result)
  }
}

/**
 * Work that is asked for one by one and costs less done together. What arrives in the same turn of the event loop or
 * while a batch is under way shares the next batch; one batch at a time, at most so many items each.
 */
export class Batches<Item, Result> {
  readonly #waiting: Waiting<Item, Result>[] = []
  #isRunning = false

  constructor(
    private readonly most: number,
    /** Answers in the order of the items. */
    private readonly work: (items: readonly Item[]) => Promise<readonly Result[]>,
  ) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      if (!this.#isRunning) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    await setImmediate()
    while (this.#waiting.length > 0) await this.#do(this.#waiting.splice(0, this.most))
    this.#isRunning = false
  }

  /** One that fails must not take the others with it: after a failure each goes alone. */
  async #do(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.work(batch.map(({ item }) => item))
      void answer(batch, results)
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error)
      else for (const one of batch) await this.#do([one])
    }
  }
}
