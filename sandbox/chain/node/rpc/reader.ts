import type { VM } from '@ethereumjs/vm'
import { type Chain, goTo } from '../chain.ts'
import type { Block } from '../history/blocks.ts'
import { InTurn } from '../in-turn.ts'
import { openMachine } from '../state/machine.ts'
import { ScratchStore } from '../state/trie-store.ts'
import { type BlockTag, blockAt } from './block-tag.ts'

/** Looks at the state of any block. */
export interface Reader {
  readonly chain: Chain
  at<T>(tag: BlockTag | undefined, look: (machine: VM, block: Block) => Promise<T>): Promise<T>
}

/** A machine of its own over the same store: questions neither wait for transactions nor disturb them. */
export async function openReader(chain: Chain): Promise<Reader> {
  const scratch = new ScratchStore(chain.history.store)
  const machine = await openMachine(chain.common, scratch)
  const turn = new InTurn()
  return {
    chain,
    at: (tag, look) =>
      turn.do(async () => {
        const block = blockAt(chain.history.blocks, tag)
        await goTo(machine, block.root)
        try {
          return await look(machine, block)
        } finally {
          scratch.dropFresh()
        }
      }),
  }
}
