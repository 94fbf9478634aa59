import { encodeEventTopics, type Hex, pad } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { dollarAbi } from '../../contracts.ts'
import { developmentAccount } from '../../development-accounts.ts'
import { DOLLAR, openTestChain, type TestChain } from '../../testing/test-chain.ts'

const [ADA, BO, CY] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`, `0x${'cc'.repeat(20)}`] as const
const [TRANSFER = '0x'] = encodeEventTopics({ abi: dollarAbi, eventName: 'Transfer' })
const [APPROVAL = '0x'] = encodeEventTopics({ abi: dollarAbi, eventName: 'Approval' })

let chain: TestChain
beforeAll(async () => {
  chain = await openTestChain()
  for (const [nonce, who] of [ADA, BO, CY].entries()) await chain.send(await chain.signedMint(nonce, who, 1n))
  const wallet = chain.wallet(developmentAccount(1))
  await wallet.writeContract({ address: DOLLAR, abi: dollarAbi, functionName: 'approve', args: [ADA, 5n] })
})

const logs = z.array(z.object({ blockNumber: z.string(), topics: z.array(z.string()) }))
/** The blocks of the logs that are found. */
async function found(filter: Record<string, unknown>): Promise<number[]> {
  const answer = await chain.ask('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest', ...filter })
  return logs.parse(answer).map(({ blockNumber }) => Number(blockNumber))
}

const topic = (who: Hex): Hex => pad(who)

describe('logs', () => {
  it('are found by address, by kind and by what they name', async () => {
    expect(await found({})).toEqual([1, 2, 3, 4])
    expect(await found({ address: DOLLAR.toUpperCase().replace('0X', '0x') })).toEqual([1, 2, 3, 4])
    expect(await found({ address: ADA })).toEqual([])
    expect(await found({ topics: [APPROVAL] })).toEqual([4])
    expect(await found({ topics: [TRANSFER, null, topic(BO)] })).toEqual([2])
    expect(await found({ topics: [null, null, topic(ADA)] })).toEqual([1, 4])
  })

  it('are found where a place may be one of several', async () => {
    expect(await found({ topics: [TRANSFER, null, [topic(ADA), topic(CY)]] })).toEqual([1, 3])
    expect(await found({ topics: [[TRANSFER, APPROVAL], null, [topic(ADA)]] })).toEqual([1, 4])
    expect(await found({ topics: [[], null, topic(CY)] })).toEqual([3])
    expect(await found({ address: [ADA, DOLLAR], topics: [[APPROVAL]] })).toEqual([4])
    expect(await found({ topics: [TRANSFER, null, null, topic(ADA)] })).toEqual([])
  })

  it('are found in a range of blocks, or in one block', async () => {
    expect(await found({ fromBlock: '0x2', toBlock: '0x3' })).toEqual([2, 3])
    expect(await found({ fromBlock: undefined, toBlock: undefined })).toEqual([4])
    expect(await found({ fromBlock: '0x4', toBlock: '0x63' })).toEqual([4])
    expect(await found({ fromBlock: '0x63', toBlock: 'latest' })).toEqual([])
    const { hash } = await chain.client.getBlock({ blockNumber: 3n })
    expect(await found({ blockHash: hash })).toEqual([3])
  })
})
