import { z } from 'zod'
import { hexText, quantity } from '../hex.ts'
import type { Block, Blocks } from '../history/blocks.ts'
import { NOT_FOUND, RpcError } from '../rpc-error.ts'

/** How many blocks behind the newest one a name points, as on other development chains. */
const BEHIND = { latest: 0, pending: 0, safe: 32, finalized: 64 } as const

/** Which block a question is about: a name, a number or a hash. */
export const blockTag = z.union([
  z.enum(['earliest', 'latest', 'pending', 'safe', 'finalized']),
  quantity.transform((number) => ({ number: Number(number) })),
  z.object({ blockNumber: quantity }).transform(({ blockNumber }) => ({ number: Number(blockNumber) })),
  z.object({ blockHash: hexText }).transform(({ blockHash }) => ({ hash: blockHash })),
])

export type BlockTag = z.infer<typeof blockTag>

export function findBlock(blocks: Blocks, tag: BlockTag = 'latest'): Block | undefined {
  if (typeof tag === 'object') return 'hash' in tag ? blocks.withHash(tag.hash) : blocks.at(tag.number)
  return blocks.at(tag === 'earliest' ? 0 : Math.max(0, blocks.head.number - BEHIND[tag]))
}

export function blockAt(blocks: Blocks, tag?: BlockTag): Block {
  const block = findBlock(blocks, tag)
  if (block === undefined) throw new RpcError(NOT_FOUND, 'header not found')
  return block
}
