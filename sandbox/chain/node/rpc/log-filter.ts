import { z } from 'zod'
import { addressText, hexText } from '../hex.ts'
import type { Blocks } from '../history/blocks.ts'
import { type BlockTag, blockTag, findBlock } from './block-tag.ts'
import { type LogJson, logsJson } from './rpc-json.ts'

/** Which logs are asked for. A topic may be one of several, or any. */
export const logFilter = z.object({
  address: z.union([addressText, z.array(addressText)]).nullish(),
  topics: z.array(z.union([hexText, z.array(hexText)]).nullable()).default([]),
  fromBlock: blockTag.nullish(),
  toBlock: blockTag.nullish(),
  blockHash: hexText.optional(),
})

export type LogFilter = z.infer<typeof logFilter>

export function findLogs(blocks: Blocks, filter: LogFilter): LogJson[] {
  const addresses = choices(filter.address)
  const topics = filter.topics.map(choices)
  const isAsked = (log: LogJson): boolean =>
    isAmong(log.address, addresses) && topics.every((wanted, place) => isAmong(log.topics[place], wanted))
  const { first, last } = rangeOf(blocks, filter)
  return blocks
    .between(first, last)
    .filter(({ outcomes }) => outcomes.length > 0)
    .flatMap((block) => block.outcomes.flatMap((outcome, index) => logsJson({ block, index, outcome })))
    .filter(isAsked)
}

function rangeOf(blocks: Blocks, { fromBlock, toBlock, blockHash }: LogFilter): { first: number; last: number } {
  const numberOf = (tag: BlockTag | null | undefined, beyond: number): number =>
    findBlock(blocks, tag ?? 'latest')?.number ?? beyond
  const beyond = blocks.head.number + 1
  if (blockHash !== undefined) {
    const number = blocks.withHash(blockHash)?.number ?? beyond
    return { first: number, last: number }
  }
  return { first: numberOf(fromBlock, beyond), last: numberOf(toBlock, beyond) }
}

/** `undefined`: any will do. */
function choices(given: string | readonly string[] | null | undefined): readonly string[] | undefined {
  const all = [given ?? []].flat().map((one) => one.toLowerCase())
  return all.length === 0 ? undefined : all
}

const isAmong = (value: string | undefined, wanted: readonly string[] | undefined): boolean =>
  wanted === undefined || (value !== undefined && wanted.includes(value))
