/**
 * What the log gave of something: the last before a place of it, and everything since. While the log goes on, what is shown
 * may be any of them.
 */
export class States<T> {
  readonly all: T[]

  constructor(first: T) {
    this.all = [first]
  }

  get last(): T | undefined {
    return this.all.at(-1)
  }

  /** What is late leaves what was there before as something that may still be shown. */
  add(state: T, isLate: boolean): void {
    if (!isLate) this.all.length = 0
    this.all.push(state)
  }
}
