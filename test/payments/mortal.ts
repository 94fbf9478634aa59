import type { Store } from '../../src/store/store.ts'
import type { Chance } from './chance.ts'

const never = <T>(): Promise<T> => new Promise<T>(() => undefined)

/** A program that ends at some step as if by kill -9: from then on nothing of it writes, settles or answers. */
export class Mortal {
  #isDead = false
  #die: () => void = () => undefined
  readonly died = new Promise<'died'>((resolve) => {
    this.#die = () => resolve('died')
  })
  /** Steps are numbered in the order in which they come: before and after each write and each settlement. */
  #stepsLeft: number

  constructor(steps = Number.POSITIVE_INFINITY) {
    this.#stepsLeft = steps
  }

  /** Mostly it lives on. */
  static of(chance: Chance): Mortal {
    return new Mortal(chance.once(3) ? chance.below(8) : undefined)
  }

  readonly step = async (): Promise<void> => {
    if (!this.#isDead && this.#stepsLeft-- > 0) return
    this.#isDead = true
    this.#die()
    await never()
  }

  storeOf(store: Store): Store {
    return {
      ...store,
      write: async (work) => {
        await this.step()
        const result = await store.write(work)
        await this.step()
        return result
      },
    }
  }
}
