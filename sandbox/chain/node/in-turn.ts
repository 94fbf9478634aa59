/** Work on one thing, one piece after the other in the order of asking. A failure is the asker's alone. */
export class InTurn {
  #last: Promise<unknown> = Promise.resolve()

  do<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => undefined)
    return done
  }
}
