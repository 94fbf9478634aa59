import { type Measured, sumOfCounted } from '../watching/instruments.ts'

interface Said {
  readonly id: number
  readonly measured: Measured
}

/**
 * What workers last said of themselves. What one of them counted stays when it is late or has ended: whoever scrapes takes
 * a counter that falls for one that began anew, and counts everything again.
 */
export class CrewFigures {
  readonly #said = new Map<number, Said>()
  /** Of all that have ended. */
  #gone: Promise<Measured> = Promise.resolve([])

  begin(worker: number): void {
    this.#said.set(worker, { id: -1, measured: [] })
  }

  /** Answers may come out of order, and after the end of their worker. */
  hear(worker: number, said: Said): void {
    const before = this.#said.get(worker)
    if (before !== undefined && said.id > before.id) this.#said.set(worker, said)
  }

  end(worker: number): void {
    const last = this.#said.get(worker)
    this.#said.delete(worker)
    if (last !== undefined) this.#gone = this.#gone.then((gone) => sumOfCounted([gone, last.measured]))
  }

  /** One for each worker, and one for all that are gone. */
  async all(): Promise<Measured[]> {
    const living = [...this.#said.values()].map(({ measured }) => measured)
    return [...living, await this.#gone]
  }
}
