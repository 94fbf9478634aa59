import type { TimestampUs } from '../domain/time/timestamp.ts'
import type { Egress } from './egress.ts'

const CHECK_DEADLINE_MS = 5_000
const CHECK_BODY_BYTES = 1024

/**
 * Whether this machine has a network at all. That a host could not be reached is evidence only if somebody else could
 * be reached after it: another host, or one of the check addresses.
 */
export class Connectivity {
  #seenUs: TimestampUs = 0
  #isOffline = false
  #checking: Promise<boolean> | null = null

  constructor(
    private readonly egress: Egress,
    /** Addresses of others that are always there. Without any, nothing is ever doubted. */
    private readonly addresses: readonly string[],
    private readonly nowUs: () => TimestampUs,
  ) {}

  get isOffline(): boolean {
    return this.#isOffline
  }

  /** Somebody took a connection at this time. */
  saw(atUs: TimestampUs): void {
    this.#seenUs = Math.max(this.#seenUs, atUs)
    this.#isOffline = false
  }

  /** Whether a failure to reach somebody at this time is known to be theirs. */
  isTheirs(atUs: TimestampUs): boolean {
    return this.addresses.length === 0 || this.#seenUs >= atUs
  }

  /** Asks the check addresses; answers whether anybody is there. One check at a time. */
  check(): Promise<boolean> {
    this.#checking ??= this.#ask().finally(() => {
      this.#checking = null
    })
    return this.#checking
  }

  async #ask(): Promise<boolean> {
    const limits = { deadlineMs: CHECK_DEADLINE_MS, maxBodyBytes: CHECK_BODY_BYTES }
    const asked = this.addresses.map(async (url) => {
      const answer = await this.egress.fetch({ method: 'GET', url, ...limits, isListed: true })
      if (answer.remoteAddress === null) throw new Error(`${url} cannot be reached`)
    })
    const isOnline = this.addresses.length === 0 || (await Promise.any(asked).then(yes, no))
    if (isOnline) this.saw(this.nowUs())
    else this.#isOffline = true
    return isOnline
  }
}

const yes = (): boolean => true
const no = (): boolean => false
