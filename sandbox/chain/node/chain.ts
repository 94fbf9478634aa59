import type { Common } from '@ethereumjs/common'
import { bytesToHex, hexToBytes } from '@ethereumjs/util'
import type { VM } from '@ethereumjs/vm'
import type { Hex } from 'viem'
import { Problem } from '../../../src/domain/problem.ts'
import type { ChainOptions } from '../running-chain.ts'
import type { Entry } from './history/entry.ts'
import { History } from './history/history.ts'
import { Journal } from './history/journal.ts'
import type { Transaction } from './history/transaction.ts'
import { InTurn } from './in-turn.ts'
import { loadProtocol } from './load-protocol.ts'
import { FAILED, REFUSED, RpcError } from './rpc-error.ts'
import { createRules } from './rules.ts'
import { openMachine, surroundings } from './state/machine.ts'

export interface OpenOptions extends Pick<ChainOptions, 'chainId' | 'kind' | 'stateFile'> {
  /** The wall clock, in whole seconds. */
  readonly wallS?: () => number
}

/** A chain of blocks that runs transactions, one in each block, as they come. */
export class Chain {
  readonly #turn = new InTurn()

  constructor(
    readonly options: OpenOptions,
    readonly common: Common,
    readonly history: History,
    private readonly machine: VM,
    private readonly journal: Journal | undefined,
  ) {}

  /** Takes a transaction: when it answers, it is in a block, or waits for an earlier one of its sender. */
  send(raw: Hex): Promise<Hex> {
    return this.#alone(async () => {
      const { blocks, pool } = this.history
      const transaction = this.history.read(raw)
      const { hash, nonce } = transaction
      const isKnown = blocks.placeOf(hash) !== undefined || pool.get(hash) !== undefined
      if (isKnown) throw new RpcError(FAILED, 'already known: transaction already imported')
      await transaction.check(this.machine, this.history.nextTimeS)
      const next = await transaction.nextNonce(this.machine)
      if (nonce < next) throw new RpcError(REFUSED, `nonce too low: next nonce ${next}, tx nonce ${nonce}`)
      if (nonce > next) this.#record([{ kind: 'held', raw }])
      else {
        await this.#run(transaction)
        await this.#runFollowers(transaction)
      }
      return hash
    })
  }

  /** Closes blocks with nothing in them, so many seconds apart. */
  mine(count: number, apartS = 0): Promise<void> {
    return this.change(async ({ clock, nextTimeS }) => {
      const blocks = Array.from({ length: count }, (_, n): Entry => ({ kind: 'block', time: nextTimeS + n * apartS }))
      const ahead = clock.aheadAt(nextTimeS + (count - 1) * apartS)
      return apartS > 0 && ahead > clock.aheadS ? [...blocks, { kind: 'clock', ahead }] : blocks
    })
  }

  /** Has something happen to the chain: what `work` has changed or says. */
  change(work: (history: History, machine: VM) => Promise<readonly Entry[]>): Promise<void> {
    return this.#alone(async () => this.#record(await work(this.history, this.machine)))
  }

  close(): Promise<void> {
    return this.#turn.do(async () => this.journal?.close())
  }

  async #run(transaction: Transaction): Promise<void> {
    const { blocks, nextTimeS, store } = this.history
    const block = surroundings(this.common, blocks.head.number + 1, nextTimeS)
    const outcomes = [await transaction.run(this.machine, block)]
    const root = await rootOf(this.machine)
    this.#record([{ kind: 'block', time: nextTimeS, root, nodes: store.fresh, outcomes }])
  }

  /** Those who waited for a transaction run after it; who cannot any more is let go. */
  async #runFollowers({ lane, nonce }: Transaction): Promise<void> {
    const follower = this.history.pool.next(lane, nonce + 1n)
    if (follower === undefined) return
    try {
      await follower.check(this.machine, this.history.nextTimeS)
      await this.#run(follower)
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      return this.#record([{ kind: 'dropped', hash: follower.hash }])
    }
    return this.#runFollowers(follower)
  }

  /** Written down first, then true. */
  #record(entries: readonly Entry[]): void {
    const { store } = this.history
    this.journal?.append(entries)
    // What no entry carries is of something that was given up.
    if (entries.some((entry) => 'nodes' in entry)) store.keepFresh()
    else store.dropFresh()
    for (const entry of entries) this.history.apply(entry)
  }

  /** One change after the other. What the machine did and was not written down has not happened. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#turn.do(async () => {
      try {
        return await work()
      } finally {
        const { blocks, store } = this.history
        store.dropFresh()
        if ((await rootOf(this.machine)) !== blocks.head.root) await goTo(this.machine, blocks.head.root)
      }
    })
  }
}

export const rootOf = async ({ stateManager }: VM): Promise<Hex> => bytesToHex(await stateManager.getStateRoot())

export const goTo = ({ stateManager }: VM, root: Hex): Promise<void> => stateManager.setStateRoot(hexToBytes(root))

const NOT_KEPT = { journal: undefined, entries: [] } as const
const wallClock = (): number => Math.floor(Date.now() / 1000)

/** Opens a chain where its file left it, or a new one. */
export async function openChain(options: OpenOptions): Promise<Chain> {
  const { chainId, kind, stateFile, wallS = wallClock } = options
  const common = createRules(chainId)
  const protocol = await loadProtocol(kind)
  const history = new History(wallS, (raw) => protocol.read(raw, common))
  const machine = await openMachine(common, history.store)
  const { journal, entries } = stateFile === undefined ? NOT_KEPT : await Journal.open(stateFile)
  const chain = new Chain(options, common, history, machine, journal)
  for (const entry of entries) {
    if (entry.kind === 'chain' && (entry.id !== chainId || entry.chain !== kind)) {
      throw new Problem(
        'chain',
        500,
        'No chain',
        `${stateFile} holds another chain`,
        'npm start -- --fresh starts over',
      )
    }
    history.apply(entry)
  }
  if (!history.blocks.isEmpty) await goTo(machine, history.blocks.head.root)
  else {
    const time = history.nextTimeS
    await protocol.begin(machine, surroundings(common, 0, time))
    const root = await rootOf(machine)
    await chain.change(async ({ store }) => [
      { kind: 'chain', version: 1, chain: kind, id: chainId },
      { kind: 'block', time, root, nodes: store.fresh },
    ])
  }
  return chain
}
